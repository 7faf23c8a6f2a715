import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Replaces systemctl in tests, as far as the self-hosting guide needs it, below the folder `MACHINE`:
 *   node systemctl.ts start openfountain-publish.service
 * Timers are checked, not awaited. The process of a running service is in `run/NAME.pid` until it ends.
 */
const machine = process.env['MACHINE'] ?? ''
const [verb = '', ...words] = process.argv.slice(2)

class Unit {
  readonly name: string
  readonly #lines: readonly string[]

  constructor(name: string) {
    const file = join(machine, 'etc/systemd/system', name)
    if (!existsSync(file)) throw new Error(`Unit ${name} not found`)
    this.name = name
    this.#lines = readFileSync(file, 'utf8').split('\n')
  }

  has(section: string): boolean {
    return this.#lines.includes(`[${section}]`)
  }

  all(setting: string): string[] {
    return this.#lines.flatMap((line) =>
      line.startsWith(`${setting}=`) ? [line.slice(setting.length + 1)] : [],
    )
  }

  one(setting: string): string {
    return this.all(setting)[0] ?? ''
  }

  commands(): { readonly line: string; readonly cwd: string; readonly env: NodeJS.ProcessEnv }[] {
    const settings = Object.assign({}, ...this.all('EnvironmentFile').map(environmentIn)) as NodeJS.ProcessEnv
    process.umask(this.one('UMask') || '0022')
    return this.all('ExecStart').map((command) => ({
      line: command.replaceAll('%%', '%').replaceAll('$$', () => '$'),
      cwd: this.one('WorkingDirectory'),
      env: { PATH: process.env['PATH'], ...settings },
    }))
  }
}

/** A hyphen before the name permits the file to be absent. */
function environmentIn(setting: string): NodeJS.ProcessEnv {
  const file = setting.replace(/^-/u, '')
  if (file !== setting && !existsSync(file)) return {}
  return parseEnv(readFileSync(file, 'utf8'))
}

const pidOf = (unit: Unit): string => join(machine, 'run', `${unit.name}.pid`)

const never = new Int32Array(new SharedArrayBuffer(4))

function end(unit: Unit): void {
  process.kill(-Number(readFileSync(pidOf(unit), 'utf8')), 'SIGTERM')
  while (existsSync(pidOf(unit))) Atomics.wait(never, 0, 0, 20)
}

function begin(unit: Unit): void {
  for (const { line, ...options } of unit.commands()) {
    if (unit.one('Type') === 'oneshot') {
      const { status } = spawnSync('bash', ['-c', line], { ...options, stdio: 'inherit' })
      if (status !== 0) throw new Error(`Job for ${unit.name} failed: ${line} ended with ${status}`)
    } else {
      const log = openSync(join(machine, 'run', `${unit.name}.log`), 'a')
      const file = pidOf(unit)
      // A signal ends the whole group, and the shell outlives the service to remove the file.
      const kept = `echo $$ > '${file}'; trap : TERM; ${line} & wait $!; wait $!; rm '${file}'`
      writeFileSync(file, '')
      const child = spawn('bash', ['-c', kept], { ...options, detached: true, stdio: ['ignore', log, log] })
      child.unref()
    }
  }
}

function enable(unit: Unit): void {
  if (!unit.has('Install')) throw new Error(`${unit.name} has no [Install] and cannot be enabled`)
  if (!unit.has('Timer')) return begin(unit)
  const service = new Unit(unit.name.replace(/\.timer$/u, '.service'))
  if (service.one('Type') !== 'oneshot') throw new Error(`${unit.name} starts what does not end`)
}

const units = words.filter((word) => !word.startsWith('--')).map((name) => new Unit(name))
mkdirSync(join(machine, 'run'), { recursive: true })
for (const unit of units) {
  if (verb === 'start') begin(unit)
  else if (verb === 'stop') end(unit)
  else if (verb === 'enable' && words.includes('--now')) enable(unit)
  else if (verb === 'restart') {
    end(unit)
    begin(unit)
  } else throw new Error(`systemctl ${verb} is not known here`)
}
if (units.length === 0 && verb !== 'daemon-reload') throw new Error(`systemctl ${verb} names no unit`)
