import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { openRegistry } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from '@openfountain/testing/command/shell'

const Made = z.strictObject({
  folder: z.string(),
  database: z.string(),
  files: z.array(z.string()),
  link: z.string(),
  secret: z.string().regex(/^ofl_[\w-]{43}$/u),
  expiresAt: z.iso.datetime(),
})

const units = [
  'systemd/openfountain.service',
  'systemd/openfountain-publish.service',
  'systemd/openfountain-publish.timer',
  'systemd/openfountain-backup.service',
  'systemd/openfountain-backup.timer',
]

/** What is in a folder, with the modes of all. */
async function modesIn(made: string): Promise<Record<string, string>> {
  const names = (await readdir(made, { recursive: true })).toSorted()
  const modes = names.map(async (name) => [
    name,
    ((await stat(path.join(made, name))).mode & 0o777).toString(8),
  ])
  return Object.fromEntries((await Promise.all(modes)) as [string, string][])
}

describe('a folder that init makes', () => {
  test('has database, settings, units and backups, for its owner alone whatever the umask', async () => {
    const cwd = await folder()
    const args = ['init', 'lund', '--registry-name', 'Fountains of "Lund"', '--moderator', 'Ada']
    const made = await answered(Made, args, {
      cwd,
      env: { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example' },
    })
    const lund = path.join(cwd, 'lund')
    expect(made).toMatchObject({ folder: lund, database: path.join(lund, 'fountains.db') })
    expect(made.files).toEqual(['openfountain.env', ...units])
    expect(await modesIn(lund)).toEqual({
      backups: '700',
      'fountains.db': '600',
      'openfountain.env': '600',
      'security.log': '600',
      systemd: '700',
      ...Object.fromEntries(units.map((name) => [name, '600'])),
    })
    expect((await stat(lund)).mode & 0o777).toBe(0o700)
    expect(parseEnv(await readFile(path.join(lund, 'openfountain.env'), 'utf8'))).toEqual({
      OPENFOUNTAIN_DB: path.join(lund, 'fountains.db'),
      OPENFOUNTAIN_NAME: 'Fountains of "Lund"',
      OPENFOUNTAIN_AUTHOR: 'openfountain contributors',
      OPENFOUNTAIN_LICENSE: 'ODbL-1.0',
      OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example',
      OPENFOUNTAIN_REGISTRATION: 'invite',
      OPENFOUNTAIN_TRUST_PROXY: 'loopback',
      OPENFOUNTAIN_RATE_LIMIT: '300',
      OPENFOUNTAIN_SECURITY_LOG: path.join(lund, 'security.log'),
      OPENFOUNTAIN_EXPORTS: path.join(lund, 'site/data'),
      OPENFOUNTAIN_SITE: path.join(lund, 'site'),
      OPENFOUNTAIN_PUBLISH: `--out ${path.join(lund, 'site')} --api /api --url https://fountains.example`,
      OPENFOUNTAIN_BACKUPS: path.join(lund, 'backups'),
      OPENFOUNTAIN_METRICS: 'loopback',
    })
    const service = await readFile(path.join(lund, 'systemd/openfountain.service'), 'utf8')
    expect(service).toContain(`\nUser=${userInfo().username}\nWorkingDirectory=${lund}\n`)
    expect(service).toContain(`\nEnvironmentFile=${lund}/openfountain.env\n`)
    expect(service).toContain(`\nReadWritePaths=${lund}\n`)
    expect(service).toMatch(/^ExecStart=\/\S+ .*main\.ts serve$/mu)
  })

  test('invites a moderator by a link whose secret is in no file', async () => {
    const cwd = await folder()
    const { code, stdout, stderr } = await openfountain(['init', '--moderator', 'Ada'], { cwd })
    expect(code).toBe(0)
    const [, secret = ''] = /^http:\/\/localhost:3000\/sign-in\/#(ofl_[\w-]{43})\n$/u.exec(stdout) ?? []
    expect(secret).not.toBe('')
    expect(stderr).not.toContain(secret)
    expect(stderr).toContain(`openfountain doctor ${cwd}`)
    for (const name of await readdir(cwd, { recursive: true, withFileTypes: true }))
      if (name.isFile())
        expect((await readFile(path.join(name.parentPath, name.name))).includes(secret)).toBe(false)
    const registry = await openRegistry({ database: path.join(cwd, 'fountains.db') })
    const { userId } = await registry.accounts.redeemLink(secret)
    expect(await registry.users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
    await registry.close()
  })

  test('trusts no proxy, and publishes without an address, where browsers come without one', async () => {
    const cwd = await folder()
    await answered(Made, ['init'], { cwd })
    expect(await readFile(path.join(cwd, 'openfountain.env'), 'utf8')).not.toMatch(/TRUST_PROXY|--url/u)
  })
})

describe('init writes nothing', () => {
  test.each(['fountains.db', 'openfountain.env', 'backups', 'systemd', 'site', 'security.log'])(
    'where %s is there already',
    async (name) => {
      const cwd = await folder()
      await writeFile(path.join(cwd, name), 'Mine')
      const { code, stderr } = await openfountain(['init'], { cwd })
      expect(code).toBe(2)
      expect(stderr).toContain(`has ${name} already: nothing was written`)
      expect(await readdir(cwd)).toEqual([name])
      expect(await readFile(path.join(cwd, name), 'utf8')).toBe('Mine')
    },
  )

  test.each([
    ['an address with a path', ['--public-url', 'https://fountains.example/map'], '--public-url'],
    ['a database that is a file', ['--db', 'mine.db'], 'fountains.db in FOLDER'],
    ['a name that a file of settings cannot have', ['--registry-name', `"Lund's"`], 'OPENFOUNTAIN_NAME'],
    ['a name of a moderator that nobody may have', ['--moderator', 'x'.repeat(1000)], 'name'],
  ])('for %s', async (_what, args, message) => {
    const cwd = await folder()
    await mkdir(path.join(cwd, 'old'))
    for (const target of ['old', 'new/lund']) {
      const { code, stdout, stderr } = await openfountain(['init', target, ...args], { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
    expect(await readdir(cwd, { recursive: true })).toEqual(['old'])
  })

  test('in a folder that units cannot name', async () => {
    const cwd = await folder()
    const { code, stderr } = await openfountain(['init', 'my fountains'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('my fountains')
    expect(await readdir(cwd)).toEqual([])
  })
})
