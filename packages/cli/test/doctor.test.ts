import { createHash } from 'node:crypto'
import { appendFile, chmod, chown, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { token } from '@openfountain/core'
import { openPhotos } from '@openfountain/photos'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../src/doctor/finding.ts'
import { diskFinding, nodeFinding } from '../src/doctor/machine.ts'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { listening, portOf } from '@openfountain/testing/listening'
import { folder, openfountain, serving, workplace, type Workplace } from '@openfountain/testing/command/shell'

interface Report {
  readonly ok: boolean
  readonly findings: readonly { readonly subject: string; readonly state: string; readonly message: string }[]
}

/** Warnings and errors by subject, without those that depend on the test's machine. */
async function findingsOf(args: readonly string[], env: Record<string, string> = {}, cwd = '/') {
  const { code, stdout, stderr } = await openfountain(['doctor', ...args, '--json'], { cwd, env })
  if (stdout === '') throw new Error(stderr)
  const { ok, findings } = JSON.parse(stdout) as Report
  const found: Record<string, string[]> = {}
  for (const { subject, state, message } of findings)
    if (state !== 'ok' && !['node', 'disk'].includes(subject) && (subject !== 'clock' || state === 'wrong'))
      (found[subject] ??= []).push(`${state}: ${message}`)
  return { code, ok, findings: found }
}

async function healthy(publicUrl = 'https://fountains.example'): Promise<Workplace> {
  const place = await workplace()
  await place.json(`init --public-url ${publicUrl}`)
  await place.json('backup backups/fountains-1.db --db fountains.db')
  await mkdir(place.at('site/data'), { recursive: true })
  for (const name of ['site/index.html', 'site/data/SHA256SUMS']) await writeFile(place.at(name), '')
  return place
}

const offline = ({ cwd }: Workplace) => findingsOf([cwd, '--offline'])

const notAsked = /^warning: https:\/\/fountains\.example was not asked, because of --offline$/u

const matching = (said: Readonly<Record<string, readonly RegExp[]>>) =>
  Object.fromEntries(
    Object.entries(said).map(([subject, lines]) => [
      subject,
      lines.map((line) => expect.stringMatching(line) as string),
    ]),
  )

type Change = (place: Workplace) => Promise<unknown>

const setting =
  (...lines: string[]): Change =>
  ({ at }) =>
    appendFile(at('openfountain.env'), lines.map((line) => `${line}\n`).join(''))

const declaring =
  (type: string): Change =>
  async (place) => {
    await setting('OPENFOUNTAIN_PROPERTIES=fields.json')(place)
    await writeFile(place.at('fields.json'), `{"type":"object","properties":{"height":{"type":"${type}"}}}`)
  }

test('doctor tells people in a table, a line for each finding, and what is wrong by its exit code', async () => {
  const place = await healthy()
  await declaring('number')(place)
  expect(await offline(place)).toEqual({ code: 0, ok: true, findings: matching({ proxy: [notAsked] }) })
  await chmod(place.at('fountains.db'), 0o644)
  const { code, stdout, stderr } = await place.run(`doctor ${place.cwd} --offline`)
  expect(code).toBe(8)
  expect(stdout).toMatch(/^SUBJECT +STATE +FINDING\n/u)
  expect(stdout).toMatch(/^database +ok +.*fountains\.db: 0 entries in the log$/mu)
  expect(stdout).toMatch(/^modes +WRONG +.*chmod 600 .*fountains\.db$/mu)
  expect(stderr).toBe('One thing is not as it should be\n')
})

test('a folder that there is not is a finding, and without one doctor reads the environment, and --db before it', async () => {
  const nowhere = await findingsOf([path.join(await folder(), 'nowhere/lund'), '--offline'])
  expect(nowhere).toMatchObject({
    code: 8,
    ok: false,
    findings: matching({
      settings: [/^wrong: .*not found; openfountain init/u],
      database: [/^wrong: .*openfountain\.db/u],
    }),
  })
  const { at, cwd } = await healthy()
  const env = { OPENFOUNTAIN_DB: at('nowhere.db'), OPENFOUNTAIN_BACKUPS: at('backups') }
  const { findings } = await findingsOf(['--offline'], env)
  expect(findings).toMatchObject(
    matching({ database: [/nowhere\.db/u], publication: [/warning: Nobody knows/u] }),
  )
  expect(findings['backup']).toBeUndefined()
  const named = await findingsOf(['--offline', '--db', 'fountains.db'], env, cwd)
  expect(named.findings['database']).toBeUndefined()
})

const ago = (seconds: number): number => Date.now() / 1000 - seconds - 60

test('doctor says what is wrong with settings, declarations, database, clock, backup and publication', async () => {
  const place = await healthy()
  const { at, registry } = place
  const ahead = { database: at('fountains.db'), clock: () => new Date(Date.now() + 3_600_000) }
  const square = { name: 'Square', latitude: 55, longitude: 13 }
  await registry(({ waypoints }) => waypoints.create(square, token()), ahead)
  const database = new Database(at('fountains.db'))
  database.exec('drop trigger entries_refuse_update')
  database.close()
  await setting(
    'OPENFOUNTAIN_RATE_LIMITS=300',
    'OPENFOUNTAIN_METRICS=all',
    'OPENFOUNTAIN_TRUST_PROXY=',
  )(place)
  await declaring('null')(place)
  const [backup, publication] = [ago(limits.backupSeconds), ago(limits.publicationSeconds)]
  await utimes(at('backups/fountains-1.db'), backup, backup)
  for (const name of ['site/data/SHA256SUMS', 'site']) await utimes(at(name), publication, publication)
  expect(await offline(place)).toEqual({
    code: 8,
    ok: false,
    findings: matching({
      settings: [
        /^wrong: OPENFOUNTAIN_METRICS must be one of off, loopback, everyone, not "all"$/u,
        /^wrong: OPENFOUNTAIN_PROPERTIES, .*: properties\.properties\.height\.type must be/u,
        /^warning: OPENFOUNTAIN_RATE_LIMITS is no setting of any command/u,
      ],
      database: [/^wrong: .* lacks the trigger "entries_refuse_update": .* with openfountain copy$/u],
      clock: [/^wrong: The clock is behind the newest entry of the log, of \S+Z: set it$/u],
      backup: [/^wrong: 2 days old: run openfountain backup/u],
      publication: [/^wrong: 26 hours old: run openfountain publish/u],
      proxy: [/^wrong: OPENFOUNTAIN_TRUST_PROXY is not set/u, notAsked],
    }),
  })
  await writeFile(at('fountains.db'), 'Not SQLite. '.repeat(100))
  for (const name of ['backups', 'site', 'fields.json']) await rm(at(name), { recursive: true })
  await setting('OPENFOUNTAIN_PUBLIC_URL=https://fountains.example/map')(place)
  const none = [/^wrong: There is none yet/u]
  const settings = [
    /^wrong: .*fields\.json: .*not found/u,
    /^wrong: OPENFOUNTAIN_PUBLIC_URL must be scheme, host and port alone: https:\/\/host$/u,
  ]
  const { findings } = await offline(place)
  expect(findings).toMatchObject(
    matching({ database: [/^wrong: .*fountains\.db/u], backup: none, publication: none }),
  )
  for (const line of settings) expect(findings['settings']).toContainEqual(expect.stringMatching(line))
})

test('doctor names files and folders that the services cannot use, also when root asks, whom no mode stops', async () => {
  const place = await healthy()
  const { at, cwd } = place
  await writeFile(at('pgpass'), '', { mode: 0o200 })
  await setting(`PGPASSFILE=${at('pgpass')}`)(place)
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

test('doctor names files with secrets that others can read, and files that others can change, but says no secret', async () => {
  const place = await healthy()
  const { at, cwd, run } = place
  const secret = 'OPENFOUNTAIN_PROVIDER_OSM_CLIENT_SECRET=hunter2\n'
  await writeFile(at('openfountain.secrets'), secret, { mode: 0o640 })
  await writeFile(at('fountains.db.erased'), '')
  await chmod(at('fountains.db.erased'), 0o604)
  for (const name of ['PGPASSFILE', 'OPENFOUNTAIN_PROVIDERS']) {
    await writeFile(at(name), '', { mode: 0o640 })
    await setting(`${name}=${name}`)(place)
  }
  await chmod(at('openfountain.env'), 0o664)
  await chmod(cwd, 0o770)
  const doctor = `doctor ${cwd} --offline --secrets ${at('openfountain.secrets')}`
  const { code, stdout } = await run(doctor)
  expect(code).toBe(8)
  const wrong = stdout.split('\n').flatMap((line) => /^modes +WRONG +(.*)$/u.exec(line)?.[1] ?? [])
  const secrets = ['fountains.db.erased', 'openfountain.secrets', 'OPENFOUNTAIN_PROVIDERS', 'PGPASSFILE']
  const others = [at('openfountain.env'), cwd].map((name) => `chmod go-w ${name}`)
  const remedies = [...secrets.map((name) => `chmod 600 ${at(name)}`), ...others]
  expect(wrong).toEqual(remedies.map((remedy) => expect.stringContaining(remedy) as string))
  await setting('OPENFOUNTAIN_SMTP_URL=smtps://ada:hunter2@mail.example')(place)
  const again = await run(doctor)
  expect(again.stdout).toContain(`chmod 600 ${at('openfountain.env')}`)
  expect(stdout + again.stdout + again.stderr).not.toContain('hunter2')
})

test.runIf(process.getuid?.() === 0)(
  'doctor names files that root has left in the folder of a service',
  async () => {
    const place = await healthy()
    await chown(place.cwd, 65_534, 65_534)
    const { findings } = await offline(place)
    for (const modes of [
      /^wrong: .*fountains\.db cannot be written by the services, .*: chown --reference/u,
      /^warning: .*backups cannot be written by the services,/u,
      /^warning: .*site was published by another user .*: chown -R --reference/u,
    ])
      expect(findings['modes']).toContainEqual(expect.stringMatching(modes))
  },
)

test('doctor warns of a clock that the network does not set, a disk without room, and a Node that gets no repairs for long', async () => {
  const { cwd, run } = await healthy()
  const bin = await folder()
  await writeFile(path.join(bin, 'timedatectl'), '#!/bin/sh\necho no\n', { mode: 0o755 })
  const { stdout } = await run(`doctor ${cwd} --offline`, { env: { PATH: `${bin}:${process.env['PATH']}` } })
  expect(stdout).toMatch(/^clock +WARNING +The clock is not set by the network: timedatectl set-ntp true$/mu)
  const gigabyte = 1024 ** 3
  expect(diskFinding('/data', 2 * gigabyte, gigabyte).state).toBe('ok')
  expect(diskFinding('/data', 2 * gigabyte - 1, gigabyte)).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('2,048 MiB are needed') as string,
  })
  expect(diskFinding('/data', limits.leastBytes - 1, 0).state).toBe('wrong')
  expect(['v24.21.0', 'v25.1.0'].map((version) => nodeFinding(version).state)).toEqual(['ok', 'warning'])
})

/** A proxy in front of a server; a bad one omits the forwarded address and a header. */
async function proxyBefore(server: string, isGood = true): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...(isGood && { 'x-forwarded-for': '203.0.113.7' }) }
    const passed = request(new URL(incoming.url ?? '', server), { headers }, (answer) => {
      const { 'content-security-policy': policy, ...kept } = answer.headers
      const status = answer.statusCode ?? 500
      outgoing.writeHead(status, isGood ? { ...kept, 'content-security-policy': policy } : kept)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    passed.end()
  })
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${await portOf(proxy)}`
}

test('doctor asks the public address, and says what a proxy leaves out, and nothing of one that says for whom it asks', async () => {
  const { url } = await serving(['--db', ':memory:', '--metrics', 'loopback'])
  const found = async (address: string) => findingsOf([(await healthy(address)).cwd])
  expect(await found(await proxyBefore(url))).toEqual({ code: 0, ok: true, findings: {} })
  const without = [
    /^wrong: .* does not pass the header content-security-policy on: see the example of the proxy$/u,
    /^wrong: The proxy does not pass the addresses of clients on/u,
  ]
  const expected = { code: 8, findings: matching({ proxy: without }) }
  expect(await found(await proxyBefore(url, false))).toMatchObject(expected)
  const unreachable = 'http://127.0.0.1:9'
  const away = matching({ proxy: [/^wrong: http:\/\/127\.0\.0\.1:9 cannot be reached: /u] })
  expect(await found(unreachable)).toMatchObject({ findings: away })
  const other = matching({ proxy: [/^wrong: .*\/api\/health responds with 502, not with 200$/u] })
  expect(await found(await proxyBefore(unreachable))).toMatchObject({ findings: other })
})

test('doctor says which files of photos are missing or left over, and who may read them', async () => {
  const place = await healthy()
  const folder = place.at('fountains.photos')
  const { storage } = openPhotos(folder)
  const make = photosInMemory().make
  await place.registry(
    async ({ waypoints, photos }) => {
      const { id } = await waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token())
      await photos.create(id, picture('a'), {}, token())
    },
    { database: place.at('fountains.db'), photos: { storage, make } },
  )
  expect((await offline(place)).findings['photos']).toBeUndefined()
  const [{ sha256 = '' } = {}] = await Array.fromAsync(storage.list())
  await storage.delete(sha256)
  const left = Buffer.from('left over')
  const name = createHash('sha256').update(left).digest('hex')
  await storage.put({ sha256: name, bytes: left })
  await utimes(path.join(folder, name.slice(0, 2), `${name}.webp`), 0, 0)
  await chmod(folder, 0o755)
  expect(await offline(place)).toMatchObject({
    code: 8,
    findings: matching({
      photos: [
        /^wrong: 1 of 3 files are missing in .*log verify --photos/u,
        /^warning: 1 files .*photo sweep/u,
      ],
      modes: [/^wrong: .*chmod 700 .*fountains\.photos$/u],
    }),
  })
  await setting('OPENFOUNTAIN_PHOTOS=s3://photos/lund?endpoint=http://127.0.0.1:9')(place)
  expect((await offline(place)).findings['photos']).toEqual([expect.stringMatching(/AWS_ACCESS_KEY_ID/u)])
})

test('the operator is told by mail or a signed webhook what is wrong, or that a unit failed, and nothing when all is well', async () => {
  const server = await mailServer()
  const place = await healthy()
  const env = {
    OPENFOUNTAIN_OPERATOR: 'operator@example.org',
    OPENFOUNTAIN_SMTP_URL: server.url,
    OPENFOUNTAIN_MAIL_FROM: 'Fountains <fountains@example.org>',
  }
  const tell = (more: readonly string[] = [], given: Record<string, string> = env) =>
    openfountain(['doctor', place.cwd, '--offline', '--tell', ...more], { cwd: '/', env: given })
  await tell(['--failed', 'openfountain-backup'])
  const failed = await server.next('operator@example.org')
  expect(failed.headers.get('subject')).toContain('openfountain-backup failed')
  expect(failed.text).toContain('journalctl -u openfountain-backup says why')
  await rm(place.at('backups'), { recursive: true })
  expect((await tell()).code).toBe(8)
  const wrong = await server.next('operator@example.org')
  expect(wrong.headers.get('subject')).toContain('needs attention')
  expect(wrong.text).toMatch(/^backup +WRONG/mu)
  expect(wrong.text).not.toMatch(/^database/mu)
  const { OPENFOUNTAIN_OPERATOR: _nobody, ...without } = env
  expect((await tell([], without)).stderr).toContain('Nobody is told')
  const got: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const program = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  const webhook = {
    OPENFOUNTAIN_OPERATOR_WEBHOOK: `http://127.0.0.1:${await listening(program)}/`,
    OPENFOUNTAIN_WEBHOOKS_INSECURE: '1',
  }
  await tell(['--failed', 'openfountain-publish'], webhook)
  const secret = await openfountain(['webhook', 'secret', '--db', place.at('fountains.db')])
  const told = new Webhook(secret.stdout.trim()).verify(
    got[0]?.body ?? '',
    got[0]?.headers as Record<string, string>,
  ) as { readonly type: string; readonly data: object }
  expect([told.type, got.length]).toEqual(['operation', 1])
  expect(told.data).toMatchObject({ failed: 'openfountain-publish', findings: [{ subject: 'backup' }] })
  const away = { ...env, OPENFOUNTAIN_SMTP_URL: 'smtp://127.0.0.1:1' }
  expect((await tell([], away)).stderr).toContain('The operator was not told')
  expect(server.mails).toHaveLength(2)
})
