import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { restoreDatabase, token, user, type Registry } from '@openfountain/core'
import { newFolder } from '@openfountain/testing/folder'
import { beforeEach, describe, expect, test } from 'vitest'
import { followTail, mirrorRegistry } from '../../src/index.ts'
import { contentOf, copyInFile, opened, original, served } from './stage.ts'

let registry: Registry
let url: string

beforeEach(async () => {
  registry = await original()
  url = await served(registry)
})

async function mustEqual(copy: Registry, source: Registry): Promise<void> {
  expect(await contentOf(copy)).toEqual(await contentOf(source))
  expect(await copy.changes.verify()).toMatchObject({ ok: true, problems: [] })
}

test('a copy has the same log, waypoints, reviews, people, sources and areas, and follows what was written since', async () => {
  const copy = await opened()
  const head = await registry.changes.head()
  const report = { from: { id: 0 }, head, entries: head.id, redacted: 0, cosigned: undefined }
  expect(await mirrorRegistry(url, copy)).toMatchObject(report)
  await mustEqual(copy, registry)
  expect((await copy.users.profile('ada')).name).toBe('Ada <b>')
  await registry.users.create({ id: 'eve', name: 'Eve', xp: 100 })
  await registry.waypoints.create({ name: 'Later', latitude: 5, longitude: 6 }, user('eve'))
  const { id } = await registry.changes.head()
  expect(await mirrorRegistry(url, copy)).toMatchObject({ from: { id: head.id }, entries: id - head.id })
  await mustEqual(copy, registry)
  expect(await mirrorRegistry(url, copy)).toMatchObject({ entries: 0 })
})

test('a copy of many pages is whole, and one that was interrupted between two of them continues', async () => {
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  const rows = Array.from({ length: 1200 }, (_, at) => at + 1)
  const input = { name: 'Fountain', latitude: 50, longitude: 7 }
  await run.apply(rows.map((row) => ({ row, ref: `F${row}`, input })))
  await run.finish({ counts: {}, missing: 'keep' })
  const [creation] = (await registry.changes.list({ order: 'asc', limit: 1 })).logs
  await registry.changes.redact(creation?.id ?? 0, { reason: 'asked for by the author', fields: ['name'] })
  const copy = await opened()
  const stop = new AbortController()
  const follow = copy.mirror.follow.bind(copy.mirror)
  let pages = 0
  copy.mirror.follow = async (...given) => {
    if (++pages === 2) stop.abort(new Error('stopped'))
    return follow(...given)
  }
  await expect(mirrorRegistry(url, copy, { signal: stop.signal })).rejects.toThrow('stopped')
  expect(await copy.changes.head()).toEqual(await registry.changes.head(1000))
  const report = await mirrorRegistry(url, copy)
  expect(report).toMatchObject({ from: { id: 1000 }, redacted: 1 })
  await mustEqual(copy, registry)
})

test('a copy loses text that is redacted later, and a new copy never has it', async () => {
  const { registry: copy } = await copyInFile()
  await mirrorRegistry(url, copy)
  const [creation] = (await registry.changes.list({ order: 'asc', limit: 1 })).logs
  await registry.changes.redact(creation?.id ?? 0, { reason: 'asked for by the author' })
  const deleted = await registry.waypoints.create({ name: 'Secret', latitude: 9, longitude: 9 }, token())
  await registry.waypoints.delete(deleted.id, token())
  const [made] = (await registry.changes.list({ bubblerId: deleted.id, action: 'created' })).logs
  await registry.changes.redact(made?.id ?? 0, {
    reason: 'A home',
    fields: ['name', 'latitude', 'longitude'],
  })
  const fresh = await opened()
  for (const each of [fresh, copy]) {
    const report = await mirrorRegistry(url, each)
    expect(report.redacted).toBeGreaterThan(1)
    expect(JSON.stringify(await contentOf(each))).not.toMatch(/💧|Secret/u)
    await mustEqual(each, registry)
  }
})

test('a copy has no names of people who left before, and drops those of people who leave since, from its file too', async () => {
  const { registry: copy, file } = await copyInFile()
  await registry.users.create({ id: 'eve', name: 'Eve Marker' })
  await mirrorRegistry(url, copy)
  expect((await copy.users.profile('eve')).name).toBe('Eve Marker')
  await registry.accounts.leave('eve', { texts: 'keep' })
  expect(await mirrorRegistry(url, copy)).toMatchObject({ entries: 0, left: 1 })
  const fresh = await opened()
  await mirrorRegistry(url, fresh)
  for (const each of [fresh, copy]) {
    expect(await each.users.get('eve')).not.toHaveProperty('name')
    await mustEqual(each, registry)
  }
  for (const part of [file, `${file}-wal`])
    if (existsSync(part)) expect(readFileSync(part).includes('Eve Marker')).toBe(false)
  expect(await mirrorRegistry(url, copy)).toMatchObject({ left: 0 })
})

describe('a restored backup that follows somebody who writes what the registry never had', () => {
  async function forked(): Promise<{ here: Registry; there: Registry; url: string }> {
    const [here, there] = [await opened(), await opened()]
    for (const name of ['ada', 'bob', 'eve', 'sam']) await here.users.create({ id: name, name })
    await here.users.setModerator('ada', true)
    await here.users.block('eve', { reason: 'Vandalism' }, token())
    await mirrorRegistry(await served(here), there)
    return { here, there, url: await served(there) }
  }

  test('gives nobody rights, says whom, and takes what is written besides', async () => {
    const { here, there, url: mirror } = await forked()
    await there.users.setModerator('bob', true)
    await there.users.create({ id: 'mallory', name: 'Mallory', isModerator: true })
    await there.users.grantXp('sam', 5000, 'A present')
    await there.waypoints.create({ name: 'Spring', latitude: 5, longitude: 6 }, user('sam'))
    await there.users.unblock('eve', token())
    await there.users.block('sam', { reason: 'Me' }, token())
    await there.users.setModerator('ada', false)
    await there.users.setKeeper('sam', { maintainer: 'City' }, true)
    const report = await followTail(mirror, here)
    expect(report.added).toMatchObject({ 'user appointed': 1, 'user created': 1, 'waypoint created': 1 })
    expect(report.notTaken).toEqual({
      moderators: ['bob', 'mallory'],
      keepers: ['sam'],
      blocks: ['sam', 'eve'],
      xp: [{ userId: 'sam', xp: 5000 }],
    })
    const profiles = await Promise.all(
      ['ada', 'bob', 'mallory', 'eve', 'sam'].map((id) => here.users.profile(id)),
    )
    expect(profiles.map(({ isModerator, xp, blocked }) => [isModerator, xp, blocked?.reason])).toEqual([
      [false, 0, undefined],
      [false, 0, undefined],
      [false, 0, undefined],
      [false, 0, 'Vandalism'],
      [false, 50, undefined],
    ])
    expect(report.head).toEqual(await here.changes.head())
    expect(await here.changes.verify()).toMatchObject({ ok: true, problems: [] })
    const copy = await opened()
    await mirrorRegistry(await served(here), copy)
    await mustEqual(copy, here)
  })

  test('does not ask by http: over a network', async () => {
    const here = await opened()
    for (const address of ['http://mirror.example', 'http://10.0.0.1:3000', 'http://127.0.0.1.example'])
      await expect(followTail(address, here)).rejects.toThrow('url: must be an https: address')
  })
})

test('a restored backup fetches what it lacks from a copy, is what it was, and loses what was redacted since', async () => {
  const folder = newFolder()
  const live = await opened(path.join(folder, 'live.db'))
  const run = await live.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  const input = { name: 'Zebulon', description: 'Ring 0664 555 0199', latitude: 1, longitude: 2 }
  await run.apply([{ row: 1, ref: 'A', input }])
  await run.finish({ counts: {}, missing: 'keep' })
  await live.backup(path.join(folder, 'yesterday.db'))
  const [creation] = (await live.changes.list({ action: 'created' })).logs
  await live.changes.redact(creation?.id ?? 0, { reason: 'A private number' })
  await live.users.create({ id: 'eve', name: 'Eve', xp: 100 })
  await live.waypoints.update(1, { region: 'Lund' }, user('eve'))
  const copy = await opened()
  await mirrorRegistry(await served(live), copy)
  const database = path.join(folder, 'restored.db')
  await restoreDatabase({ database, from: path.join(folder, 'yesterday.db'), erasures: 'later' })
  const restored = await opened(database)
  const { added } = await followTail(await served(copy), restored, { trustRights: true })
  expect(added).toMatchObject({ 'user created': 1, 'user granted': 1, 'waypoint edited': 2 })
  await mustEqual(restored, live)
  for (const file of readdirSync(folder).filter((name) => name.startsWith('restored.db')))
    expect(readFileSync(path.join(folder, file), 'latin1'), file).not.toMatch(/Zebulon|0664 555/u)
})

test('what is not an instance is refused with what it returned instead', async () => {
  const copy = await opened()
  await expect(mirrorRegistry('ftp://example.org', copy)).rejects.toThrow(/url: must be the http/u)
  const there = 'http://fountains.example'
  const asked = `${there}/api/logs/head`
  const instead = (answer: () => Response) => mirrorRegistry(there, copy, { fetch: async () => answer() })
  await expect(instead(() => new Response('<html>'))).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
    details: { url: asked, issues: [{ path: '', message: expect.any(String) }] },
    message: `${asked}: The response is not that of an instance.`,
  })
  const head = { id: 'first', hash: '0'.repeat(64) }
  await expect(instead(() => Response.json({ head }))).rejects.toMatchObject({
    failure: { code: 'BAD_RESPONSE', issues: [{ path: 'head.id' }] },
  })
  await expect(instead(() => new Response('', { status: 418 }))).rejects.toMatchObject({
    failure: { code: 'BAD_STATUS', url: asked, status: 418 },
  })
  const lost = () => {
    throw new TypeError('connection lost')
  }
  await expect(instead(lost)).rejects.toMatchObject({
    failure: { code: 'UNREACHABLE', message: 'connection lost' },
  })
})
