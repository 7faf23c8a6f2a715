import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeFailure } from '../src/failure-report.ts'
import { readArguments } from '../src/options.ts'
import { readSignIn, signInOptions } from '../src/sign-in-settings.ts'
import { folder, openfountain, serving, started } from '@openfountain/testing/command/shell'

interface Outcome {
  readonly settings?: unknown
  readonly message?: string
  readonly exit?: string
  readonly warnings: string[]
}

const secret = 'hunter2-hunter2'
const site = { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example' }
const google = {
  OPENFOUNTAIN_PROVIDER_GOOGLE_CLIENT_ID: 'me',
  OPENFOUNTAIN_PROVIDER_GOOGLE_CLIENT_SECRET: secret,
}

/** What options and an environment give, or how they are refused. */
async function outcomeOf(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const warnings: string[] = []
  try {
    const publicUrl = { type: 'text', value: 'URL', env: 'OPENFOUNTAIN_PUBLIC_URL', about: '' } as const
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

describe('settings of signing in', () => {
  test('with nothing configured, whoever is invited gets an account, and nothing is missing', async () => {
    expect(await outcomeOf([])).toEqual({
      settings: { publicUrl: undefined, registration: 'invite', providers: [] },
      warnings: [],
    })
  })

  test('come from the environment, whose variables make providers of their own', async () => {
    const { settings, warnings } = await outcomeOf([], {
      ...site,
      ...google,
      OPENFOUNTAIN_REGISTRATION: 'open',
      OPENFOUNTAIN_SMTP_URL: `smtps://fountains:${secret}@mail.example`,
      OPENFOUNTAIN_MAIL_FROM: 'fountains@fountains.example',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_NAME: 'City of Lund',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_ISSUER: 'https://id.lund.example',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_KIND: 'openid',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_SCOPE: 'openid',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_CLIENT_ID: 'us',
      OPENFOUNTAIN_PROVIDER_CITY_OF_LUND_CLIENT_SECRET: 'theirs',
      OPENFOUNTAIN_PROVIDER_GITHUB_CLIENT_ID: ' ',
    })
    expect(settings).toEqual({
      publicUrl: 'https://fountains.example',
      registration: 'open',
      mail: { smtp: `smtps://fountains:${secret}@mail.example`, from: 'fountains@fountains.example' },
      providers: [
        {
          id: 'city-of-lund',
          name: 'City of Lund',
          issuer: 'https://id.lund.example',
          kind: 'openid',
          scope: 'openid',
          clientId: 'us',
          clientSecret: 'theirs',
        },
        { id: 'google', clientId: 'me', clientSecret: secret },
      ],
    })
    expect(warnings).toEqual([])
  })

  test('a variable takes precedence over the file, which can so be without secrets', async () => {
    const file = await fileOf(
      '[{ "id": "openstreetmap", "clientId": "a" }, { "id": "google", "clientId": "b" }]',
    )
    const { settings } = await outcomeOf(['--providers', file], {
      ...site,
      ...google,
      OPENFOUNTAIN_PROVIDER_OPENSTREETMAP_CLIENT_SECRET: secret,
    })
    expect(settings).toMatchObject({
      providers: [
        { id: 'openstreetmap', clientId: 'a', clientSecret: secret },
        { id: 'google', clientId: 'me', clientSecret: secret },
      ],
    })
  })

  const mail = ['--smtp', 'smtp://localhost', '--mail-from', 'a@example.org']
  test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [['--registration', 'everyone'], {}, '--registration must be one of open, invite, closed'],
    [['--smtp', 'smtp://localhost'], site, '--mail-from is missing'],
    [['--mail-from', 'a@example.org'], site, '--mail-from has no effect without a mail server'],
    [mail, {}, '--public-url is missing: --smtp needs the address'],
    [mail, google, '--public-url is missing: --smtp and provider "google" need the address'],
    [
      [],
      { ...site, OPENFOUNTAIN_PROVIDER_GOOGLE_CLIENT_ID: 'me' },
      'set OPENFOUNTAIN_PROVIDER_GOOGLE_CLIENT_SECRET',
    ],
    [
      [],
      { ...site, OPENFOUNTAIN_PROVIDER_CITY_LOGIN_CLIENT_SECRET: secret },
      'set OPENFOUNTAIN_PROVIDER_CITY_LOGIN_CLIENT_ID',
    ],
    [
      [],
      { ...site, OPENFOUNTAIN_PROVIDER_GOOGLE_SECRET: secret },
      'OPENFOUNTAIN_PROVIDER_GOOGLE_SECRET is not known',
    ],
  ])('%j with %j is refused', async (args, env, message) => {
    const refused = await outcomeOf(args, env)
    expect(refused.exit).toBe('usage')
    expect(refused.message).toContain(message)
    expect(refused.message).not.toContain(secret)
  })

  test.each([
    [`[{ "id": "google", "clientId": "me", "clientSecret": "${secret}" `, 'is not JSON'],
    [`{ "id": "google", "clientSecret": "${secret}" }`, 'must be a list'],
    [`["${secret}"]`, '[0] must be an object'],
    [`[{ "id": "${secret}!" }]`, '[0].id must be a word of small letters'],
    [`[{ "id": "google", "secret": "${secret}" }]`, '[0] (google) has "secret", which is not known'],
    [`[{ "id": "google", "clientSecret": ["${secret}"] }]`, '[0].clientSecret (google) must be a text'],
    [`[{ "id": "google", "clientSecret": "${secret}" }]`, 'provider "google" has no clientId'],
  ])('a file of providers %s is refused without repeating a secret', async (text, message) => {
    const refused = await outcomeOf(['--providers', await fileOf(text)], site)
    expect(refused.exit).toBe('usage')
    expect(refused.message).toContain(message)
    expect(refused.message).not.toContain(secret)
  })

  test('a file of providers that is not there is named', async () => {
    expect(await outcomeOf(['--providers', 'nowhere.json'], site)).toMatchObject({
      exit: 'notFound',
      message: '--providers nowhere.json not found',
    })
  })

  test.skipIf(process.platform === 'win32')('what others on the machine can read is warned of', async () => {
    const text = `[{ "id": "google", "clientId": "me", "clientSecret": "${secret}" }]`
    const file = await fileOf(text, 0o644)
    const smtp = ['--smtp', `smtp://a:${secret}@mail.example`, '--mail-from', 'a@example.org']
    const { warnings } = await outcomeOf([...smtp, '--providers', file], site)
    expect(warnings).toEqual([
      '--smtp: every user of this machine can read the password; give it by OPENFOUNTAIN_SMTP_URL instead',
      `--providers: every user of this machine can read ${file}; run chmod 600 ${file}`,
    ])
    expect((await outcomeOf(['--providers', await fileOf(text)], site)).warnings).toEqual([])
  })
})

describe('openfountain serve', () => {
  test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [['--smtp', 'smtp://localhost'], site, '--mail-from is missing'],
    [
      ['--smtp', 'https://localhost', '--mail-from', 'a@example.org'],
      site,
      '--smtp must be the address of a mail server',
    ],
    [['--smtp', 'smtp://localhost', '--mail-from', 'nobody'], site, '--mail-from must be an address'],
    [['--public-url', 'https://example.org/map'], {}, '--public-url must be'],
    [
      [],
      {
        ...site,
        OPENFOUNTAIN_PROVIDER_CITY_LOGIN_CLIENT_ID: 'us',
        OPENFOUNTAIN_PROVIDER_CITY_LOGIN_CLIENT_SECRET: secret,
        OPENFOUNTAIN_PROVIDER_CITY_LOGIN_NAME: 'City',
        OPENFOUNTAIN_PROVIDER_CITY_LOGIN_ISSUER: 'http://id.example',
      },
      'set OPENFOUNTAIN_PROVIDER_CITY_LOGIN_ISSUER, or change the file',
    ],
  ])('refuses %j with %j before it creates anything', async (args, env, message) => {
    const cwd = await folder()
    const refused = await openfountain(['serve', ...args], { cwd, env })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(message)
    expect(refused.stderr).not.toContain(secret)
    expect(await readdir(cwd)).toEqual([])
  })

  test('has its secrets neither among the processes nor in its output, its responses, or any file', async () => {
    const cwd = await folder()
    const text = `[{ "id": "openstreetmap", "clientId": "me", "clientSecret": "${secret}-of-the-file" }]`
    const providers = await fileOf(text)
    const env = {
      ...site,
      ...google,
      OPENFOUNTAIN_SMTP_URL: `smtps://fountains:${secret}@127.0.0.1:9`,
      OPENFOUNTAIN_MAIL_FROM: 'Fountains <fountains@fountains.example>',
      OPENFOUNTAIN_PROVIDERS: providers,
      OPENFOUNTAIN_DEBUG: '1',
    }
    const server = await serving(['--security-log', 'security.log'], { cwd, env })
    const described = await (await fetch(`${server.url}/api/auth`)).text()
    expect(JSON.parse(described)).toMatchObject({
      methods: ['passkey', 'code', 'provider', 'link'],
      providers: [
        { id: 'openstreetmap', name: 'OpenStreetMap' },
        { id: 'google', name: 'Google' },
      ],
      registration: 'invite',
    })
    const shown = [described]
    if (process.platform === 'linux') {
      const processes = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))
      for (const id of processes) shown.push(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
      expect(shown.join('\n')).toContain('main.ts')
    }
    const { stdout, stderr } = await server.stop()
    shown.push(stdout, stderr)
    for (const file of await readdir(cwd)) shown.push(await readFile(path.join(cwd, file), 'latin1'))
    expect(shown.filter((one) => one.includes(secret))).toEqual([])
  })

  test.each([
    ['http://127.0.0.1:3000', 'use http://localhost'],
    ['https://192.0.2.7', 'a domain with HTTPS'],
    ['http://fountains.example', 'serve it with HTTPS'],
  ])('warns at %s, where no passkey works, and serves all the same', async (address, remedy) => {
    const { child, end } = started(['serve', '--port', '0', '--db', ':memory:', '--public-url', address])
    let printed = ''
    child.stderr?.on('data', (output: string) => {
      printed += output
      if (output.includes('Serving')) child.kill('SIGTERM')
    })
    const { code } = await end
    expect(code).toBe(0)
    expect(printed).toContain('there are no passkeys')
    expect(printed).toContain(remedy)
  })
})
