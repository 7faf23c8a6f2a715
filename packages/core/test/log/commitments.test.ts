import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { commit, commitmentsOf, digestOf, leafData, redact, saltOf } from '../../src/log/leaf.ts'

const H = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

const seed = '000102030405060708090a0b0c0d0e0f'

const known = {
  id: 8,
  at: '2026-01-01T00:00:00.000Z',
  by: 'u1',
  subject: 'waypoint',
  subjectId: 17,
  action: 'edited',
  fields: { name: 'Well', region: null },
  seed,
  awards: [['u1', 'editWaypoint', 10]],
  links: { reverts: 3 },
} as const

test('the format of the log: a known entry, in full', () => {
  const fields = { region: 'Lund', name: 'Well' }
  const { text, digest } = commit(fields, seed)
  expect(text).toBe('{"name":"Well","region":"Lund"}')
  expect(saltOf(seed, 'name')).toBe(H('["000102030405060708090a0b0c0d0e0f","name"]').slice(0, 32))
  const name = H(`["${saltOf(seed, 'name')}","name","Well"]`)
  const region = H(`["${saltOf(seed, 'region')}","region","Lund"]`)
  expect(digest).toBe(H(`{"name":"${name}","region":"${region}"}`))
  const { fields: _fields, seed: _seed, ...entry } = known
  const data = leafData({ ...entry, links: { reverts: 3, act: 2 } }, digest)
  expect(data).toBe(
    `["openfountain/1",8,"2026-01-01T00:00:00.000Z","u1","waypoint",17,"edited","${digest}",[["u1","editWaypoint",10]],{"act":2,"reverts":3}]`,
  )
})

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
