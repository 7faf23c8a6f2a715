import { OwnUser, PublicUser } from '@openfountain/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { workplace } from '@openfountain/testing/command/shell'

const User = z.strictObject({ user: OwnUser })
const Shown = User.extend({ identities: z.array(z.unknown()), passkeys: z.array(z.unknown()) })
const Session = z.strictObject({
  session: z.string(),
  id: z.int(),
  userId: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  lastUsedAt: z.string(),
})
const Token = z.strictObject({
  token: z.string(),
  id: z.int(),
  name: z.string(),
  ownerId: z.string().optional(),
  scope: z.enum(['read', 'contribute', 'moderate', 'administer']),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
})
const page = { total: z.int(), limit: z.int(), offset: z.int() }
const ada = 'user add --name Ada --id ada --email ada@example.org'

test('a user is added, shown, listed without an address, made a moderator and granted XP', async () => {
  const { answer, json, registry, run } = await workplace()
  expect((await answer(User, `${ada} --xp 20`)).user).toMatchObject({
    id: 'ada',
    name: 'Ada',
    email: 'ada@example.org',
    xp: 20,
    isModerator: false,
  })
  expect(await json('user moderator ada')).toMatchObject({ user: { isModerator: true } })
  expect(await json('user moderator ada --off')).toMatchObject({ user: { isModerator: false } })
  await answer(User, "user grant ada --xp 85 --reason 'A survey'")
  await answer(User, "user grant ada --xp=-5 --reason 'Counted twice'")
  await answer(User, "user rename ada 'Ada Byron'")
  const { user: shown } = await answer(Shown, 'user show ada')
  expect(shown).toMatchObject({ name: 'Ada Byron', xp: 100, level: 2 })
  const listed = await answer(z.strictObject({ users: z.array(PublicUser.strict()), ...page }), 'user list')
  expect(listed).toMatchObject({ total: 1, limit: 100, offset: 0 })
  await registry(async ({ changes }) => expect(await changes.verify()).toMatchObject({ ok: true }))
  for (const name of ['Grace', "'泉 みなも'"]) await json(`user add --name ${name}`)
  const { stdout, stderr } = await run('user list --limit 2')
  expect(stdout).toMatch(/^ID +NAME +XP +LEVEL/u)
  expect(stdout).toContain('Grace')
  expect(stderr).toContain('2 of 3; continue with --offset 2')
  expect((await run('user list --offset 2')).stdout).toContain('泉 みなも')
  expect(stdout + stderr + JSON.stringify(listed)).not.toContain('example.org')
})

test('a user is shown with the ways to sign in, without what is secret of them', async () => {
  const { answer, registry, run } = await workplace()
  await registry(async ({ accounts, users }) => {
    const { id } = await users.create({ id: 'ada', name: 'Ada' })
    await accounts.addIdentity(id, { key: 'https://id.example 7', provider: 'city', label: 'ada\u202E' })
    const secretPart = { credentialId: 'c-r-e-d', userId: id, publicKey: 'k-e-y', counter: 0, transports: [] }
    await accounts.addPasskey({ ...secretPart, isSynced: true, name: 'Phone' })
  })
  const { stdout } = await run('user show ada')
  expect(stdout).toMatch(/^signs in with +city: ada\\u202e\n[^]*^signs in with +passkey: Phone$/mu)
  const shown = await answer(Shown, 'user show ada')
  expect(shown).toMatchObject({ identities: [{ provider: 'city' }], passkeys: [{ name: 'Phone' }] })
  expect(JSON.stringify(shown)).not.toMatch(/c-r-e-d|k-e-y/u)
})

test('a user is blocked until a time, and unblocked', async () => {
  const { codes, json, registry, run } = await workplace()
  await json('user add --name Eve --id eve')
  const block = 'user block eve --reason Vandalism'
  const { stdout, stderr } = await run(`${block} --until 2999-01-01`)
  expect(stdout).toBe('eve is blocked until 2999-01-01T00:00:00.000Z: Vandalism\n')
  expect(stderr).not.toContain('API tokens')
  await registry(async ({ tokens, users }) => {
    expect(await users.profile('eve')).toMatchObject({ blocked: { reason: 'Vandalism' } })
    for (const name of ['Old', 'City']) await tokens.create({ name, ownerId: 'eve' })
    await tokens.delete(1)
  })
  expect(await json('user unblock eve')).toEqual({ unblocked: 'eve' })
  expect((await run(block)).stderr).toContain('still write; end them with: openfountain token revoke 2\n')
  expect(await json(block)).toEqual({ blocked: 'eve', reason: 'Vandalism' })
  const times = ['tomorrow', '2026-02-31', '2026-01-01T12:00'].map((until) => `${block} --until ${until}`)
  expect(await codes(`${ada} --moderator`, 'user block ada --reason x', ...times)).toEqual([0, 5, 2, 2, 2])
})

test.each([
  ['user show nobody', 3, 'There is no user with this id'],
  ['user link --user nobody', 3, 'There is no user with this id'],
  ['session revoke 7', 3, 'There is no session with this id'],
  ['token revoke 7', 3, 'There is no token with this id'],
  ['user add --name Ada --id ada', 2, 'taken'],
])('%j is refused with code %d', async (line, code, message) => {
  const { json, refused } = await workplace()
  await json(ada)
  await refused(line, code, message)
})

test('a running server honours sessions and tokens at once, and no longer once they are revoked', async () => {
  const { answer, json, run, serving } = await workplace()
  const { url } = await serving()
  await json(ada)
  const { session, ...listedSession } = await answer(Session, 'session create --user ada')
  const { token: secret, ...listedToken } = await answer(
    Token,
    'token create --name bot --owner ada --scope contribute --days 30',
  )
  expect(listedToken.scope).toBe('contribute')
  expect(Date.parse(listedToken.expiresAt ?? '') - Date.parse(listedToken.createdAt)).toBe(30 * 86_400_000)
  expect(await json('user sessions --user ada')).toEqual({ sessions: [listedSession] })
  expect(await json('token list')).toEqual({ tokens: [listedToken] })
  const callers: Record<string, string>[] = [
    { cookie: `session=${session}` },
    { authorization: `Bearer ${secret}` },
  ]
  const statuses = () =>
    Promise.all(callers.map(async (headers) => (await fetch(`${url}/api/user`, { headers })).status))
  expect(await statuses()).toEqual([200, 200])
  expect(await json(`session revoke ${listedSession.id}`)).toEqual({ revoked: listedSession.id })
  expect(await json(`token revoke ${listedToken.id}`)).toEqual({ revoked: listedToken.id })
  expect(await statuses()).toEqual([401, 401])
  expect(await json('user sessions --user ada')).toEqual({ sessions: [] })
  expect((await run('session create --user ada')).stdout).toMatch(/^ofs_[\w-]{43}\n$/u)
  expect((await run('token create --name bot')).stdout).toMatch(/^oft_[\w-]{43}\n$/u)
  for (const line of ['user sessions --user ada', 'token list'])
    expect((await run(line)).stdout).not.toMatch(/of[st]_/u)
})
