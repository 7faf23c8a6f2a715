import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { restoreDatabase, token, user, type Registry, type RegistryOptions } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder, tickingClock } from '@openfountain/testing/registry'

const reason = 'Asked for by the person'
const clock = tickingClock('2026-02-01T00:00:00.000Z')

async function started() {
  const folder = await temporaryFolder()
  const database = path.join(folder, 'registry.db')
  const backup = path.join(folder, 'backup.db')
  const open = (options: Partial<RegistryOptions> = {}) =>
    emptyRegistry({ database, durability: 'relaxed', ...options })
  const registry = await open()
  await registry.users.create({ name: 'Ada' })
  await placed(registry, { name: 'Zebulon Well', description: 'Zebulon lives here' })
  return {
    folder,
    database,
    backup,
    open,
    registry,
    async backedUp(later: (registry: Registry) => Promise<unknown> = async () => {}) {
      await registry.backup(backup)
      await later(registry)
      await registry.close()
    },
    restored: (from = backup) => restoreDatabase({ database, from, replace: true, clock }),
    has: async (text: string | RegExp, file = database) =>
      (await readFile(file)).toString('latin1').search(text) >= 0,
    lose: async (...suffixes: readonly string[]) => {
      for (const suffix of suffixes) await rm(`${database}${suffix}`, { force: true })
    },
  }
}

const redact = ({ changes }: Registry, id = 2) => changes.redact(id, { reason })
const named = async (registry: Registry, ...names: readonly string[]) => {
  for (const name of names) await placed(registry, { name })
}

test.each(['the database that is replaced', 'the list beside it alone'])(
  'people who left after a backup was made do not come back, as %s knows',
  async (known) => {
    const marks = /Grete Geheim|grete@example|Phone of Grete|Grete at OSM/u
    const { registry, database, backup, open, backedUp, restored, has, lose } = await started()
    const { accounts, sessions, users } = registry
    const grete = { name: 'Grete Geheim', email: 'grete@example.org', isModerator: true }
    const { id } = await users.create(grete)
    const way = { key: 'https://osm grete', provider: 'osm', label: 'Grete at OSM' }
    await accounts.addIdentity(id, way)
    const { session } = await sessions.create(id, { device: 'Phone of Grete' })
    const { secret } = await accounts.link(id)
    await backedUp(() => accounts.leave(id, { texts: 'keep' }))
    expect(await has(marks, backup)).toBe(true)
    const list = await readFile(`${database}.erased`, 'utf8')
    expect(list).toMatch(/^0 left [0-9a-f]{64}\n$/u)
    await lose(known === 'the list beside it alone' ? '' : '.erased')
    expect(await restored()).toMatchObject({ ok: true, left: 1, erased: 0 })
    expect(await has(marks)).toBe(false)
    const again = await open({ clock })
    expect(await again.users.get(id)).not.toHaveProperty('name')
    expect(await again.sessions.resolve(session)).toBeUndefined()
    expect((await refusal(again.accounts.redeemLink(secret))).code).toBe('UNAUTHORIZED')
    expect(await again.accounts.isKnown(way.key)).toBe(false)
    expect((await again.users.list()).total).toBe(1)
    expect(await again.changes.verify()).toMatchObject({ ok: true, problems: [] })
    await again.close()
    expect(await readFile(`${database}.erased`, 'utf8')).toBe(list)
  },
)

test('people who left after a backup was made are blocked still, where they were', async () => {
  const { registry, open, backedUp, restored } = await started()
  const { id } = await registry.users.create({ name: 'Eve' })
  const way = { key: 'https://osm eve', provider: 'osm', label: 'eve' }
  await registry.accounts.addIdentity(id, way)
  await registry.users.block(id, { reason: 'Vandalism' }, token())
  await backedUp(({ accounts }) => accounts.leave(id, { texts: 'keep' }))
  await restored()
  const { accounts } = await open({ clock })
  const signIn = accounts.signIn(way, { name: 'Eve again', registration: 'open' })
  expect(await refusal(signIn)).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'Vandalism' } })
})

describe('what was erased after a backup was made', () => {
  test('is not in the restored database, whose log says that it was erased again', async () => {
    const { open, backup, backedUp, restored, has } = await started()
    await backedUp(redact)
    expect(await has('Zebulon', backup)).toBe(true)
    expect(await restored()).toMatchObject({ ok: true, erased: 1, redacted: 1 })
    expect(await has('Zebulon')).toBe(false)
    const again = await open()
    expect(await again.waypoints.get(1)).toMatchObject({ name: '(redacted)' })
    const cleared = { description: null, name: '(redacted)' }
    const said = { names: ['name', 'description'], reason: 'erased before this backup was restored' }
    expect(await again.changes.entries(2)).toMatchObject([
      { subject: 'waypoint', action: 'edited', fields: cleared },
      { subject: 'entry', action: 'redacted', fields: said },
    ])
    expect((await again.changes.verify()).problems).toEqual([])
    expect(await again.waypoints.search({ q: 'Zebulon' })).toEqual([])
  })

  test.each([
    ['the database itself was lost, by the list beside it', ['', '-wal', '-shm']],
    ['the list was lost, by the database that is replaced', ['.erased']],
  ])('stays erased when %s', async (_what, lost) => {
    const { database, backedUp, restored, has, lose } = await started()
    await backedUp(redact)
    await lose(...lost)
    expect(await restored()).toMatchObject({ erased: 1, originRenewed: true })
    expect(await has('Zebulon')).toBe(false)
    expect(await readFile(`${database}.erased`, 'utf8')).toMatch(/^2 /mu)
  })

  test('stays erased on another machine, by the list beside a newer backup, and nothing is restored without one', async () => {
    const { folder, backup, backedUp, has } = await started()
    const newer = path.join(folder, 'newer.db')
    await backedUp(async (registry) => {
      await redact(registry)
      await registry.backup(newer)
    })
    const other = await temporaryFolder()
    const [from, database] = [path.join(other, 'old.db'), path.join(other, 'registry.db')]
    await copyFile(backup, from)
    await expect(restoreDatabase({ database, from })).rejects.toThrow(`beside it, as ${from}.erased`)
    expect(existsSync(database)).toBe(false)
    // Without a list that has it, it is back.
    expect(await restoreDatabase({ database, from, erasures: 'found' })).toMatchObject({ erased: 0 })
    await rm(database)
    await copyFile(`${newer}.erased`, path.join(other, 'newer.db.erased'))
    expect(await restoreDatabase({ database, from, clock })).toMatchObject({ erased: 1, redacted: 1 })
    expect(await has('Zebulon', database)).toBe(false)
  })

  test('includes comments, reasons, and the place of a waypoint that was deleted since', async () => {
    const { registry, open, backedUp, restored, has } = await started()
    const { reviews, users, waypoints, changes } = registry
    await reviews.create({ bubblerId: 1, rating: 1, comment: 'Zebulon again' }, user('u1'))
    await users.block('u1', { reason: 'Zebulon himself' }, token())
    await backedUp(async () => {
      for (const id of [3, 4]) await redact(registry, id)
      await waypoints.delete(1, token())
      await changes.redact(2, { reason, fields: ['latitude', 'name', 'description'] })
    })
    expect(await restored()).toMatchObject({ ok: true, erased: 3 })
    expect(await has('Zebulon')).toBe(false)
    const again = await open()
    expect((await refusal(again.waypoints.get(1))).code).toBe('NOT_FOUND')
    const log = await again.changes.entries(0)
    expect(log[1]?.fields).toEqual({})
    const mirror = await emptyRegistry({ clock })
    await mirror.mirror.follow(log)
    expect((await mirror.changes.verify()).problems).toEqual([])
  })

  test('leaves the entries of another history alone, which have the same ids', async () => {
    const [site, other] = [await started(), await started()]
    await site.backedUp(redact)
    await other.backedUp()
    expect(await site.restored(other.backup)).toMatchObject({ erased: 0, redacted: 0 })
  })

  test('keeps a restore from replacing anything while it cannot be erased', async () => {
    const { database, backedUp, restored, lose } = await started()
    await backedUp(redact)
    const before = await readFile(database)
    await lose('.erased')
    // A folder cannot be read as a list.
    await mkdir(`${database}.erased`)
    await expect(restored()).rejects.toThrow('EISDIR')
    expect(await readFile(database)).toEqual(before)
    expect(existsSync(`${database}.unfinished`)).toBe(false)
  })
})

test('the origin of a restored log stays when the backup is exactly what was there, under a revision that neither had', async () => {
  const { registry, open, backedUp, restored } = await started()
  const origin = await registry.changes.origin()
  let revision = 0
  await backedUp(async ({ users }) => {
    await users.update('u1', { name: 'Ada Lovelace' })
    revision = await registry.revision()
  })
  expect(await restored()).toMatchObject({ originRenewed: false, lost: 0, erased: 0 })
  const again = await open()
  expect(await again.changes.origin()).toBe(origin)
  expect(await again.revision()).toBeGreaterThan(revision)
})

test('the origin of a restored log is renewed when entries are lost, or two histories part, and the result says how many are lost', async () => {
  const { registry, folder, open, backedUp, restored } = await started()
  const origin = await registry.changes.origin()
  const fork = path.join(folder, 'fork.db')
  await backedUp(async () => {
    await named(registry, 'A', 'B', 'C')
    await registry.backup(fork)
  })
  expect(await restored()).toMatchObject({ originRenewed: true, lost: 3, entries: 2 })
  const other = await open()
  expect(await other.changes.origin()).toMatch(/^[0-9a-f]{32}$/u)
  expect(await other.changes.origin()).not.toBe(origin)
  await named(other, 'D', 'E')
  await other.close()
  expect(await restored(fork)).toMatchObject({ originRenewed: true, lost: 2, entries: 5 })
})

test('the origin of a restored log stays when the backup has everything that was there, and more', async () => {
  const { registry, folder, database, backup, open, backedUp, restored, lose } = await started()
  const origin = await registry.changes.origin()
  const newer = path.join(folder, 'newer.db')
  await backedUp(async () => {
    await named(registry, 'Later')
    await registry.backup(newer)
  })
  await lose('-wal', '-shm')
  await copyFile(backup, database)
  expect(await restored(newer)).toMatchObject({ originRenewed: false, lost: 0, entries: 3 })
  expect(await (await open()).changes.origin()).toBe(origin)
})
