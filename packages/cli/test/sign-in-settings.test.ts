import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeFailure } from '../src/failure-report.ts'
import { readArguments } from '../src/options.ts'
import { readSignIn, signInOptions } from '../src/sign-in-settings.ts'
import { folder, started, workplace } from '@openfountain/testing/command/shell'

interface Outcome {
  readonly settings?: unknown
  readonly message?: string
  readonly exit?: string
  readonly warnings: string[]
}

type Environment = Readonly<Record<string, string>>

const secret = 'hunter2-hunter2'
const site = { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example' }

const provider = (id: string, settings: Environment): Environment =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [`OPENFOUNTAIN_PROVIDER_${id}_${key}`, value]),
  )
const google = provider('GOOGLE', { CLIENT_ID: 'me', CLIENT_SECRET: secret })

async function outcomeOf(line: string, env: Environment = {}): Promise<Outcome> {
  const warnings: string[] = []
  try {
    const publicUrl = { type: 'text', value: 'URL', env: 'OPENFOUNTAIN_PUBLIC_URL', about: '' } as const
    const args = line.split(' ').filter((word) => word !== '')
    const { values } = readArguments(args, { ...signInOptions, 'public-url': publicUrl }, [], env)
    const given = values as unknown as Parameters<typeof readSignIn>[0]
    return { settings: await readSignIn(given, env, (text) => warnings.push(text)), warnings }
  } catch (error) {
    const { message, exit } = describeFailure(error)
    return { message, exit, warnings }
  }
}

async function fileOf(text: string, mode = 0o600): Promise<string> {
  const file = path.join(await folder(), 'providers.json')
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

test('settings of signing in come from the environment, whose variables make providers of their own; without any, whoever is invited gets an account', async () => {
  expect(await outcomeOf('')).toEqual({
    settings: { publicUrl: undefined, registration: 'invite', providers: [] },
    warnings: [],
  })
  const [name, issuer] = ['City of Lund', 'https://id.lund.example']
  const cityOfLund = { id: 'city-of-lund', name, issuer, kind: 'openid', scope: 'openid' }
  const city = { NAME: name, ISSUER: issuer, KIND: 'openid', SCOPE: 'openid' }
  const { settings, warnings } = await outcomeOf('', {
    ...site,
    ...google,
    OPENFOUNTAIN_REGISTRATION: 'open',
    OPENFOUNTAIN_SMTP_URL: `smtps://fountains:${secret}@mail.example`,
    OPENFOUNTAIN_MAIL_FROM: 'fountains@fountains.example',
    ...provider('CITY_OF_LUND', { ...city, CLIENT_ID: 'us', CLIENT_SECRET: 'theirs' }),
    ...provider('GITHUB', { CLIENT_SECRET: secret }),
    ...provider('OPENSTREETMAP', { CLIENT_ID: ' ' }),
    OPENFOUNTAIN_PROVIDERS: await fileOf(
      '[{ "id": "github", "clientId": "a" }, { "id": "google", "clientId": "b" }]',
    ),
  })
  expect(settings).toEqual({
    publicUrl: 'https://fountains.example',
    registration: 'open',
    mail: { smtp: `smtps://fountains:${secret}@mail.example`, from: 'fountains@fountains.example' },
    providers: expect.arrayContaining([
      { ...cityOfLund, clientId: 'us', clientSecret: 'theirs' },
      { id: 'github', clientId: 'a', clientSecret: secret },
      { id: 'google', clientId: 'me', clientSecret: secret },
    ]) as unknown,
  })
  expect(warnings).toEqual([])
})

const mail = '--smtp smtp://localhost --mail-from a@example.org'
test.each<[line: string, Environment, message: string]>([
  ['--registration everyone', {}, '--registration must be one of open, invite, closed'],
  ['--smtp smtp://localhost', site, '--mail-from is missing'],
  ['--mail-from a@example.org', site, '--mail-from has no effect without a mail server'],
  [mail, google, '--public-url is missing: --smtp and provider "google" need the address'],
  [
    '',
    { ...site, ...provider('GOOGLE', { CLIENT_ID: 'me' }) },
    'set OPENFOUNTAIN_PROVIDER_GOOGLE_CLIENT_SECRET',
  ],
  ['', { ...site, ...provider('GOOGLE', { SECRET: secret }) }, 'PROVIDER_GOOGLE_SECRET is not known'],
])('%j with %j is refused', async (line, env, message) => {
  const refused = await outcomeOf(line, env)
  expect(refused.exit).toBe('usage')
  expect(refused.message).toContain(message)
  expect(refused.message).not.toContain(secret)
})

test.each([
  [`[{ "id": "google", "clientId": "me", "clientSecret": "${secret}" `, 'is not JSON'],
  [`["${secret}"]`, '[0] must be an object'],
  [`[{ "id": "google", "secret": "${secret}" }]`, '[0] (google) has "secret", which is not known'],
  [`[{ "id": "google", "clientSecret": "${secret}" }]`, 'provider "google" has no clientId'],
])('a file of providers %s is refused without repeating a secret', async (text, message) => {
  const refused = await outcomeOf(`--providers ${await fileOf(text)}`, site)
  expect(refused).toMatchObject({ exit: 'usage', message: expect.stringContaining(message) as string })
  expect(refused.message).not.toContain(secret)
})

test('a file of providers that is not there is named, and what others on the machine can read is warned of', async () => {
  expect(await outcomeOf('--providers nowhere.json', site)).toMatchObject({
    exit: 'notFound',
    message: '--providers nowhere.json not found',
  })
  if (process.platform === 'win32') return
  const text = `[{ "id": "google", "clientId": "me", "clientSecret": "${secret}" }]`
  const file = await fileOf(text, 0o644)
  const smtp = `--smtp smtp://a:${secret}@mail.example --mail-from a@example.org`
  expect((await outcomeOf(`${smtp} --providers ${file}`, site)).warnings).toEqual([
    '--smtp: every user of this machine can read the password; give it by OPENFOUNTAIN_SMTP_URL instead',
    `--providers: every user of this machine can read ${file}; run chmod 600 ${file}`,
  ])
  expect((await outcomeOf(`--providers ${await fileOf(text)}`, site)).warnings).toEqual([])
})

const issuer = { CLIENT_ID: 'us', CLIENT_SECRET: secret, NAME: 'City', ISSUER: 'http://id.example' }
test.each<[line: string, Environment, message: string]>([
  ['--smtp https://localhost --mail-from a@example.org', site, '--smtp must be the address of a mail server'],
  ['--public-url https://example.org/map', {}, '--public-url must be'],
  ['', { ...site, ...provider('CITY', issuer) }, 'set OPENFOUNTAIN_PROVIDER_CITY_ISSUER, or change the file'],
])('serve refuses %j with %j before it creates anything', async (line, env, message) => {
  const { cwd, run } = await workplace()
  const refused = await run(`serve ${line}`, { env })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain(message)
  expect(refused.stderr).not.toContain(secret)
  expect(await readdir(cwd)).toEqual([])
})

test('serve has its secrets neither among the processes nor in its output, its responses, or any file', async () => {
  const { at, cwd, serving } = await workplace()
  const ofFile = `[{ "id": "openstreetmap", "clientId": "me", "clientSecret": "${secret}-of-the-file" }]`
  const env = {
    ...site,
    ...google,
    OPENFOUNTAIN_SMTP_URL: `smtps://fountains:${secret}@127.0.0.1:9`,
    OPENFOUNTAIN_MAIL_FROM: 'Fountains <fountains@fountains.example>',
    OPENFOUNTAIN_PROVIDERS: await fileOf(ofFile),
    OPENFOUNTAIN_DEBUG: '1',
  }
  const server = await serving('--security-log security.log', { env })
  const described = await (await fetch(`${server.url}/api/auth`)).text()
  expect(JSON.parse(described)).toMatchObject({
    methods: ['passkey', 'code', 'provider', 'link'],
    providers: [{ name: 'OpenStreetMap' }, { name: 'Google' }],
    registration: 'invite',
  })
  const shown = [described]
  if (process.platform === 'linux') {
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))
    for (const id of processes) shown.push(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
    expect(shown.join('\n')).toContain('main.ts')
  }
  const { stdout, stderr } = await server.stop()
  for (const file of await readdir(cwd)) shown.push(await readFile(at(file), 'latin1'))
  expect([...shown, stdout, stderr].filter((one) => one.includes(secret))).toEqual([])
})

test('serve warns of an address at which no passkey works, and serves all the same', async () => {
  const address = 'http://fountains.example'
  const { child, end } = started(['serve', '--port', '0', '--db', ':memory:', '--public-url', address])
  child.stderr?.on('data', (output: string) => {
    if (output.includes('Serving')) child.kill('SIGTERM')
  })
  const { code, stderr } = await end
  expect(code).toBe(0)
  expect(stderr).toMatch(/there are no passkeys.*serve it with HTTPS/u)
})
