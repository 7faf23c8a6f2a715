import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import path from 'node:path'
import { root } from '../packages/folders.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const main = path.join(root, 'packages/cli/src/main.ts')
const built = path.join(root, 'packages/cli/dist/main.js')

/** The environment of a machine without options, with a permissive umask. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(OPENFOUNTAIN|NODE_ENV|NODE_OPTIONS|PORT|VITEST)/u.test(name),
    ),
  ),
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node-compile'),
})

/** Starts a module under the umask 0, one of the sources unless told otherwise. */
export function startNode(
  args: readonly string[],
  cwd: string,
  conditions: readonly string[] = ['--conditions=openfountain-source'],
): ChildProcess {
  const words = [process.execPath, ...conditions, ...args]
  const [program = '', given] =
    process.platform === 'win32'
      ? [words[0], words.slice(1)]
      : ['/bin/sh', ['-c', 'umask 0; exec "$@"', 'sh', ...words]]
  return spawn(program, given, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Waits for the end of a process. @returns its output */
export async function endOf(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (texts[name] += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, ...texts }
}

/** Runs the command `openfountain`. @throws Error when it does not end well */
export async function openfountain(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await endOf(startNode([main, ...args], cwd))
  if (code !== 0) throw new Error(`openfountain ${args.join(' ')} ended with ${code}: ${stderr.trim()}`)
  return stdout
}

export interface Serving {
  readonly pid: number
  readonly url: URL
  /** Lines of its standard output so far. */
  readonly lines: readonly string[]
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/** Starts `openfountain serve` on a free port of 127.0.0.1: of the sources, or as it is published. */
export async function startServing(
  args: readonly string[],
  cwd: string,
  program: 'source' | 'built' = 'source',
): Promise<Serving> {
  const serve = ['serve', '--port', '0', '--json', ...args]
  const child = program === 'built' ? startNode([built, ...serve], cwd, []) : startNode([main, ...serve], cwd)
  const lines: string[] = []
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-5000)))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const url = await new Promise<URL>((resolve, reject) => {
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line)
        const { url: found } = JSON.parse(line) as { url?: string }
        if (lines.length === 1 && found !== undefined) resolve(new URL(found))
      })
    }
    child.once('error', reject)
    void closed.then(() => reject(new Error(`openfountain serve ended: ${errors.trim()}`)))
  })
  lines.length = 0
  return {
    pid: child.pid ?? 0,
    url,
    lines,
    async stop() {
      child.kill('SIGTERM')
      const patient = setTimeout(kill, 30_000)
      await closed
      clearTimeout(patient)
      process.off('exit', kill)
    },
  }
}
