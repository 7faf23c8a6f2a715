import { expect, test } from 'vitest'
import { emptyRegistry, refusal } from '@openfountain/testing/registry'
import { securityEvents, token, user, type SecurityEvent } from '../src/index.ts'

async function observed() {
  const events: SecurityEvent[] = []
  const registry = await emptyRegistry({
    clock: () => new Date('2026-05-01T12:00:00.000Z'),
    onSecurityEvent: (event) => events.push(event),
  })
  return { registry, events }
}

test('rights that a host gives and takes are reported', async () => {
  const { registry, events } = await observed()
  const host = { externalId: 'secret-9', name: 'Di Secret' }
  const { id: user } = await registry.users.ensure({ ...host, isModerator: true })
  await registry.users.ensure({ ...host, isModerator: true })
  await registry.users.ensure({ ...host, isModerator: false })
  const time = '2026-05-01T12:00:00.000Z'
  expect(events).toEqual([
    { time, event: 'moderator.appointed', user },
    { time, event: 'moderator.dismissed', user },
  ])
})

test('every act that concerns who may do what is reported once, with ids alone', async () => {
  const { registry, events } = await observed()
  const { users, sessions, tokens, waypoints, changes } = registry
  await users.create({ id: 'mo', name: 'Mo Secret', email: 'mo@example.org', isModerator: true })
  await users.create({ id: 'eve', name: 'Eve Secret', xp: 50 })
  await users.grantXp('eve', -10, 'Secret reason')
  await users.setKeeper('eve', { maintainer: 'Secret' }, true)
  await users.setKeeper('eve', { maintainer: 'Secret' }, false)
  const session = await sessions.create('eve')
  await sessions.delete(session.session)
  const owned = await tokens.create({ name: 'Secret bot', ownerId: 'mo' })
  await tokens.delete(owned.id)
  await users.setModerator('mo', false)
  await users.setModerator('mo', true)
  const { id } = await waypoints.create(
    { name: 'Spring', latitude: 1, longitude: 2, description: 'Secret' },
    user('eve'),
  )
  const { id: entry } = await changes.head()
  await waypoints.create({ name: 'Tap', latitude: 5, longitude: 6 }, user('eve'))
  const { id: undone } = await changes.head()
  await users.revert('eve', { since: '2026-01-01T00:00:00Z', reason: 'Secret', dryRun: true }, token())
  await changes.redact(entry, { reason: 'Secret', fields: ['description'] })
  await users.revert('eve', { since: '2026-01-01T00:00:00Z', reason: 'Secret' }, user('mo'))
  const { id: act } = await changes.head()
  await registry.moderation.undo(act, { reason: 'Secret' }, user('mo'))
  const report = await registry.reports.create(
    { userId: 'eve', reason: 'private', comment: 'Secret' },
    user('mo'),
  )
  await registry.reports.erase(report)
  await users.block('eve', { reason: 'Secret', until: '2026-06-01T00:00:00.000Z' }, user('mo'))
  await users.unblock('eve', token())
  const { accounts } = registry
  const { secret } = await accounts.link('eve')
  await accounts.redeemLink(secret)
  const invitation = await accounts.invite({ name: 'Secret' })
  const { userId, session: fresh } = await accounts.redeemLink(invitation.secret)
  const way = { key: 'mailto:secret@example.org', provider: 'email', label: 'secret@example.org' }
  await accounts.addIdentity(userId, way)
  const passkey = { credentialId: 'Secret', name: 'Secret', publicKey: '', counter: 5, transports: [] }
  const { id: passkeyId } = await accounts.addPasskey({ ...passkey, userId, isSynced: false })
  expect((await refusal(accounts.signInWithPasskey('Secret', { counter: 5 }))).code).toBe('UNAUTHORIZED')
  await accounts.removePasskey(userId, passkeyId)
  await accounts.leave(userId, { confirm: 'Secret', texts: 'keep' })
  expect(await sessions.resolve(fresh)).toBeUndefined()
  expect(id).toBe(1)
  const nextDay = '2026-05-02T12:00:00.000Z'
  const time = '2026-05-01T12:00:00.000Z'
  expect(events).toEqual([
    { time, event: 'moderator.appointed', user: 'mo' },
    { time, event: 'xp.granted', user: 'eve', xp: 50 },
    { time, event: 'xp.granted', user: 'eve', xp: -10 },
    { time, event: 'keeper.entrusted', user: 'eve' },
    { time, event: 'keeper.relieved', user: 'eve' },
    { time, event: 'session.created', user: 'eve', session: 1, until: session.expiresAt },
    { time, event: 'session.revoked', user: 'eve', session: 1 },
    { time, event: 'token.created', user: 'mo', token: 2 },
    { time, event: 'token.revoked', token: 2 },
    { time, event: 'moderator.dismissed', user: 'mo' },
    { time, event: 'moderator.appointed', user: 'mo' },
    { time, event: 'text.redacted', entries: [entry] },
    { time, event: 'user.reverted', user: 'eve', by: 'mo', entries: [undone] },
    { time, event: 'act.undone', act, by: 'mo', entries: [act] },
    { time, event: 'report.erased', report },
    { time, event: 'user.blocked', user: 'eve', by: 'mo', until: '2026-06-01T00:00:00.000Z' },
    { time, event: 'user.unblocked', user: 'eve', by: 'api' },
    { time, event: 'link.created', user: 'eve', until: nextDay },
    { time, event: 'session.created', user: 'eve', session: 4, until: session.expiresAt },
    { time, event: 'link.used', user: 'eve' },
    { time, event: 'link.created', until: nextDay },
    { time, event: 'account.created', user: userId },
    { time, event: 'session.created', user: userId, session: 6, until: session.expiresAt },
    { time, event: 'link.used', user: userId },
    { time, event: 'way.added', user: userId },
    { time, event: 'way.added', user: userId },
    { time, event: 'passkey.copied', user: userId },
    { time, event: 'way.removed', user: userId },
    { time, event: 'account.left', user: userId },
  ])
  expect(JSON.stringify(events)).not.toMatch(/Secret|example\.org|of[stl]_/u)
  // Restoring a backup is a command, without an open registry.
  const reported = new Set(events.map(({ event }) => event))
  expect(Object.keys(securityEvents).filter((name) => !reported.has(name as never))).toEqual([
    'registry.restored',
  ])
})

test('what is refused is not reported as done', async () => {
  const { registry, events } = await observed()
  const { users, sessions, tokens, changes } = registry
  await users.create({ id: 'eve', name: 'Eve' })
  const refused = [
    sessions.create('nobody'),
    sessions.create('api'),
    registry.accounts.link('nobody'),
    tokens.create({ name: 'x', ownerId: 'nobody' }),
    sessions.delete(7),
    tokens.create({ name: '' }),
    tokens.delete(7),
    users.setModerator('nobody', true),
    users.grantXp('nobody', 5, 'x'),
    users.block('eve', { reason: 'x' }, user('eve')),
    users.unblock('eve', user('eve')),
    changes.redact(99, { reason: 'x' }),
  ]
  const results = await Promise.allSettled(refused)
  expect(results.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'))
  expect(events).toEqual([])
})

test('an invited moderator is reported as one when they have come, not before', async () => {
  const { registry, events } = await observed()
  const { secret } = await registry.accounts.invite({ name: 'Secret', isModerator: true })
  expect(events.map(({ event }) => event)).toEqual(['link.created'])
  const { userId } = await registry.accounts.redeemLink(secret)
  expect(events.at(-1)).toMatchObject({ event: 'moderator.appointed', user: userId })
})
