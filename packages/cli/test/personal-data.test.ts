import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from './shell.ts'

interface Planted {
  readonly cwd: string
  readonly registry: Registry
  readonly id: string
}

const comment = 'Cold water beside my aunt’s house'

/** Ada, who has an address, a passkey's place, a session and a review. */
async function planted(name = 'Ada Byron'): Promise<Planted> {
  const cwd = await folder()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  onTestFinished(() => registry.close())
  const { id } = await registry.users.create({ name, email: 'ada@example.org' })
  await registry.accounts.addIdentity(id, {
    key: 'mailto:ada@example.org',
    provider: 'email',
    label: 'ada@example.org',
  })
  const fountain = await registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 1 }, token())
  await registry.reviews.create({ bubblerId: fountain.id, rating: 4, comment }, user(id))
  return { cwd, registry, id }
}

describe('user export', () => {
  let umask: number
  beforeEach(() => {
    umask = process.umask(0)
  })
  afterEach(() => {
    process.umask(umask)
  })

  test('writes one document of everything about a user, to a file that is its owner’s alone or to standard output', async () => {
    const { cwd, registry, id } = await planted()
    const { session } = await registry.sessions.create(id, { device: 'Firefox on Linux' })
    // Whoever may write into the folder must not choose what is overwritten.
    await writeFile(path.join(cwd, 'precious'), 'kept')
    await symlink('precious', path.join(cwd, 'ada.json.part'))
    const done = await answered(z.unknown(), ['user', 'export', id, '--out', 'ada.json'], { cwd })
    expect(done).toEqual({ file: 'ada.json' })
    const text = await readFile(path.join(cwd, 'ada.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      user: { id, name: 'Ada Byron', email: 'ada@example.org' },
      identities: [{ label: 'ada@example.org' }],
      sessions: [{ device: 'Firefox on Linux' }],
      reviews: [{ comment }],
      entries: [{ by: id, subject: 'review' }],
    })
    expect(text).not.toContain(session)
    expect(await readFile(path.join(cwd, 'precious'), 'utf8')).toBe('kept')
    if (process.platform !== 'win32')
      expect((await stat(path.join(cwd, 'ada.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(cwd)).filter((name) => name.endsWith('.part'))).toEqual([])
    const printed = await openfountain(['user', 'export', id], { cwd })
    expect(printed).toMatchObject({ code: 0, stdout: text, stderr: '' })
  })

  test('what a user wrote cannot steer the terminal, and is the same text as JSON', async () => {
    const name = 'Ada \u202Egnp.\u2066exe'
    const { cwd, id } = await planted(name)
    const { stdout } = await openfountain(['user', 'export', id], { cwd })
    expect(stdout).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u)
    expect(JSON.parse(stdout)).toMatchObject({ user: { name } })
  })

  test('a user who is not there leaves no file, and a folder that is not there is named', async () => {
    const { cwd } = await planted()
    const unknown = await openfountain(['user', 'export', 'nobody', '--out', 'nobody.json'], { cwd })
    expect(unknown).toMatchObject({ code: 3, stdout: '' })
    const nowhere = await openfountain(['user', 'export', 'nobody', '--out', 'no/where.json'], { cwd })
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain('--out: folder no not found')
    expect((await readdir(cwd)).filter((name) => !name.startsWith('openfountain.db'))).toEqual([])
  })
})

describe('user erase', () => {
  test('refuses without the exact name, and then nothing is erased', async () => {
    const { cwd, registry, id } = await planted()
    for (const confirm of [[], ['--confirm', 'Ada'], ['--confirm', id], ['--confirm', '']]) {
      const args = ['user', 'erase', id, ...confirm, '--texts', 'erase']
      const { code, stdout, stderr } = await openfountain(args, { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('--confirm')
      expect(stderr).not.toContain('Byron')
    }
    expect(await registry.users.profile(id)).toMatchObject({ name: 'Ada Byron' })
    expect(await registry.reviews.list({ userId: id })).toMatchObject([{ comment }])
  })

  test('the built-in user of API tokens cannot be erased', async () => {
    const { cwd, registry } = await planted()
    const { name } = await registry.users.profile('api')
    const { code } = await openfountain(['user', 'erase', 'api', '--confirm', name], { cwd })
    expect(code).toBe(3)
    expect(await registry.users.get('api')).toMatchObject({ name })
  })

  test('keeps what they wrote without their name, and ends their sessions in a running server at once', async () => {
    const { cwd, registry, id } = await planted()
    const { url } = await serving([], { cwd })
    const { session } = await registry.sessions.create(id)
    const asAda = async () =>
      (await fetch(`${url}/api/user`, { headers: { cookie: `session=${session}` } })).status
    expect(await asAda()).toBe(200)
    const args = ['user', 'erase', id, '--confirm', 'Ada Byron', '--security-log', 'security.log']
    const { code, stdout, stderr } = await openfountain(args, { cwd })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `User ${id} is erased; what they wrote stays without a name\n`,
    })
    expect(stderr).toContain('Backups and exports that were made before still have them')
    expect(await asAda()).toBe(401)
    expect(await registry.users.get(id)).not.toHaveProperty('name')
    expect(await registry.reviews.list({ userId: id })).toMatchObject([{ comment }])
    const log = await readFile(path.join(cwd, 'security.log'), 'utf8')
    expect(JSON.parse(log)).toMatchObject({ event: 'account.left', user: id })
    expect(log).not.toMatch(/Byron|example\.org/u)
    expect((await openfountain(args, { cwd })).code).toBe(3)
  })

  test('leaves no trace of them and of what they wrote in any file, when texts are erased too', async () => {
    const { cwd, registry, id } = await planted()
    await registry.close()
    const args = ['user', 'erase', id, '--confirm', 'Ada Byron', '--texts', 'erase']
    expect(await answered(z.unknown(), args, { cwd })).toEqual({ erased: id, texts: 'erase' })
    for (const file of await readdir(cwd)) {
      const bytes = await readFile(path.join(cwd, file))
      for (const marker of ['Byron', 'ada@example.org', 'beside my aunt'])
        expect([file, marker, bytes.includes(marker)]).toEqual([file, marker, false])
    }
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })
})
