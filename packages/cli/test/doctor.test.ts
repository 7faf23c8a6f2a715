import { chmod, chown, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { token } from '@openfountain/core'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../src/doctor/finding.ts'
import { diskFinding, nodeFinding } from '../src/doctor/machine.ts'
import { portOf } from '@openfountain/testing/listening'
import { folder, openfountain, serving, workplace, type Workplace } from '@openfountain/testing/command/shell'

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

async function told(args: readonly string[], env: Record<string, string> = {}, cwd = '/'): Promise<Told> {
  const { code, stdout, stderr } = await openfountain(['doctor', ...args, '--json'], { cwd, env })
  if (stdout === '') throw new Error(stderr)
  const { ok, findings } = JSON.parse(stdout) as Findings
  const found: Record<string, string[]> = {}
  for (const { subject, state, message } of findings)
    if (state !== 'ok' && !isOfMachine(subject, state)) (found[subject] ??= []).push(`${state}: ${message}`)
  return { code, ok, findings: found }
}

/** A folder of `init` with a backup and a site, for browsers at an address. */
async function healthy(publicUrl = 'https://fountains.example'): Promise<Workplace> {
  const place = await workplace()
  await place.json(`init --public-url ${publicUrl}`)
  await place.json('backup backups/fountains-1.db --db fountains.db')
  await mkdir(place.at('site/data'), { recursive: true })
  for (const name of ['site/index.html', 'site/data/SHA256SUMS']) await writeFile(place.at(name), '')
  return place
}

/** What is said of a folder before there is a proxy. */
const offline = ({ cwd }: Workplace): Promise<Told> => told([cwd, '--offline'])

const notAsked = { proxy: ['warning: https://fountains.example was not asked, because of --offline'] }

async function setting({ at }: Workplace, line: string): Promise<void> {
  const file = at('openfountain.env')
  await writeFile(file, `${await readFile(file, 'utf8')}${line}\n`)
}

test('doctor tells people in a table, a line for each finding, and what is wrong by its exit code', async () => {
  const place = await healthy()
  expect(await offline(place)).toEqual({ code: 0, ok: true, findings: notAsked })
  await chmod(place.at('fountains.db'), 0o644)
  const { code, stdout, stderr } = await place.run(`doctor ${place.cwd} --offline`)
  expect(code).toBe(8)
  expect(stdout).toMatch(/^SUBJECT +STATE +FINDING\n/u)
  expect(stdout).toMatch(/^database +ok +.*fountains\.db: 0 entries in the log$/mu)
  expect(stdout).toMatch(/^modes +WRONG +.*chmod 600 .*fountains\.db$/mu)
  expect(stderr).toBe('One thing is not as it should be\n')
})

test('a folder that there is not is a finding, as is everything in it', async () => {
  const { code, ok, findings } = await told([path.join(await folder(), 'nowhere/lund'), '--offline'])
  expect({ code, ok }).toEqual({ code: 8, ok: false })
  expect(findings['settings']).toEqual([expect.stringMatching(/^wrong: .*not found; openfountain init/u)])
  expect(findings['database']).toEqual([expect.stringMatching(/^wrong: .*openfountain\.db/u)])
})

test('doctor reads the environment without a folder, and --db before it', async () => {
  const { at, cwd } = await healthy()
  const env = { OPENFOUNTAIN_DB: at('nowhere.db'), OPENFOUNTAIN_BACKUPS: at('backups') }
  const alone = await told(['--offline'], env)
  expect(alone.findings['database']).toEqual([expect.stringContaining('nowhere.db')])
  expect(alone.findings['backup']).toBeUndefined()
  expect(alone.findings['publication']).toEqual([expect.stringContaining('warning: Nobody knows')])
  const named = await told(['--offline', '--db', 'fountains.db'], env, cwd)
  expect(named.findings['database']).toBeUndefined()
})

describe('doctor says what is wrong with', () => {
  test('settings that no command has, or whose value no command takes, and a server behind a proxy that trusts none', async () => {
    const place = await healthy()
    await setting(place, 'OPENFOUNTAIN_RATE_LIMITS=300\nOPENFOUNTAIN_METRICS=all\nOPENFOUNTAIN_TRUST_PROXY=')
    const trusting = expect.stringMatching(/^wrong: OPENFOUNTAIN_TRUST_PROXY is not set/u) as string
    expect((await offline(place)).findings['proxy']).toEqual([trusting, ...notAsked.proxy])
    await setting(place, 'OPENFOUNTAIN_PUBLIC_URL=https://fountains.example/map')
    const { code, findings } = await offline(place)
    expect(code).toBe(8)
    expect(findings['settings']).toEqual([
      'wrong: OPENFOUNTAIN_METRICS must be one of off, loopback, everyone, not "all"',
      'wrong: OPENFOUNTAIN_PUBLIC_URL must be scheme, host and port alone: https://host',
      expect.stringMatching(/^warning: OPENFOUNTAIN_RATE_LIMITS is no setting of any command/u),
    ])
  })

  test('a declaration of custom fields that no registry opens with', async () => {
    const place = await healthy()
    await setting(place, 'OPENFOUNTAIN_PROPERTIES=fields.json')
    const settings = async () => (await offline(place)).findings['settings']
    expect(await settings()).toEqual([expect.stringMatching(/^wrong: .*fields\.json: .*not found/u)])
    const declare = (type: string) =>
      writeFile(place.at('fields.json'), `{"type":"object","properties":{"height":{"type":"${type}"}}}`)
    await declare('null')
    const wrong = /^wrong: OPENFOUNTAIN_PROPERTIES, .*: properties\.properties\.height\.type must be/u
    expect(await settings()).toEqual([expect.stringMatching(wrong)])
    await declare('number')
    expect(await settings()).toBeUndefined()
  })

  test('files with secrets that others can read, and files that others can change, but says no secret', async () => {
    const place = await healthy()
    const { at, cwd, run } = place
    const secret = 'OPENFOUNTAIN_PROVIDER_OSM_CLIENT_SECRET=hunter2\n'
    await writeFile(at('openfountain.secrets'), secret, { mode: 0o640 })
    await writeFile(at('fountains.db.erased'), '')
    await chmod(at('fountains.db.erased'), 0o604)
    for (const name of ['PGPASSFILE', 'OPENFOUNTAIN_PROVIDERS']) {
      await writeFile(at(name), '', { mode: 0o640 })
      await setting(place, `${name}=${name}`)
    }
    await chmod(at('openfountain.env'), 0o664)
    await chmod(cwd, 0o770)
    const doctor = `doctor ${cwd} --offline --secrets ${at('openfountain.secrets')}`
    const { code, stdout } = await run(doctor)
    expect(code).toBe(8)
    const wrong = stdout.split('\n').flatMap((line) => /^modes +WRONG +(.*)$/u.exec(line)?.[1] ?? [])
    const remedies = [
      ...['fountains.db.erased', 'openfountain.secrets', 'OPENFOUNTAIN_PROVIDERS', 'PGPASSFILE'].map(
        (name) => `chmod 600 ${at(name)}`,
      ),
      `chmod go-w ${at('openfountain.env')}`,
      `chmod go-w ${cwd}`,
    ]
    expect(wrong).toEqual(remedies.map((remedy) => expect.stringContaining(remedy) as string))
    await setting(place, 'OPENFOUNTAIN_SMTP_URL=smtps://ada:hunter2@mail.example')
    const again = await run(doctor)
    expect(again.stdout).toContain(`chmod 600 ${at('openfountain.env')}`)
    expect(stdout + again.stdout + again.stderr).not.toContain('hunter2')
  })

  test('files and folders that the services cannot use, also when root asks, whom no mode stops', async () => {
    const place = await healthy()
    const { at, cwd } = place
    await writeFile(at('pgpass'), '', { mode: 0o200 })
    await setting(place, `PGPASSFILE=${at('pgpass')}`)
    await chmod(at('fountains.db'), 0o400)
    for (const closed of [at('backups'), cwd]) await chmod(closed, 0o500)
    onTestFinished(() => chmod(cwd, 0o700))
    const { code, findings } = await offline(place)
    expect(code).toBe(8)
    expect(findings['modes']).toEqual([
      `wrong: ${cwd}/fountains.db cannot be written by its owner: chmod u+rw ${cwd}/fountains.db`,
      `wrong: ${cwd} cannot be written by its owner: chmod u+wx ${cwd}`,
      `wrong: ${cwd}/backups cannot be written by its owner: chmod u+wx ${cwd}/backups`,
      `wrong: ${cwd}/pgpass cannot be read by its owner: chmod u+r ${cwd}/pgpass`,
    ])
  })

  test.runIf(process.getuid?.() === 0)('files that root has left in the folder of a service', async () => {
    const place = await healthy()
    await chown(place.cwd, 65_534, 65_534)
    const { findings } = await offline(place)
    for (const modes of [
      /^wrong: .*fountains\.db cannot be written by the services, .*: chown --reference/u,
      /^warning: .*backups cannot be written by the services,/u,
      /^warning: .*site was published by another user .*: chown -R --reference/u,
    ])
      expect(findings['modes']).toContainEqual(expect.stringMatching(modes))
  })

  test('a clock that is behind what was written, or that the network does not set, and a database that is none', async () => {
    const { at, cwd, registry, run } = await healthy()
    const ahead = new Date(Date.now() + 3_600_000)
    await registry(
      ({ waypoints }) => waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token()),
      { database: at('fountains.db'), clock: () => ahead },
    )
    const behind = `The clock is behind the newest entry of the log, of ${ahead.toISOString()}: set it`
    expect((await run(`doctor ${cwd} --offline`)).stdout).toContain(`WRONG    ${behind}`)
    const bin = await folder()
    await writeFile(path.join(bin, 'timedatectl'), '#!/bin/sh\necho no\n', { mode: 0o755 })
    await writeFile(at('fountains.db'), 'Not SQLite. '.repeat(100))
    const env = { PATH: `${bin}:${process.env['PATH']}` }
    const { stdout } = await run(`doctor ${cwd} --offline`, { env })
    expect(stdout).toMatch(
      /^clock +WARNING +The clock is not set by the network: timedatectl set-ntp true$/mu,
    )
    expect(stdout).toMatch(/^database +WRONG +.*fountains\.db/mu)
  })

  test('a database that lost what guards it', async () => {
    const place = await healthy()
    const database = new Database(place.at('fountains.db'))
    database.exec('drop trigger entries_refuse_update')
    database.close()
    const lacking =
      /^wrong: .* lacks the trigger "entries_refuse_update": make a whole one with openfountain copy$/u
    expect((await offline(place)).findings['database']).toEqual([expect.stringMatching(lacking)])
  })

  test('a backup and a publication that are too old, or are not there', async () => {
    const place = await healthy()
    const ago = (seconds: number): number => Date.now() / 1000 - seconds - 60
    const [backup, publication] = [ago(limits.backupSeconds), ago(limits.publicationSeconds)]
    await utimes(place.at('backups/fountains-1.db'), backup, backup)
    for (const name of ['site/data/SHA256SUMS', 'site'])
      await utimes(place.at(name), publication, publication)
    expect(await offline(place)).toMatchObject({
      code: 8,
      findings: {
        backup: [expect.stringMatching(/^wrong: 2 days old: run openfountain backup/u)],
        publication: [expect.stringMatching(/^wrong: 26 hours old: run openfountain publish/u)],
      },
    })
    for (const name of ['backups', 'site']) await rm(place.at(name), { recursive: true })
    const none = [expect.stringContaining('wrong: There is none yet') as string]
    expect((await offline(place)).findings).toMatchObject({ backup: none, publication: none })
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

/** A proxy before a server, which says for whom it asks, or leaves that and a header out. */
async function proxyBefore(server: string, isGood = true): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...(isGood && { 'x-forwarded-for': '203.0.113.7' }) }
    const passed = request(new URL(incoming.url ?? '', server), { headers }, (answer) => {
      const { 'content-security-policy': policy, ...kept } = answer.headers
      outgoing.writeHead(
        answer.statusCode ?? 500,
        isGood ? { ...kept, 'content-security-policy': policy } : kept,
      )
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    passed.end()
  })
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${await portOf(proxy)}`
}

describe('doctor asks the public address', () => {
  test('and says what a proxy leaves out, and nothing of one that says for whom it asks', async () => {
    const { url } = await serving(['--db', ':memory:', '--metrics', 'loopback'])
    const good = await healthy(await proxyBefore(url))
    expect(await told([good.cwd])).toEqual({ code: 0, ok: true, findings: {} })
    const proxy = await proxyBefore(url, false)
    const { cwd } = await healthy(proxy)
    expect(await told([cwd])).toMatchObject({
      code: 8,
      findings: {
        proxy: [
          `wrong: ${proxy} does not pass the header content-security-policy on: see the example of the proxy`,
          expect.stringMatching(/^wrong: The proxy does not pass the addresses of clients on/u),
        ],
      },
    })
  })

  test('and says that it cannot be reached, or has something else', async () => {
    const nobody = await healthy('http://127.0.0.1:9')
    expect((await told([nobody.cwd])).findings).toEqual({
      proxy: [expect.stringMatching(/^wrong: http:\/\/127\.0\.0\.1:9 cannot be reached: /u)],
    })
    const broken = await proxyBefore('http://127.0.0.1:9')
    const { cwd } = await healthy(broken)
    expect((await told([cwd])).findings).toEqual({
      proxy: [`wrong: ${broken}/api/health responds with 502, not with 200`],
    })
  })
})
