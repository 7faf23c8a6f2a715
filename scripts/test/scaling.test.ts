/** @module-tag others */
import { existsSync } from 'node:fs'
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises'
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
const blocks = blocksOf(await readFile(join(root, 'docs/guides/scaling.md'), 'utf8'))
const secret = 'Zebulon lives here'
const passwords = { fountains: 'one', backup: 'two', replicator: 'three' }

const folder = newFolder()
const work = join(folder, 'work')
let env: NodeJS.ProcessEnv
let db1: Cluster
let db2: Cluster | undefined
let standbyData: string
const servers: Serving[] = []
const proxies: WebServer[] = []
let apiToken: string

function here(text: string): string {
  return text
    .replaceAll(/db1\.example(?::5432)?/gu, `127.0.0.1:${db1.port}`)
    .replaceAll(/db2\.example(?::5432)?/gu, `127.0.0.1:${db2?.port ?? 1}`)
    .replaceAll('sslmode=verify-full', 'sslmode=disable')
    .replaceAll(/&sslrootcert=[^"\n]*/gu, '')
    .replaceAll('/etc/openfountain.pgpass', join(work, 'pgpass'))
    .replaceAll('/var/lib/postgresql/15/main', standbyData)
    .replaceAll(
      /\\password (\w+)/gu,
      (_all, role: keyof typeof passwords) => `alter role ${role} password '${passwords[role]}';`,
    )
}

async function writePasswords(file: string): Promise<void> {
  const ports = [db1.port, db2?.port ?? 1]
  const lines = Object.entries(passwords).flatMap(([role, password]) =>
    ports.map((port) => `127.0.0.1:${port}:*:${role}:${password}`),
  )
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(file, 0o600)
}

/** Runs the blocks of the guide for a machine up to the next heading that is named. */
async function follow(machine: 'db1' | 'db2' | 'server' | 'backup', at: number): Promise<void> {
  const block = blocks.filter(({ words }) => words[0] === machine)[at]
  if (block === undefined) throw new Error(`The guide has no block ${at} for ${machine}`)
  const cluster = machine === 'db1' ? db1 : db2
  const isDatabase = machine.startsWith('db')
  const connection =
    isDatabase && cluster !== undefined
      ? { PGHOST: cluster.folder, PGPORT: String(cluster.port), PGUSER: 'admin', PGDATABASE: 'postgres' }
      : {}
  const settings = isDatabase ? '' : 'set -a; . ./openfountain.env; set +a; '
  const passFile = machine === 'db2' ? join(folder, 'pgpass-of-postgres') : join(work, 'pgpass')
  const options = { cwd: work, env: { ...env, ...connection, PGPASSFILE: passFile } }
  const script = ['-euo', 'pipefail', '-c', settings + here(block.code)]
  const { code, stdout, stderr } = await run('bash', script, options)
  if (code !== 0) throw new Error(`line ${block.line} ended with ${code}\n${stdout}\n${stderr}`)
}

const asServer = (...args: string[]): Promise<string> =>
  succeed('openfountain', args, { cwd: work, env: { ...env, OPENFOUNTAIN_DB: address() } })

const address = (database = 'fountains'): string =>
  here(`postgres://fountains@db1.example,db2.example/${database}?target_session_attrs=read-write`)

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
  const isRoot = userInfo().uid === 0
  const asPostgres = isRoot ? 'if [ "$user" = postgres ]; then exec runuser -u postgres -- "$@"; fi' : ''
  await addProgram(
    work,
    'sudo',
    `user=root; [ "$1" = -u ] && { user=$2; shift 2; }\n${asPostgres}\nexec "$@"`,
  )
  await addProgram(work, 'systemctl', 'exit 0')
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
  const lines = (await readFile(join(examples, 'postgresql.conf'), 'utf8')).split('\n')
  const settings = lines.filter((line) => /^(?!listen_addresses|ssl )\w+ = /u.test(line))
  expect(settings.length).toBeGreaterThan(10)
  for (const line of settings) await asAdmin(db1, `alter system set ${line}`)
  const access = here(await readFile(join(examples, 'pg_hba.conf'), 'utf8'))
    .replaceAll('hostssl', 'host')
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
  const file = join(db1.folder, 'data/pg_hba.conf')
  await writeFile(file, `${await readFile(file, 'utf8')}${access}`)
  await asAdmin(db1, 'select pg_reload_conf()')
  const wrong = `select error from pg_file_settings where error is not null and sourcefile like '%auto.conf'
    union all select error from pg_hba_file_rules where error is not null`
  expect(await asAdmin(db1, wrong)).toEqual([])
})

test('a primary, a synchronous standby and a registry that was moved there are made by the commands', async () => {
  await follow('db1', 0)
  const ofPostgres = join(folder, 'pgpass-of-postgres')
  await writePasswords(ofPostgres)
  if (userInfo().uid === 0) {
    const owner = Number(await succeed('id', ['-u', 'postgres']))
    await chown(ofPostgres, owner, owner)
  }
  db2 = await Cluster.filled(async (data) => {
    standbyData = data
    await addProgram(work, 'mv', 'exit 0')
    await follow('db2', 0)
  })
  await rm(join(work, '.bin/mv'))
  await follow('db1', 1)
  const standbys = () => asAdmin(db1, 'select application_name, sync_state from pg_stat_replication')
  await expect.poll(standbys).toEqual([{ application_name: 'db2', sync_state: 'sync' }])
  await writePasswords(join(work, 'pgpass'))
  env['PGPASSFILE'] = join(work, 'pgpass')
  const settings = here(await readFile(join(examples, 'openfountain.env'), 'utf8'))
  await writeFile(join(work, 'openfountain.env'), settings.replaceAll('/var/lib/openfountain', work))
  await follow('server', 0)
  expect(await asServer('stats')).toContain('1')
})

test('nginx and Caddy lead to the servers that are there', async () => {
  apiToken = (await asServer('token', 'create', '--name', 'Survey')).trim()
  process.env['PGPASSFILE'] = join(work, 'pgpass')
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
  await follow('backup', 0)
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
