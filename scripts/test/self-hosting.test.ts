/** @module-tag process */
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { freePort } from '@openfountain/testing/listening'
import { blocksOf } from '../packages/blocks.ts'
import { run } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import { addProgram, prepareGuide } from '../snippets/guide.ts'

vi.setConfig({ testTimeout: 300_000 })

const guide = await readFile(join(root, 'docs/guides/self-hosting.md'), 'utf8')
const blocks = blocksOf(guide).filter(({ words }) => words[0] === 'machine')

let machine: string
let work: string
let env: NodeJS.ProcessEnv
let port: number

beforeAll(async () => {
  const folder = newFolder()
  machine = join(folder, 'machine')
  work = join(folder, 'checkout')
  env = { ...(await prepareGuide(work)), MACHINE: machine }
  await addProgram(work, 'sudo', '[ "$1" = -u ] && shift 2; exec "$@"')
  await addProgram(work, 'useradd', `mkdir -p '${machine}/var/lib/openfountain'`)
  await addProgram(work, 'systemctl', `exec '${process.execPath}' '${root}scripts/test/systemctl.ts' "$@"`)
  await mkdir(join(machine, 'etc/systemd/system'), { recursive: true })
  port = await freePort()
  const geometry = { type: 'Point', coordinates: [13.1929, 55.7029] }
  const feature = { type: 'Feature', id: 'm1', properties: { name: 'Market square' }, geometry }
  await writeFile(join(work, 'fountains.geojson'), JSON.stringify(feature))
})

const server = (): string => join(machine, 'run/openfountain.service.pid')

afterAll(async () => {
  if (existsSync(server())) process.kill(-Number(await readFile(server(), 'utf8')), 'SIGTERM')
  while (existsSync(server())) await wait(20)
})

const asked = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)

async function health(): Promise<number> {
  for (;;) {
    const answer = await asked('/api/health').catch(() => undefined)
    if (answer !== undefined) return answer.status
    if (!existsSync(server()))
      throw new Error(await readFile(join(machine, 'run/openfountain.service.log'), 'utf8'))
    await wait(50)
  }
}

test('the commands for the machine work in the order in which they are given', async () => {
  // An operator's own: a port that is free, and one language, which is published sooner.
  const own = `OPENFOUNTAIN_PORT=${port}\nOPENFOUNTAIN_PUBLISH="--out site --api /api --languages en"\n`
  const failed: string[] = []
  for (const { code, line } of blocks)
    for (const command of code.trim().split('\n')) {
      // The paths of a whole machine, below a folder.
      const below = command.replaceAll(/(?<![\w.])\/(?=(?:etc|var\/lib)\/)/gu, `${machine}/`)
      const ended = await run('bash', ['-euo', 'pipefail', '-c', below], { cwd: work, env })
      if (ended.code !== 0)
        failed.push(`line ${line}: ${command} ended with ${ended.code}\n${ended.stdout}${ended.stderr}`)
      if (command.includes(' init '))
        await appendFile(join(machine, 'var/lib/openfountain/openfountain.env'), own)
      if (/^sudo systemctl (?:enable|restart)/u.test(command)) await health()
    }
  expect(failed).toEqual([])
  expect(blocks.length).toBeGreaterThan(3)
})

test('then the server has API, map and downloads under the names of the settings, and there is a verified backup, with the list of what was erased', async () => {
  expect(await health()).toBe(200)
  expect(await (await asked('/api')).json()).toMatchObject({ name: 'Fountains of Lund' })
  expect(await (await asked('/')).text()).toContain('Fountains of Lund')
  expect(await (await asked('/api/exports/datapackage.json')).text()).toContain('City of Lund')
  const names = await readdir(join(machine, 'var/lib/openfountain/backups'))
  const backups = names.filter((name) => !name.endsWith('.erased'))
  expect(backups).not.toEqual([])
  for (const name of backups) expect(name).toMatch(/^fountains-\d{4}-\d\d-\d\dT\d{6}Z\.db$/u)
  expect(names.toSorted()).toEqual(backups.flatMap((name) => [name, `${name}.erased`]).toSorted())
})
