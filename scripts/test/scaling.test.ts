/** @module-tag others */
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { newFolder } from '@openfountain/testing/folder'
import { served, type Serving } from '@openfountain/testing/command/shell'
import { asAdmin, Cluster } from '@openfountain/testing/postgres/cluster'
import { startCaddy, startNginx, type WebServer } from '@openfountain/testing/site/web-servers'
import { blocksOf } from '../packages/blocks.ts'
import { run, succeed } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import { postgresFolder } from '@openfountain/testing/programs'
import { addProgram, prepareGuide } from '../snippets/guide.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const examples = join(root, 'examples/scaling')
const guide = await readFile(join(root, 'docs/guides/scaling.md'), 'utf8')
const blocks = blocksOf(guide)
const settings = await readFile(join(examples, 'openfountain.env'), 'utf8')
const secret = 'Zebulon lives here'

const folder = newFolder()
const work = join(folder, 'work')
const etc = join(folder, 'etc')
const isRoot = userInfo().uid === 0
let env: NodeJS.ProcessEnv
let db1: Cluster
let db2: Cluster | undefined
let standbyData: string
const servers: Serving[] = []
const proxies: WebServer[] = []
let apiToken: string

/** The names of both database servers become the one that this machine has, with the ports of the clusters. */
function here(text: string): string {
  return text
    .replaceAll(
      /(?:(?<=[@,])|(?=db\d\.example:5432))db(\d)\.example(?::5432)?/gu,
      (_all, number) => `localhost:${number === '1' ? db1.port : (db2?.port ?? 1)}`,
    )
    .replaceAll(/db\d\.example/gu, 'localhost')
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replaceAll('/etc/', `${etc}/`)
    .replaceAll('/var/lib/openfountain', work)
    .replaceAll('/var/lib/postgresql/15/main', standbyData)
    .replaceAll('-o postgres', isRoot ? '-o postgres' : '')
    .replaceAll(/:(\w+):PASSWORD/gu, ':$1:of-$1')
    .replaceAll(/\\password (\w+)/gu, "alter role $1 password 'of-$1';")
}

/** Runs a block of the guide for a machine. */
async function follow(machine: string, at = 0): Promise<void> {
  const block = blocks.filter(({ words }) => words[0] === machine)[at]
  if (block === undefined) throw new Error(`The guide has no block ${at} for ${machine}`)
  const cluster = machine === 'db1' ? db1 : db2
  const connection =
    machine.startsWith('db') && cluster !== undefined
      ? { PGHOST: cluster.folder, PGPORT: String(cluster.port), PGUSER: 'admin', PGDATABASE: 'postgres' }
      : {}
  const PGPASSFILE = join(folder, 'pgpass-of-postgres')
  const options = { cwd: work, env: { ...env, ...connection, PGPASSFILE } }
  const set = ['server', 'backup'].includes(machine) ? `set -a; . ${etc}/openfountain.env; set +a; ` : ''
  const script = ['-euo', 'pipefail', '-c', set + here(block.code)]
  const { code, stdout, stderr } = await run('bash', script, options)
  if (code !== 0) throw new Error(`line ${block.line} ended with ${code}\n${stdout}\n${stderr}`)
}

const asServer = (...args: string[]): Promise<string> =>
  succeed('openfountain', args, { cwd: work, env: { ...env, OPENFOUNTAIN_DB: address() } })

const address = (database = 'fountains'): string =>
  here(/^OPENFOUNTAIN_DB="(.*)"$/mu.exec(settings)?.[1] ?? '').replace('/fountains?', `/${database}?`)

async function add(url: string, name: string, latitude: number): Promise<number> {
  const key = { 'idempotency-key': name.replaceAll(' ', '-'), authorization: `Bearer ${apiToken}` }
  const headers = { ...key, 'content-type': 'application/json' }
  for (;;) {
    const answer = await fetch(new URL('api/waypoints', url), {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, latitude, longitude: 13 }),
    })
    if (answer.ok) return ((await answer.json()) as { id: number }).id
    if (answer.status < 502) throw new Error(`${answer.status} ${await answer.text()}`)
    await wait(200)
  }
}

beforeAll(async () => {
  await chmod(folder, 0o755)
  standbyData = join(folder, 'nowhere')
  env = await prepareGuide(work)
  env['PATH'] = `${env['PATH'] ?? ''}:${(await postgresFolder()) ?? ''}`
  const asPostgres = isRoot ? 'if [ "$user" = postgres ]; then exec runuser -u postgres -- "$@"; fi' : ''
  await addProgram(
    work,
    'sudo',
    `user=root; [ "$1" = -u ] && { user=$2; shift 2; }\n${asPostgres}\nexec "$@"`,
  )
  await addProgram(work, 'systemctl', 'exit 0')
  await mkdir(join(etc, 'postgresql/15/main'), { recursive: true })
  db1 = await Cluster.start()
  const registry = await openRegistry({ database: join(work, 'fountains.db'), durability: 'relaxed' })
  await registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 13, description: secret }, token())
  await registry.close()
})

afterAll(async () => {
  await Promise.all([...servers.map((each) => each.stop('SIGKILL')), ...proxies.map((each) => each.close())])
  await db2?.stop()
  await db1.stop()
  delete process.env['PGPASSFILE']
})

test('the settings of the servers are settings of PostgreSQL', async () => {
  await follow('authority')
  await follow('everywhere')
  await follow('db1')
  const lines = here(await readFile(join(examples, 'postgresql.conf'), 'utf8')).split('\n')
  const given = lines.filter((line) => /^(?!listen_addresses)\w+ = /u.test(line))
  expect(given.length).toBeGreaterThan(12)
  for (const line of given) await asAdmin(db1, `alter system set ${line}`)
  const access = here(await readFile(join(examples, 'pg_hba.conf'), 'utf8'))
  await writeFile(join(db1.folder, 'data/pg_hba.conf'), `local all admin trust\n${access}`)
  await asAdmin(db1, 'select pg_reload_conf()')
  const wrong = `select error from pg_file_settings where error is not null and sourcefile like '%auto.conf'
    union all select error from pg_hba_file_rules where error is not null`
  expect(await asAdmin(db1, wrong)).toEqual([])
})

test('a primary, a synchronous standby and a registry that was moved there are made by the commands', async () => {
  await follow('db1', 1)
  const ofPostgres = join(folder, 'pgpass-of-postgres')
  await writeFile(ofPostgres, here(/`([^`]*:replicator:PASSWORD)`/u.exec(guide)?.[1] ?? ''), { mode: 0o600 })
  if (isRoot) {
    const owner = Number(await succeed('id', ['-u', 'postgres']))
    await chown(ofPostgres, owner, owner)
  }
  db2 = await Cluster.filled(async (data) => {
    standbyData = data
    await addProgram(work, 'mv', 'exit 0')
    await follow('db2')
  })
  await rm(join(work, '.bin/mv'))
  await follow('db1', 2)
  const standbys = () => asAdmin(db1, 'select application_name, sync_state from pg_stat_replication')
  await expect.poll(standbys).toEqual([{ application_name: 'db2', sync_state: 'sync' }])
  env['PGPASSFILE'] = join(etc, 'openfountain.pgpass')
  const secrets = blocks.find(({ code }) => code.endsWith(':PASSWORD\n'))?.code ?? ''
  await writeFile(env['PGPASSFILE'], here(secrets), { mode: 0o600 })
  await writeFile(join(etc, 'openfountain.env'), here(settings))
  await follow('server')
  expect(await asServer('stats')).toContain('1')
})

test('nginx and Caddy lead to the servers that are there', async () => {
  apiToken = (await asServer('token', 'create', '--name', 'Survey')).trim()
  process.env['PGPASSFILE'] = join(etc, 'openfountain.pgpass')
  const start = () => served([], { env: { OPENFOUNTAIN_DB: address() } }, () => undefined)
  servers.push(...(await Promise.all([start(), start()])))
  const [one, other] = servers.map(({ url }) => new URL(url).host)
  const places = {
    '10.0.0.21:3000': one ?? '',
    '10.0.0.22:3000': '127.0.0.1:1',
    '10.0.0.23:3000': other ?? '',
  }
  proxies.push(await startNginx('scaling/nginx.conf', places), await startCaddy('scaling/Caddyfile', places))
  for (const [index, { url }] of proxies.entries())
    for (let turn = 0; turn < 4; turn++) {
      const id = await add(url, `Fountain ${index} ${turn}`, 2 + index * 4 + turn)
      const answer = await fetch(new URL(`api/waypoints/${id}`, url))
      expect(await answer.text()).toContain(`Fountain ${index} ${turn}`)
    }
})

test('backups are made by a role that can only read', async () => {
  await follow('backup')
  expect((await readFile(join(work, 'fountains.dump'))).length).toBeGreaterThan(1000)
  expect(await readFile(join(work, 'erased.txt'), 'utf8')).toBe('')
  const asBackup = address().replace('fountains@', 'backup@')
  const options = { cwd: work, env: { ...env, OPENFOUNTAIN_DB: asBackup } }
  const refused = await run('openfountain', ['user', 'add', '--name', 'Eve'], options)
  expect(refused.code).not.toBe(0)
  await asServer('log', 'redact', '1', '--reason', 'Asked for')
  await asServer('log', 'erasures', 'erased.txt')
  expect(await readFile(join(work, 'erased.txt'), 'utf8')).not.toContain('Zebulon')
})

test('the standby takes over, with everything that was acknowledged', async () => {
  await db1.kill()
  await follow('db2', 1)
  for (const [index, { url }] of proxies.entries())
    expect(await add(url, `After ${index}`, 20 + index)).toBe(10 + index)
  expect(await asServer('log', 'verify')).toContain('The log verifies')
})

test('a dump is restored, and what was erased since is erased again', async () => {
  await follow('db2', 2)
  await follow('server', 1)
  await using restored = await openRegistry({ database: address('restored'), readOnly: true })
  await using current = await openRegistry({ database: address(), readOnly: true })
  expect((await restored.waypoints.list()).length).toBe(9)
  expect(JSON.stringify(await restored.changes.entries(0))).not.toContain('Zebulon')
  expect(await restored.changes.origin()).not.toBe(await current.changes.origin())
  expect(existsSync(join(work, 'fountains-copy.db'))).toBe(true)
})
