import { chmod, chown, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../src/doctor/finding.ts'
import { diskFinding, nodeFinding } from '../src/doctor/machine.ts'
import {
  folder,
  openfountain,
  openfountains,
  serving,
  type RunOptions,
} from '@openfountain/testing/command/shell'

interface Told {
  readonly code: number | null
  readonly ok: boolean
  /** What is wrong or worth a look, by subject, but for what depends on the machine that runs the test. */
  readonly findings: Readonly<Record<string, readonly string[]>>
}

interface Findings {
  readonly ok: boolean
  readonly findings: readonly { readonly subject: string; readonly state: string; readonly message: string }[]
}

const isOfMachine = (subject: string, state: string): boolean =>
  ['node', 'disk'].includes(subject) || (subject === 'clock' && state === 'warning')

async function told(args: readonly string[], options: RunOptions): Promise<Told> {
  const { code, stdout, stderr } = await openfountain(['doctor', ...args, '--json'], options)
  if (stdout === '') throw new Error(stderr)
  const { ok, findings } = JSON.parse(stdout) as Findings
  const found: Record<string, string[]> = {}
  for (const { subject, state, message } of findings)
    if (state !== 'ok' && !isOfMachine(subject, state)) (found[subject] ??= []).push(`${state}: ${message}`)
  return { code, ok, findings: found }
}

/** A folder of `init` with a backup and a site, for browsers at an address. */
async function healthy(publicUrl = 'https://fountains.example'): Promise<string> {
  const cwd = await folder()
  const lines = [
    ['init', '--public-url', publicUrl],
    ['backup', 'backups/fountains-1.db', '--db', 'fountains.db'],
  ]
  const answers = await openfountains(lines, { cwd })
  expect(answers.map(({ code, stderr }) => (code === 0 ? code : stderr))).toEqual([0, 0])
  await mkdir(path.join(cwd, 'site/data'), { recursive: true })
  for (const name of ['site/index.html', 'site/data/SHA256SUMS']) await writeFile(path.join(cwd, name), '')
  return cwd
}

/** What is said of a folder before there is a proxy. */
const offline = async (cwd: string): Promise<Told> => told([cwd, '--offline'], { cwd: '/' })

const notAsked = { proxy: ['warning: https://fountains.example was not asked, because of --offline'] }

async function setting(cwd: string, line: string): Promise<void> {
  const file = path.join(cwd, 'openfountain.env')
  await writeFile(file, `${await readFile(file, 'utf8')}${line}\n`)
}

describe('doctor', () => {
  test('finds nothing wrong in a folder of init with a backup and a site, from wherever it is run', async () => {
    const cwd = await healthy()
    expect(await offline(cwd)).toEqual({ code: 0, ok: true, findings: notAsked })
  })

  test('tells people in a table, a line for each finding, and what is wrong by its exit code', async () => {
    const cwd = await healthy()
    await chmod(path.join(cwd, 'fountains.db'), 0o644)
    const { code, stdout, stderr } = await openfountain(['doctor', cwd, '--offline'])
    expect(code).toBe(8)
    expect(stdout).toMatch(/^SUBJECT +STATE +FINDING\n/u)
    expect(stdout).toMatch(/^database +ok +.*fountains\.db: 0 entries in the log$/mu)
    expect(stdout).toMatch(/^modes +WRONG +.*chmod 600 .*fountains\.db$/mu)
    expect(stderr).toBe('One thing is not as it should be\n')
  })

  test('a folder that there is not is a finding, as is everything in it', async () => {
    const cwd = await folder()
    const { code, ok, findings } = await told([path.join(cwd, 'nowhere/lund'), '--offline'], { cwd })
    expect({ code, ok }).toEqual({ code: 8, ok: false })
    expect(findings['settings']).toEqual([expect.stringMatching(/^wrong: .*not found; openfountain init/u)])
    expect(findings['database']).toEqual([expect.stringMatching(/^wrong: .*openfountain\.db/u)])
  })

  test('reads the environment without a folder, and --db before it', async () => {
    const cwd = await healthy()
    const env = {
      OPENFOUNTAIN_DB: path.join(cwd, 'nowhere.db'),
      OPENFOUNTAIN_BACKUPS: path.join(cwd, 'backups'),
    }
    const alone = await told(['--offline'], { cwd, env })
    expect(alone.findings['database']).toEqual([expect.stringContaining('nowhere.db')])
    expect(alone.findings['backup']).toBeUndefined()
    expect(alone.findings['publication']).toEqual([expect.stringContaining('warning: Nobody knows')])
    const named = await told(['--offline', '--db', 'fountains.db'], { cwd, env })
    expect(named.findings['database']).toBeUndefined()
  })
})

describe('doctor says what is wrong with', () => {
  test('settings that no command has, or whose value no command takes', async () => {
    const cwd = await healthy()
    await setting(cwd, 'OPENFOUNTAIN_RATE_LIMITS=300\nOPENFOUNTAIN_METRICS=all')
    await setting(cwd, 'OPENFOUNTAIN_PUBLIC_URL=https://fountains.example/map')
    const { code, findings } = await offline(cwd)
    expect(code).toBe(8)
    expect(findings['settings']).toEqual([
      'wrong: OPENFOUNTAIN_METRICS must be one of off, loopback, everyone, not "all"',
      'wrong: OPENFOUNTAIN_PUBLIC_URL must be scheme, host and port alone: https://host',
      expect.stringMatching(/^warning: OPENFOUNTAIN_RATE_LIMITS is no setting of any command/u),
    ])
  })

  test('a declaration of custom fields that no registry opens with', async () => {
    const cwd = await healthy()
    const file = path.join(cwd, 'fields.json')
    await setting(cwd, 'OPENFOUNTAIN_PROPERTIES=fields.json')
    const settings = async () => (await offline(cwd)).findings['settings']
    expect(await settings()).toEqual([expect.stringMatching(/^wrong: .*fields\.json: .*not found/u)])
    await writeFile(file, '{"type":"object","properties":{"height":{"type":"null"}}}')
    expect(await settings()).toEqual([
      expect.stringMatching(
        /^wrong: OPENFOUNTAIN_PROPERTIES, .*: properties\.properties\.height\.type must be/u,
      ),
    ])
    await writeFile(file, '{"type":"object","properties":{"height":{"type":"number"}}}')
    expect(await settings()).toBeUndefined()
  })

  test('files with secrets that others can read, and files that others can change, but says no secret', async () => {
    const cwd = await healthy()
    const secrets = path.join(cwd, 'openfountain.secrets')
    await writeFile(secrets, 'OPENFOUNTAIN_PROVIDER_OSM_CLIENT_SECRET=hunter2\n', { mode: 0o640 })
    await writeFile(path.join(cwd, 'fountains.db.erased'), '')
    await chmod(path.join(cwd, 'fountains.db.erased'), 0o604)
    for (const name of ['PGPASSFILE', 'OPENFOUNTAIN_PROVIDERS']) {
      await writeFile(path.join(cwd, name), '', { mode: 0o640 })
      await setting(cwd, `${name}=${name}`)
    }
    await chmod(path.join(cwd, 'openfountain.env'), 0o664)
    await chmod(cwd, 0o770)
    const args = ['doctor', cwd, '--offline', '--secrets', secrets]
    const { code, stdout } = await openfountain(args)
    expect(code).toBe(8)
    const wrong = stdout.split('\n').flatMap((line) => /^modes +WRONG +(.*)$/u.exec(line)?.[1] ?? [])
    expect(wrong).toEqual([
      expect.stringContaining(`chmod 600 ${cwd}/fountains.db.erased`),
      expect.stringContaining(`chmod 600 ${secrets}`),
      expect.stringContaining(`chmod 600 ${cwd}/OPENFOUNTAIN_PROVIDERS`),
      expect.stringContaining(`chmod 600 ${cwd}/PGPASSFILE`),
      expect.stringContaining(`chmod go-w ${cwd}/openfountain.env`),
      expect.stringContaining(`chmod go-w ${cwd}`),
    ])
    await setting(cwd, 'OPENFOUNTAIN_SMTP_URL=smtps://ada:hunter2@mail.example')
    const again = await openfountain(args)
    expect(again.stdout).toContain(`chmod 600 ${cwd}/openfountain.env`)
    expect(stdout + again.stdout + again.stderr).not.toContain('hunter2')
  })

  test('files and folders that the services cannot use, also when root asks, whom no mode stops', async () => {
    const cwd = await healthy()
    const passwords = path.join(cwd, 'pgpass')
    await writeFile(passwords, '', { mode: 0o200 })
    await setting(cwd, `PGPASSFILE=${passwords}`)
    await chmod(path.join(cwd, 'fountains.db'), 0o400)
    await chmod(path.join(cwd, 'backups'), 0o500)
    await chmod(cwd, 0o500)
    onTestFinished(() => chmod(cwd, 0o700))
    const { code, findings } = await offline(cwd)
    expect(code).toBe(8)
    expect(findings['modes']).toEqual([
      `wrong: ${cwd}/fountains.db cannot be written by its owner: chmod u+rw ${cwd}/fountains.db`,
      `wrong: ${cwd} cannot be written by its owner: chmod u+wx ${cwd}`,
      `wrong: ${cwd}/backups cannot be written by its owner: chmod u+wx ${cwd}/backups`,
      `wrong: ${passwords} cannot be read by its owner: chmod u+r ${passwords}`,
    ])
  })

  test.runIf(process.getuid?.() === 0)('files that root has left in the folder of a service', async () => {
    const cwd = await healthy()
    await chown(cwd, 65_534, 65_534)
    expect((await offline(cwd)).findings['modes']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^wrong: .*fountains\.db cannot be written by the services, .*: chown --reference/u,
        ),
        expect.stringMatching(/^warning: .*backups cannot be written by the services,/u),
        expect.stringMatching(/^warning: .*site was published by another user .*: chown -R --reference/u),
      ]),
    )
  })

  test('a clock that is behind what was written', async () => {
    const cwd = await healthy()
    const ahead = Date.now() + 3_600_000
    const registry = await openRegistry({
      database: path.join(cwd, 'fountains.db'),
      clock: () => new Date(ahead),
    })
    await registry.waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token())
    await registry.close()
    const { code, stdout } = await openfountain(['doctor', cwd, '--offline'])
    expect(code).toBe(8)
    expect(stdout.split('\n').filter((line) => line.startsWith('clock'))).toEqual([
      expect.stringContaining(
        `WRONG    The clock is behind the newest entry of the log, of ${new Date(ahead).toISOString()}: set it`,
      ),
    ])
  })

  test('a clock that the network does not set, and a database that is none', async () => {
    const cwd = await healthy()
    const bin = await folder()
    await writeFile(path.join(bin, 'timedatectl'), '#!/bin/sh\necho no\n', { mode: 0o755 })
    await writeFile(path.join(cwd, 'fountains.db'), 'Not SQLite. '.repeat(100))
    const env = { PATH: `${bin}:${process.env['PATH']}` }
    const { stdout } = await openfountain(['doctor', cwd, '--offline'], { env })
    expect(stdout).toMatch(
      /^clock +WARNING +The clock is not set by the network: timedatectl set-ntp true$/mu,
    )
    expect(stdout).toMatch(/^database +WRONG +.*fountains\.db/mu)
  })

  test('a database that lost what guards it', async () => {
    const cwd = await healthy()
    const database = new Database(path.join(cwd, 'fountains.db'))
    database.exec('drop trigger entries_refuse_update')
    database.close()
    expect((await offline(cwd)).findings['database']).toEqual([
      expect.stringMatching(
        /^wrong: .* lacks the trigger "entries_refuse_update": make a whole one with openfountain copy$/u,
      ),
    ])
  })

  test('a backup and a publication that are too old, or are not there', async () => {
    const cwd = await healthy()
    const ago = (seconds: number): number => Date.now() / 1000 - seconds - 60
    const old = { backup: ago(limits.backupSeconds), publication: ago(limits.publicationSeconds) }
    await utimes(path.join(cwd, 'backups/fountains-1.db'), old.backup, old.backup)
    for (const name of ['site/data/SHA256SUMS', 'site'])
      await utimes(path.join(cwd, name), old.publication, old.publication)
    const aged = await offline(cwd)
    expect(aged.code).toBe(8)
    expect(aged.findings).toMatchObject({
      backup: [expect.stringMatching(/^wrong: 2 days old: run openfountain backup/u)],
      publication: [expect.stringMatching(/^wrong: 26 hours old: run openfountain publish/u)],
    })
    for (const name of ['backups', 'site']) await rm(path.join(cwd, name), { recursive: true })
    expect((await offline(cwd)).findings).toMatchObject({
      backup: [expect.stringContaining('wrong: There is none yet')],
      publication: [expect.stringContaining('wrong: There is none yet')],
    })
  })

  test('a disk without room, and a Node that gets no repairs for long', () => {
    const gigabyte = 1024 ** 3
    expect(diskFinding('/data', 2 * gigabyte, gigabyte).state).toBe('ok')
    expect(diskFinding('/data', 2 * gigabyte - 1, gigabyte)).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('2,048 MiB are needed') as string,
    })
    expect(diskFinding('/data', limits.leastBytes - 1, 0).state).toBe('wrong')
    expect(nodeFinding('v24.21.0').state).toBe('ok')
    expect(nodeFinding('v25.1.0').state).toBe('warning')
  })
})

/** A proxy before a server, which passes on what it is told to. */
async function proxyBefore(
  server: string,
  { forwards, drops = [] }: { readonly forwards: boolean; readonly drops?: readonly string[] },
): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...(forwards && { 'x-forwarded-for': '203.0.113.7' }) }
    const passed = request(new URL(incoming.url ?? '', server), { headers }, (answer: IncomingMessage) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !drops.includes(name))
      outgoing.writeHead(answer.statusCode ?? 500, Object.fromEntries(kept))
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    passed.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe('doctor asks the public address', () => {
  test('and finds a proxy that says for whom it asks as it should be', async () => {
    const { url } = await serving(['--db', ':memory:', '--metrics', 'loopback'])
    const cwd = await healthy(await proxyBefore(url, { forwards: true }))
    expect(await told([cwd], { cwd })).toEqual({ code: 0, ok: true, findings: {} })
  })

  test('and says what a proxy leaves out', async () => {
    const { url } = await serving(['--db', ':memory:', '--metrics', 'loopback'])
    const proxy = await proxyBefore(url, { forwards: false, drops: ['content-security-policy'] })
    const { code, findings } = await told([await healthy(proxy)], {})
    expect(code).toBe(8)
    expect(findings).toEqual({
      proxy: [
        `wrong: ${proxy} does not pass the header content-security-policy on: see the example of the proxy`,
        expect.stringMatching(/^wrong: The proxy does not pass the addresses of clients on/u),
      ],
    })
  })

  test('and says that it cannot be reached, or has something else', async () => {
    const nobody = await healthy('http://127.0.0.1:9')
    expect((await told([nobody], {})).findings).toEqual({
      proxy: [expect.stringMatching(/^wrong: http:\/\/127\.0\.0\.1:9 cannot be reached: /u)],
    })
    const broken = await proxyBefore('http://127.0.0.1:9', { forwards: true })
    expect((await told([await healthy(broken)], {})).findings).toEqual({
      proxy: [`wrong: ${broken}/api/health responds with 502, not with 200`],
    })
  })

  test('and says that a server behind a proxy trusts none', async () => {
    const cwd = await healthy()
    await setting(cwd, 'OPENFOUNTAIN_TRUST_PROXY=')
    expect((await offline(cwd)).findings['proxy']).toEqual([
      expect.stringMatching(/^wrong: OPENFOUNTAIN_TRUST_PROXY is not set/u),
      ...notAsked.proxy,
    ])
  })
})
