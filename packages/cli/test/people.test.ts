import path from 'node:path'
import { openRegistry, OwnUser, PublicUser, token, user } from '@openfountain/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from '@openfountain/testing/command/shell'

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
const Revoked = z.strictObject({ revoked: z.int() })

describe('people', () => {
  test('a user is added, shown, listed, made a moderator and granted XP', async () => {
    const cwd = await folder()
    const { user } = await answered(
      User,
      ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--id', 'ada', '--xp', '20'],
      { cwd },
    )
    expect(user).toMatchObject({
      id: 'ada',
      name: 'Ada',
      email: 'ada@example.org',
      xp: 20,
      isModerator: false,
    })
    const promoted = await answered(User, ['user', 'moderator', 'ada'], { cwd })
    expect(promoted.user.isModerator).toBe(true)
    const demoted = await answered(User, ['user', 'moderator', 'ada', '--off'], { cwd })
    expect(demoted.user.isModerator).toBe(false)
    await answered(User, ['user', 'grant', 'ada', '--xp', '85', '--reason', 'A survey'], { cwd })
    await answered(User, ['user', 'grant', 'ada', '--xp=-5', '--reason', 'Counted twice'], { cwd })
    await answered(User, ['user', 'rename', 'ada', 'Ada Byron'], { cwd })
    const shown = await answered(Shown, ['user', 'show', 'ada'], { cwd })
    expect(shown.user).toMatchObject({ name: 'Ada Byron', xp: 100, level: 2 })
    const page = await answered(
      z.strictObject({
        users: z.array(PublicUser.strict()),
        total: z.int(),
        limit: z.int(),
        offset: z.int(),
      }),
      ['user', 'list'],
      { cwd },
    )
    expect(page).toMatchObject({ total: 1, limit: 100, offset: 0 })
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    await registry.close()
  })

  test('a user is shown with the ways to sign in, which are data, and without what is secret of them', async () => {
    const cwd = await folder()
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
    onTestFinished(() => registry.close())
    const { id } = await registry.users.create({ name: 'Ada' })
    await registry.accounts.addIdentity(id, {
      key: 'https://id.example 7',
      provider: 'city',
      label: 'ada\u202E',
    })
    const secretPart = { credentialId: 'c-r-e-d', userId: id, publicKey: 'k-e-y', counter: 0, transports: [] }
    await registry.accounts.addPasskey({ ...secretPart, isSynced: true, name: 'Phone' })
    const { stdout } = await openfountain(['user', 'show', id], { cwd })
    expect(stdout).toMatch(/^signs in with +city: ada\\u202e$/mu)
    expect(stdout).toMatch(/^signs in with +passkey: Phone$/mu)
    const shown = await answered(Shown, ['user', 'show', id], { cwd })
    expect(shown.identities).toMatchObject([{ provider: 'city', label: 'ada\u202E' }])
    expect(shown.passkeys).toEqual([
      { id: expect.any(Number), name: 'Phone', isSynced: true, addedAt: expect.any(String) },
    ])
    expect(JSON.stringify(shown)).not.toMatch(/c-r-e-d|k-e-y/u)
  })

  test('the list for people is a table, and says how to continue', async () => {
    const cwd = await folder()
    for (const name of ['Ada', 'Grace', '泉 みなも'])
      await answered(User, ['user', 'add', '--name', name], { cwd })
    const { stdout, stderr } = await openfountain(['user', 'list', '--limit', '2'], { cwd })
    expect(stdout).toMatch(/^ID +NAME +XP +LEVEL/u)
    expect(stdout).toContain('Grace')
    expect(stderr).toContain('2 of 3; continue with --offset 2')
    const rest = await openfountain(['user', 'list', '--offset', '2'], { cwd })
    expect(rest.stdout).toContain('泉 みなも')
  })

  test('a user is blocked until a time, and unblocked', async () => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Eve', '--id', 'eve'], { cwd })
    const block = ['user', 'block', 'eve', '--reason', 'Vandalism']
    const { stdout, stderr } = await openfountain([...block, '--until', '2999-01-01'], { cwd })
    expect(stdout).toBe('eve is blocked until 2999-01-01T00:00:00.000Z: Vandalism\n')
    expect(stderr).not.toContain('API tokens')
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
    onTestFinished(() => registry.close())
    const { id } = await registry.waypoints.create({ name: 'x', latitude: 1, longitude: 1 }, token())
    const review = { bubblerId: id, rating: 1 }
    await expect(registry.reviews.create(review, user('eve'))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'Vandalism', blockedUntil: '2999-01-01T00:00:00.000Z' },
    })
    expect(await answered(z.unknown(), ['user', 'unblock', 'eve'], { cwd })).toEqual({ unblocked: 'eve' })
    await registry.reviews.create(review, user('eve'))
    await registry.tokens.create({ name: 'Old', ownerId: 'eve' })
    await registry.tokens.create({ name: 'City', ownerId: 'eve' })
    await registry.tokens.revoke(1)
    expect((await openfountain(block, { cwd })).stderr).toContain(
      'still write; end them with: openfountain token revoke 2\n',
    )
    expect(await answered(z.unknown(), block, { cwd })).toEqual({ blocked: 'eve', reason: 'Vandalism' })
    await answered(User, ['user', 'add', '--name', 'Ada', '--id', 'ada', '--moderator'], { cwd })
    expect((await openfountain(['user', 'block', 'ada', '--reason', 'x'], { cwd })).code).toBe(5)
    for (const until of ['tomorrow', '2026-02-31', '2026-01-01T12:00'])
      expect((await openfountain([...block, '--until', until], { cwd })).code).toBe(2)
  })

  test('what a user changed is undone, after a dry run, except what others changed since', async () => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Eve', '--id', 'eve', '--xp', '100'], { cwd })
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
    onTestFinished(() => registry.close())
    const place = { latitude: 1, longitude: 1 }
    const old = await registry.waypoints.create({ name: 'Old', region: 'Lund', ...place }, token())
    await registry.waypoints.update(old.id, { name: 'Graffiti' }, user('eve'))
    await registry.waypoints.update(old.id, { region: 'Nowhere' }, user('eve'))
    await registry.waypoints.update(old.id, { region: 'Malmö' }, token())
    await registry.waypoints.create({ name: 'Invented', ...place }, user('eve'))
    const args = ['user', 'revert', 'eve', '--since', '2020-01-01', '--reason', 'Vandalism']
    const dry = await openfountain([...args, '--dry-run'], { cwd })
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toContain('Changes that would be undone: 2')
    expect(await registry.waypoints.get(old.id)).toMatchObject({ name: 'Graffiti' })
    const Done = z.object({
      reverted: z.array(z.int()),
      conflicts: z.array(z.unknown()),
      dryRun: z.boolean(),
    })
    const { reverted, conflicts } = await answered(Done, args, { cwd })
    expect(reverted).toHaveLength(2)
    expect(conflicts).toEqual([{ entry: expect.any(Number), fields: ['region'] }])
    expect(await registry.waypoints.list()).toMatchObject([{ name: 'Old', region: 'Malmö' }])
    // The edit of the region keeps what it earned.
    expect(await registry.users.get('eve')).toMatchObject({ xp: 110 })
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    expect((await openfountain(['user', 'revert', 'nobody', ...args.slice(3)], { cwd })).code).toBe(3)
    expect((await openfountain([...args.slice(0, 4), 'soon', ...args.slice(5)], { cwd })).code).toBe(2)
  })

  test('an e-mail address is in no list', async () => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org'], { cwd })
    for (const args of [
      ['user', 'list'],
      ['user', 'list', '--json'],
    ]) {
      const { stdout, stderr } = await openfountain(args, { cwd })
      expect(stdout + stderr).not.toContain('example.org')
    }
  })

  test.each([
    [['user', 'show', 'nobody'], 3, 'There is no user with this id'],
    [['user', 'moderator', 'nobody'], 3, 'There is no user with this id'],
    [['session', 'create', '--user', 'nobody'], 3, 'There is no user with this id'],
    [['token', 'create', '--name', 'x', '--owner', 'nobody'], 2, 'names no user of this registry'],
    [['session', 'revoke', '7'], 3, 'There is no session with this id'],
    [['token', 'revoke', '7'], 3, 'There is no token with this id'],
    [['user', 'add', '--name', 'Ada', '--id', 'ada'], 2, 'taken'],
    [['user', 'add', '--name', 'Eve', '--email', 'nowhere'], 2, 'email'],
    [['user', 'add', '--name', 'a\u0007b'], 2, 'control character'],
  ])('%j is refused with code %d', async (args, code, message) => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Ada', '--id', 'ada', '--email', 'ada@example.org'], {
      cwd,
    })
    const answer = await openfountain(args, { cwd })
    expect(answer).toMatchObject({ code, stdout: '' })
    expect(answer.stderr).toContain(message)
  })
})

describe('sessions and tokens', () => {
  test('the secret alone is on standard output, and is not kept', async () => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Ada', '--id', 'ada'], { cwd })
    const session = await openfountain(['session', 'create', '--user', 'ada'], { cwd })
    expect(session.stdout).toMatch(/^ofs_[\w-]{43}\n$/u)
    const token = await openfountain(['token', 'create', '--name', 'bot'], { cwd })
    expect(token.stdout).toMatch(/^oft_[\w-]{43}\n$/u)
    for (const args of [
      ['session', 'list'],
      ['token', 'list'],
      ['session', 'list', '--json'],
      ['token', 'list', '--json'],
    ]) {
      const { stdout } = await openfountain(args, { cwd })
      expect(stdout).not.toMatch(/of[st]_/u)
    }
  })

  test('they have their shapes with --json', async () => {
    const cwd = await folder()
    await answered(User, ['user', 'add', '--name', 'Ada', '--id', 'ada'], { cwd })
    const { session: _session, ...listedSession } = await answered(
      Session,
      ['session', 'create', '--user', 'ada'],
      { cwd },
    )
    const { token: _token, ...listedToken } = await answered(
      Token,
      ['token', 'create', '--name', 'bot', '--owner', 'ada', '--scope', 'contribute', '--days', '30'],
      { cwd },
    )
    expect(listedToken.scope).toBe('contribute')
    expect(Date.parse(listedToken.expiresAt ?? '') - Date.parse(listedToken.createdAt)).toBe(30 * 86_400_000)
    expect(await answered(z.unknown(), ['session', 'list', '--user', 'ada'], { cwd })).toEqual({
      sessions: [listedSession],
    })
    expect(await answered(z.unknown(), ['token', 'list'], { cwd })).toEqual({ tokens: [listedToken] })
    expect(await answered(Revoked, ['token', 'revoke', String(listedToken.id)], { cwd })).toEqual({
      revoked: listedToken.id,
    })
    expect(await answered(Revoked, ['session', 'revoke', String(listedSession.id)], { cwd })).toEqual({
      revoked: listedSession.id,
    })
    expect(await answered(z.unknown(), ['session', 'list'], { cwd })).toEqual({ sessions: [] })
  })

  test('a running server honours them at once, and no longer once they are revoked', async () => {
    const cwd = await folder()
    const { url } = await serving([], { cwd })
    await answered(User, ['user', 'add', '--name', 'Ada', '--id', 'ada'], { cwd })
    const { session, id } = await answered(Session, ['session', 'create', '--user', 'ada'], { cwd })
    const token = await answered(Token, ['token', 'create', '--name', 'bot'], { cwd })
    const asAda = () => fetch(`${url}/api/user`, { headers: { cookie: `session=${session}` } })
    const asBot = () => fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${token.token}` } })
    expect([(await asAda()).status, (await asBot()).status]).toEqual([200, 200])
    await answered(Revoked, ['session', 'revoke', String(id)], { cwd })
    await answered(Revoked, ['token', 'revoke', String(token.id)], { cwd })
    expect([(await asAda()).status, (await asBot()).status]).toEqual([401, 401])
  })
})
