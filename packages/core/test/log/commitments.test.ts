import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { commit, commitmentsOf, digestOf, leafData, redact, saltOf } from '../../src/log/commitments.ts'
import { loggedEntry, type LoggedEntry, type StoredEntry } from '../../src/log/entry.ts'
import { leafHash } from '../../src/log/tree.ts'
import { ada, api, bob, History, mo } from '../decide/history.ts'

/** The format of the log, again and from nothing, so that it cannot change unnoticed. */
const H = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

function J(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(J).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = value as Readonly<Record<string, unknown>>
  const names = Object.keys(members).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${J(members[name])}`).join(',')}}`
}

function leafOf(entry: LoggedEntry): string {
  const commitments: Record<string, string> = { ...entry.commitments }
  for (const [field, value] of Object.entries(entry.fields)) {
    const salt = entry.seed === undefined ? entry.salts?.[field] : H(J([entry.seed, field])).slice(0, 32)
    commitments[field] = H(J([salt, field, value]))
  }
  const { id, at, by, subject, subjectId, action, awards, links } = entry
  const digest = H(J(commitments))
  const data = J(['openfountain/1', id, at, by, subject, subjectId, action, digest, awards, links])
  return H(`\u0000${data}`)
}

/** An entry of each kind, with texts of several alphabets. */
function history(): History {
  const made = new History()
  made.create(ada, {
    name: 'Brunnen "Süd" \u2028 水飲み場 🚰',
    description: 'two\nlines\tand a \\',
    amenities: ['tap', 'Ünknown'],
    latitude: -0.000_000_1,
    longitude: 1e-7,
  })
  made.edit(bob, 1, { description: null, amenities: [] })
  made.edit(mo, 1, { name: 'Well', verified: true })
  made.review(bob, 1, 'Cold')
  made.area('Lund', 'Here')
  const terms = made.run('City of Lund', { name: 'a.csv', sha256: 'ab', bytes: 7 })
  made.row(terms, { ref: 'é/1', input: { name: 'Imported' }, state: 'off' })
  made.merge(2, 1)
  made.restore(2)
  made.revert(made.edit(bob, 1, { region: 'Spam' }))
  made.block('bob', 'spam')
  made.redact(7, { fields: ['name'] })
  made.remove(api, 2)
  return made
}

describe('the format of the log', () => {
  const all = history().world.all('entry')
  const find = (is: (entry: StoredEntry) => boolean): StoredEntry => {
    const found = all.find(is)
    if (found === undefined) throw new Error('the history has no such entry')
    return found
  }

  test('every leaf is that of the definition, whatever the entry is about', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(8)
    for (const entry of all) expect([entry.id, entry.leaf]).toEqual([entry.id, leafOf(loggedEntry(entry))])
  })

  test.for<[string, (entry: StoredEntry) => boolean]>([
    ['a redacted entry', ({ hole }) => hole !== undefined],
    ['an entry with an award', ({ awards }) => awards.length > 0],
    ['an entry with links', ({ links }) => links.reverts !== undefined],
    [
      'an entry with several awards or negative ones',
      ({ awards }) => awards.some(([, , amount]) => amount < 0),
    ],
    ['an entry without fields', ({ fields }) => Object.keys(fields).length === 0],
  ])('%s', ([, is]) => {
    const entry = find(is)
    expect(leafHash(leafData(entry, digestOf(entry)))).toBe(leafOf(loggedEntry(entry)))
  })

  test('no member can be changed unnoticed', () => {
    const entry = loggedEntry(find(({ awards, links }) => awards.length > 0 && links.reverts !== undefined))
    const leaf = leafOf(entry)
    const forged: readonly LoggedEntry[] = [
      { ...entry, id: entry.id + 1 },
      { ...entry, at: '2026-01-01T00:00:00.001Z' },
      { ...entry, by: 'eve' },
      { ...entry, subject: 'review' },
      { ...entry, subjectId: String(entry.subjectId) },
      { ...entry, action: 'created' },
      { ...entry, awards: [] },
      { ...entry, links: {} },
      { ...entry, fields: { ...entry.fields, extra: 1 } },
      { ...entry, fields: {} },
      ...Object.keys(entry.fields).map((name) => ({ ...entry, fields: { ...entry.fields, [name]: 'x' } })),
    ]
    for (const each of forged) {
      const sealed = { fields: each.fields, seed: each.seed ?? null }
      const data = leafData({ ...each, action: each.action as StoredEntry['action'] }, digestOf(sealed))
      expect(leafHash(data)).toBe(leafOf(each))
      expect(leafHash(data)).not.toBe(leaf)
    }
  })

  test('a known entry, in full', () => {
    const seed = '000102030405060708090a0b0c0d0e0f'
    const fields = { region: 'Lund', name: 'Well' }
    const { text, digest } = commit(fields, seed)
    expect(text).toBe('{"name":"Well","region":"Lund"}')
    expect(saltOf(seed, 'name')).toBe(H('["000102030405060708090a0b0c0d0e0f","name"]').slice(0, 32))
    const name = H(`["${saltOf(seed, 'name')}","name","Well"]`)
    const region = H(`["${saltOf(seed, 'region')}","region","Lund"]`)
    expect(digest).toBe(H(`{"name":"${name}","region":"${region}"}`))
    const data = leafData(
      {
        id: 8,
        at: '2026-01-01T00:00:00.000Z',
        by: 'u1',
        subject: 'waypoint',
        subjectId: 17,
        action: 'edited',
        awards: [['u1', 'editWaypoint', 10]],
        links: { reverts: 3, act: 2 },
      },
      digest,
    )
    expect(data).toBe(
      `["openfountain/1",8,"2026-01-01T00:00:00.000Z","u1","waypoint",17,"edited","${digest}",[["u1","editWaypoint",10]],{"act":2,"reverts":3}]`,
    )
  })
})

describe('holes', () => {
  const seed = '000102030405060708090a0b0c0d0e0f'
  const fields = { name: 'Well', region: 'Lund', latitude: 1, amenities: ['tap'] }
  const { digest } = commit(fields, seed)

  test('whatever is removed, and in whatever steps, the digest stays', () => {
    let sealed: Parameters<typeof digestOf>[0] = { fields, seed }
    for (const name of ['name', 'amenities', 'latitude', 'region']) {
      const { fields: left, hole } = redact(sealed, new Set([name]))
      sealed = { fields: left, seed: null, hole }
      expect(digestOf(sealed)).toBe(digest)
      expect(left).not.toHaveProperty(name)
      expect(Object.keys(hole.salts).toSorted()).toEqual(Object.keys(left).toSorted())
    }
    expect(sealed.fields).toEqual({})
    const { fields: none, hole } = redact({ fields, seed }, new Set(Object.keys(fields)))
    expect(digestOf({ fields: none, seed: null, hole })).toBe(digest)
  })

  test('removing what is not there changes nothing', () => {
    const once = redact({ fields, seed }, new Set(['name']))
    const again = redact({ fields: once.fields, seed: null, hole: once.hole }, new Set(['name', 'image']))
    expect(again).toEqual(once)
  })

  test('a field without a salt, and one that is there and removed, cannot be proven', () => {
    const { fields: left, hole } = redact({ fields, seed }, new Set(['name']))
    expect(() => digestOf({ fields: left, seed: null, hole: { ...hole, salts: {} } })).toThrow(
      'cannot be proven',
    )
    expect(() => digestOf({ fields, seed: null, hole })).toThrow('field name cannot be proven')
    expect(() => digestOf({ fields: left, seed: null })).toThrow('neither a seed nor salts')
    expect(Object.keys(commitmentsOf({ fields: left, seed: null, hole })).toSorted()).toEqual(
      Object.keys(fields).toSorted(),
    )
  })

  test('what is left says nothing of what was removed: the salt is gone with the seed', () => {
    const { hole } = redact({ fields, seed }, new Set(['region']))
    expect(JSON.stringify(hole)).not.toContain(saltOf(seed, 'region'))
    expect(JSON.stringify(hole)).not.toContain(seed)
  })
})
