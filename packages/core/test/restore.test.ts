import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { restoreDatabase, token, user, type Registry, type RegistryOptions } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder, tickingClock } from '@openfountain/testing/registry'

const reason = 'Asked for by the person'
const clock = tickingClock('2026-02-01T00:00:00.000Z')

interface Site {
  readonly folder: string
  readonly database: string
  readonly backup: string
  readonly open: (options?: Partial<RegistryOptions>) => Promise<Registry>
}

/** A registry with one waypoint. */
async function started(): Promise<Site & { readonly registry: Registry }> {
  const folder = await temporaryFolder()
  const database = path.join(folder, 'registry.db')
  const open = (options = {}) => emptyRegistry({ database, durability: 'relaxed', ...options })
  const registry = await open()
  await registry.users.create({ name: 'Ada' })
  await placed(registry, { name: 'Zebulon Well', description: 'Zebulon lives here' })
  return { folder, database, backup: path.join(folder, 'backup.db'), open, registry }
}

const restored = ({ database, backup }: Site, from = backup) =>
  restoreDatabase({ database, from, replace: true, clock })

describe('people who left after a backup was made', () => {
  const marks = /Grete Geheim|grete@example|Phone of Grete|Grete at OSM/u

  async function withGrete() {
    const site = await started()
    const { registry, backup } = site
    const { id } = await registry.users.create({
      name: 'Grete Geheim',
      email: 'grete@example.org',
      isModerator: true,
    })
    const way = { key: 'https://osm grete', provider: 'osm', label: 'Grete at OSM' }
    await registry.accounts.addIdentity(id, way)
    const { session } = await registry.sessions.create(id, { device: 'Phone of Grete' })
    const { secret } = await registry.accounts.link(id)
    await registry.backup(backup)
    expect((await readFile(backup)).toString('latin1')).toMatch(marks)
    await registry.accounts.leave(id, { texts: 'keep' })
    await registry.close()
    return { ...site, id, way, session, secret }
  }

  test.each(['the database that is replaced', 'the list beside it alone'])(
    'do not come back, as %s knows',
    async (known) => {
      const site = await withGrete()
      const { database, id, session, secret, way, open } = site
      const list = await readFile(`${database}.erased`, 'utf8')
      expect(list).toMatch(/^0 left [0-9a-f]{64}\n$/u)
      if (known === 'the list beside it alone') await rm(database)
      else await rm(`${database}.erased`)
      expect(await restored(site)).toMatchObject({ ok: true, left: 1, erased: 0 })
      expect((await readFile(database)).toString('latin1')).not.toMatch(marks)
      const registry = await open({ clock })
      expect(await registry.users.get(id)).not.toHaveProperty('name')
      expect(await registry.sessions.resolve(session)).toBeUndefined()
      await expect(registry.accounts.redeemLink(secret)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
      expect(await registry.accounts.isKnown(way.key)).toBe(false)
      expect((await registry.users.list()).total).toBe(1)
      expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
      await registry.close()
      expect(await readFile(`${database}.erased`, 'utf8')).toBe(list)
    },
  )

  test('are blocked still, where they were', async () => {
    const site = await started()
    const { registry, backup, open } = site
    const { id } = await registry.users.create({ name: 'Eve' })
    const way = { key: 'https://osm eve', provider: 'osm', label: 'eve' }
    await registry.accounts.addIdentity(id, way)
    await registry.users.block(id, { reason: 'Vandalism' }, token())
    await registry.backup(backup)
    await registry.accounts.leave(id, { texts: 'keep' })
    await registry.close()
    await restored(site)
    const again = await open({ clock })
    const signIn = again.accounts.signIn(way, { name: 'Eve again', registration: 'open' })
    await expect(signIn).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'Vandalism' } })
    await again.close()
  })
})

describe('what was erased after a backup was made', () => {
  test('is not in the restored database, whose log says that it was erased again', async () => {
    const site = await started()
    const { registry, database, backup } = site
    await registry.backup(backup)
    await registry.changes.redact(2, { reason })
    await registry.close()
    expect((await readFile(backup)).includes('Zebulon')).toBe(true)
    expect(await restored(site)).toMatchObject({ ok: true, erased: 1, redacted: 1 })
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
    const again = await site.open()
    expect(await again.waypoints.get(1)).toMatchObject({ name: '(redacted)' })
    const entries = await again.changes.entries(2)
    expect(entries.map(({ subject, action, fields }) => ({ subject, action, fields }))).toEqual([
      { subject: 'waypoint', action: 'edited', fields: { description: null, name: '(redacted)' } },
      {
        subject: 'entry',
        action: 'redacted',
        fields: { names: ['name', 'description'], reason: 'erased before this backup was restored' },
      },
    ])
    expect((await again.changes.verify()).problems).toEqual([])
    expect(await again.waypoints.search({ q: 'Zebulon' })).toEqual([])
  })

  test.each([
    ['the database itself was lost, by the list beside it', ['', '-wal', '-shm']],
    ['the list was lost, by the database that is replaced', ['.erased']],
  ])('stays erased when %s', async (_what, lost) => {
    const site = await started()
    const { registry, database, backup } = site
    await registry.backup(backup)
    await registry.changes.redact(2, { reason })
    await registry.close()
    for (const suffix of lost) await rm(`${database}${suffix}`, { force: true })
    expect(await restored(site)).toMatchObject({ erased: 1, originRenewed: true })
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
    expect(await readFile(`${database}.erased`, 'utf8')).toMatch(/^2 /mu)
  })

  test('stays erased on another machine, by the list beside a newer backup, and nothing is restored without one', async () => {
    const { registry, folder, backup } = await started()
    await registry.backup(backup)
    await registry.changes.redact(2, { reason })
    const newer = path.join(folder, 'newer.db')
    await registry.backup(newer)
    await registry.close()
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
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
  })

  test('includes comments, reasons, and the place of a waypoint that was deleted since', async () => {
    const site = await started()
    const { registry, database, backup } = site
    await registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'Zebulon again' }, user('u1'))
    const review = (await registry.changes.head()).id
    await registry.users.block('u1', { reason: 'Zebulon himself' }, token())
    const block = (await registry.changes.head()).id
    await registry.backup(backup)
    await registry.changes.redact(review, { reason })
    await registry.changes.redact(block, { reason })
    await registry.waypoints.delete(1, token())
    await registry.changes.redact(2, { reason, fields: ['latitude', 'name', 'description'] })
    await registry.close()
    expect(await restored(site)).toMatchObject({ ok: true, erased: 3 })
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
    const again = await site.open()
    expect(await refusal(again.waypoints.get(1))).toMatchObject({ code: 'NOT_FOUND' })
    const [created] = await again.changes.entries(1, 1)
    expect(created?.fields).toEqual({})
    const mirror = await emptyRegistry({ clock })
    await mirror.mirror.follow(await Array.fromAsync(again.changes.since(0)))
    expect((await mirror.changes.verify()).problems).toEqual([])
  })

  test('leaves the entries of another history alone, which have the same ids', async () => {
    const site = await started()
    await site.registry.changes.redact(2, { reason })
    await site.registry.close()
    const other = await started()
    await other.registry.backup(other.backup)
    expect(await restored(site, other.backup)).toMatchObject({ erased: 0, redacted: 0 })
  })

  test('keeps a restore from replacing anything while it cannot be erased', async () => {
    const site = await started()
    const { registry, database, backup } = site
    await registry.backup(backup)
    await registry.changes.redact(2, { reason })
    await registry.close()
    const before = await readFile(database)
    await rm(`${database}.erased`)
    // A folder cannot be read as a list.
    await mkdir(`${database}.erased`)
    await expect(restored(site)).rejects.toThrow('EISDIR')
    expect(await readFile(database)).toEqual(before)
    expect(existsSync(`${database}.unfinished`)).toBe(false)
  })
})

describe('the origin of a restored log', () => {
  test('stays when the backup is exactly what was there, under a revision that neither had', async () => {
    const site = await started()
    const { registry, backup } = site
    const origin = await registry.changes.origin()
    await registry.backup(backup)
    // Names are not in the log.
    await registry.users.update('u1', { name: 'Ada Lovelace' })
    const revision = await registry.revision()
    await registry.close()
    expect(await restored(site)).toMatchObject({ originRenewed: false, lost: 0, erased: 0 })
    const again = await site.open()
    expect(await again.changes.origin()).toBe(origin)
    expect(await again.revision()).toBeGreaterThan(revision)
  })

  test('is renewed when entries are lost, and the result says how many', async () => {
    const site = await started()
    const { registry, backup } = site
    const origin = await registry.changes.origin()
    await registry.backup(backup)
    await placed(registry, { name: 'Lost' })
    await placed(registry, { name: 'Lost too' })
    await registry.close()
    expect(await restored(site)).toMatchObject({ originRenewed: true, lost: 2, entries: 2 })
    const again = await site.open()
    expect(await again.changes.origin()).toMatch(/^[0-9a-f]{32}$/u)
    expect(await again.changes.origin()).not.toBe(origin)
  })

  test('is renewed when two histories part, which lose what followed what they have in common', async () => {
    const site = await started()
    const { registry, backup, folder } = site
    await registry.backup(backup)
    for (const name of ['A', 'B', 'C']) await placed(registry, { name })
    const fork = path.join(folder, 'fork.db')
    await registry.backup(fork)
    await registry.close()
    await restored(site)
    const other = await site.open()
    for (const name of ['D', 'E']) await placed(other, { name })
    await other.close()
    expect(await restored(site, fork)).toMatchObject({ originRenewed: true, lost: 2, entries: 5 })
  })

  test('stays when the backup has everything that was there, and more', async () => {
    const site = await started()
    const { registry, backup, database, folder } = site
    const origin = await registry.changes.origin()
    await registry.backup(backup)
    await placed(registry, { name: 'Later' })
    const newer = path.join(folder, 'newer.db')
    await registry.backup(newer)
    await registry.close()
    for (const suffix of ['-wal', '-shm']) await rm(`${database}${suffix}`, { force: true })
    await copyFile(backup, database)
    expect(await restored(site, newer)).toMatchObject({ originRenewed: false, lost: 0, entries: 3 })
    const again = await site.open()
    expect(await again.changes.origin()).toBe(origin)
  })

  test('is renewed when nothing is there that can be read', async () => {
    const site = await started()
    const { registry, backup, database } = site
    await registry.backup(backup)
    await registry.close()
    await writeFile(database, 'not a database any more')
    const result = await restored(site)
    expect(result).toMatchObject({ ok: true, originRenewed: true })
    expect(result).not.toHaveProperty('lost')
  })
})
