import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ended, environment, main, workplace } from '@openfountain/testing/command/shell'

const Made = z.strictObject({
  folder: z.string(),
  database: z.string(),
  files: z.array(z.string()),
  link: z.string(),
  secret: z.string().regex(/^ofl_[\w-]{43}$/u),
  expiresAt: z.iso.datetime(),
})

const units = ['', '-publish', '-harvest', '-doctor', '-failed@', '-backup'].flatMap((name) =>
  (['', '-failed@'].includes(name) ? ['service'] : ['service', 'timer']).map(
    (kind) => `systemd/openfountain${name}.${kind}`,
  ),
)

test('a folder that init makes has database, settings, units and backups, for its owner alone whatever the umask', async () => {
  const { answer, at } = await workplace()
  const env = { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example' }
  const init = `init lund --registry-name 'Fountains of "Lund"' --moderator Ada`
  const made = await answer(Made, init, { env })
  const lund = at('lund')
  const modes: Record<string, string> = {}
  for (const name of await readdir(lund, { recursive: true }))
    modes[name] = ((await stat(at(`lund/${name}`))).mode & 0o777).toString(8)
  expect(made).toMatchObject({ folder: lund, database: at('lund/fountains.db') })
  expect(made.files).toEqual(['openfountain.env', ...units])
  expect(modes).toEqual({
    backups: '700',
    'fountains.db': '600',
    'openfountain.env': '600',
    'security.log': '600',
    systemd: '700',
    ...Object.fromEntries(units.map((name) => [name, '600'])),
  })
  expect((await stat(lund)).mode & 0o777).toBe(0o700)
  expect(parseEnv(await readFile(at('lund/openfountain.env'), 'utf8'))).toEqual({
    OPENFOUNTAIN_DB: `${lund}/fountains.db`,
    OPENFOUNTAIN_NAME: 'Fountains of "Lund"',
    OPENFOUNTAIN_AUTHOR: 'openfountain contributors',
    OPENFOUNTAIN_LICENSE: 'ODbL-1.0',
    OPENFOUNTAIN_LANGUAGE: 'en',
    OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example',
    OPENFOUNTAIN_REGISTRATION: 'invite',
    OPENFOUNTAIN_TRUST_PROXY: 'loopback',
    OPENFOUNTAIN_RATE_LIMIT: '300',
    OPENFOUNTAIN_SECURITY_LOG: `${lund}/security.log`,
    OPENFOUNTAIN_EXPORTS: `${lund}/site/data`,
    OPENFOUNTAIN_SITE: `${lund}/site`,
    OPENFOUNTAIN_PUBLISH: `--out ${lund}/site --api /api --url https://fountains.example`,
    OPENFOUNTAIN_BACKUPS: `${lund}/backups`,
    OPENFOUNTAIN_METRICS: 'loopback',
  })
  const service = await readFile(at('lund/systemd/openfountain.service'), 'utf8')
  expect(service).toContain(`\nUser=${userInfo().username}\nWorkingDirectory=${lund}\n`)
  expect(service).toContain(`\nEnvironmentFile=${lund}/openfountain.env\n`)
  expect(service).toContain(`\nReadWritePaths=${lund}\n`)
  expect(service).toMatch(/^ExecStart=\/\S+ .*main\.ts serve$/mu)
})

test('init lets people without an account say what they saw where it is told to', async () => {
  const { at, run } = await workplace()
  for (const [line, isYes] of [
    ['init lund --passers-by', true],
    ['init malmo', false],
  ] as const) {
    expect((await run(line)).code).toBe(0)
    const settings = await readFile(at(`${line.split(' ')[1]}/openfountain.env`), 'utf8')
    expect(settings.includes('\nOPENFOUNTAIN_PASSERS_BY=yes\n')).toBe(isYes)
  }
})

test.each([
  ['yes without a word', '', '\n', true],
  ['what somebody says', '', 'n\n', false],
  ['no with --json, where nobody is asked', '--json', '', false],
])(
  'on a terminal init takes %s for whether people without an account may say it',
  async (_what, option, typed, isYes) => {
    const { at, cwd } = await workplace()
    const line = `'${process.execPath}' --conditions=openfountain-source '${main}' init ${option}`
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: environment() })
    child.stdin.write(typed)
    const { code, stdout } = await ended(child)
    expect(code).toBe(0)
    expect(stdout.includes('May people without an account say')).toBe(option === '')
    const settings = parseEnv(await readFile(at('openfountain.env'), 'utf8'))
    expect(settings['OPENFOUNTAIN_PASSERS_BY']).toBe(isYes ? 'yes' : undefined)
  },
)

test('init invites a moderator by a link whose secret is in no file; without an address it trusts no proxy', async () => {
  const { at, cwd, registry, run } = await workplace()
  const { code, stdout, stderr } = await run('init --moderator Ada')
  expect(code).toBe(0)
  const [, secret = ''] = /^http:\/\/localhost:3000\/sign-in\/#(ofl_[\w-]{43})\n$/u.exec(stdout) ?? []
  expect(secret).not.toBe('')
  expect(stderr).not.toContain(secret)
  expect(stderr).toContain(`openfountain doctor ${cwd}`)
  for (const name of ['fountains.db', 'openfountain.env', 'security.log', ...units])
    expect((await readFile(at(name))).includes(secret)).toBe(false)
  await registry(
    async ({ accounts, users }) => {
      const { userId } = await accounts.redeemLink(secret)
      expect(await users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
    },
    { database: at('fountains.db') },
  )
  expect(await readFile(at('openfountain.env'), 'utf8')).not.toMatch(/TRUST_PROXY|--url/u)
})

test.each(['fountains.db', 'site'])('init writes nothing where %s is there already', async (name) => {
  const { cwd, refused } = await workplace({ [name]: 'Mine' })
  await refused('init', 2, `has ${name} already: nothing was written`)
  expect(await readdir(cwd)).toEqual([name])
})

test.each([
  ['an address with a path', '--public-url https://fountains.example/map', '--public-url'],
  ['a database that is a file', '--db mine.db', 'fountains.db in FOLDER'],
  ['a name that a file of settings cannot have', '--registry-name "Lund\'s"', 'OPENFOUNTAIN_NAME'],
  ['a name of a moderator that nobody may have', `--moderator ${'x'.repeat(1000)}`, 'name'],
  ['a folder that units cannot name', "'my fountains'", 'my fountains'],
])('init writes nothing for %s', async (_what, args, message) => {
  const { at, cwd, refused } = await workplace()
  await mkdir(at('old'))
  for (const target of args.startsWith('-') ? ['old', 'new/lund'] : ['']) {
    await refused(`init ${target} ${args}`, 2, message)
  }
  expect(await readdir(cwd, { recursive: true })).toEqual(['old'])
})
