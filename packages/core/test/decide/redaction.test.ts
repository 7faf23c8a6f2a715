import { describe, expect, test } from 'vitest'
import { digestOf, leafData } from '../../src/log/leaf.ts'
import { Frontier, leafHash } from '@openfountain/tlog/frontier'
import { ada, api, bob, History, mo, refusal } from './history.ts'
import { square } from './world.ts'

function mustBeProven({ world }: History): void {
  const frontier = new Frontier()
  for (const entry of world.all('entry')) {
    expect(leafHash(leafData(entry, digestOf(entry)))).toBe(entry.leaf)
    frontier.append(entry.leaf)
  }
  expect(frontier.peaks).toEqual(world.state.peaks)
}

describe('which text a redaction removes', () => {
  test('all text of an entry that is in force: it is cleared by an ordinary entry first, in one act', () => {
    const history = new History()
    const jane = { name: 'Jane Doe', description: 'her garden', region: 'Lund', amenities: ['tap'] }
    const id = history.create(ada, jane)
    const answer = history.redact(id)
    expect(answer.entries).toEqual([id])
    const cleared = { amenities: [], description: null, name: '(redacted)', region: null }
    const names = ['name', 'description', 'amenities', 'region']
    expect(history.after(id)).toEqual([
      { about: 'waypoint 1 edited', fields: cleared, links: { act: id + 1 } },
      { about: `entry ${id} redacted`, fields: { names, reason: 'privacy' }, links: { act: id + 1 } },
    ])
    expect(history.world.get('waypoint', 1)).toMatchObject({
      name: '(redacted)',
      amenities: [],
      redactedFields: ['amenities', 'description', 'name', 'region'],
    })
    expect(history.entry(id)).toMatchObject({ seed: null, fields: { latitude: 55.7029, longitude: 13.1929 } })
    expect(history.has('Jane')).toBe(false)
    mustBeProven(history)
  })

  test('the given fields alone; all others can still be proven', () => {
    const history = new History()
    const id = history.create(ada, { name: 'Jane Doe', description: 'her garden' })
    history.redact(id, { fields: ['name'] })
    const { fields, hole } = history.entry(id)
    expect(fields).toEqual({ description: 'her garden', latitude: 55.7029, longitude: 13.1929 })
    expect(Object.keys(hole?.salts ?? {}).toSorted()).toEqual(['description', 'latitude', 'longitude'])
    expect(Object.keys(hole?.commitments ?? {})).toEqual(['name'])
    mustBeProven(history)
    history.redact(id)
    expect(Object.keys(history.entry(id).hole?.commitments ?? {}).toSorted()).toEqual(['description', 'name'])
    expect(history.has('garden')).toBe(false)
    mustBeProven(history)
  })

  test('text that somebody changed since is removed without an ordinary entry', () => {
    const history = new History()
    const id = history.create(ada, { name: 'Jane Doe' })
    history.edit(bob, 1, { name: 'Well' })
    const before = history.world.state.size
    history.redact(id)
    expect(history.after(before)).toEqual([
      { about: `entry ${id} redacted`, fields: { names: ['name'], reason: 'privacy' } },
    ])
    expect(history.world.get('waypoint', 1)?.name).toBe('Well')
  })

  test('copies that reverts, restores and merges made, and only those', () => {
    const history = new History()
    const id = history.create(ada, { description: 'Jane Doe', region: 'Lund' })
    const edit = history.edit(bob, 1, { description: 'A well', region: 'Malmö' })
    const [back = 0] = history.revert(edit)
    history.remove(api, 1)
    history.restore(1)
    const restored = history.newest.id
    const other = history.create(ada, { description: 'Jane Doe' })
    expect(history.redact(back, { fields: ['description'] }).entries).toEqual([id, back, restored])
    expect(history.entry(edit).fields).toEqual({ description: 'A well', region: 'Malmö' })
    expect(history.entry(other).fields).toMatchObject({ description: 'Jane Doe' })
    expect(history.world.get('waypoint', 1)).not.toHaveProperty('description')
    mustBeProven(history)
  })

  test('an amenity in anybody’s words goes from every list that has it, words of the vocabulary stay elsewhere', () => {
    const history = new History()
    const id = history.create(ada, { amenities: ['tap', 'ask Jane Doe'] })
    const longer = history.edit(bob, 1, { amenities: ['tap', 'ask Jane Doe', 'dog-bowl'] })
    const without = history.edit(bob, 1, { amenities: ['tap', 'dog-bowl'] })
    const again = history.edit(bob, 1, { amenities: ['ask Jane Doe', 'bubbler'] })
    expect(history.redact(id, { fields: ['amenities'] }).entries).toEqual([id, longer, again])
    expect(history.entry(without).fields).toEqual({ amenities: ['tap', 'dog-bowl'] })
    expect(history.world.get('waypoint', 1)?.amenities).toEqual([])
    expect(history.has('Jane')).toBe(false)
  })

  test('positions go from tombstones only, both halves from all entries', () => {
    const history = new History()
    const id = history.create()
    const moved = history.edit(ada, 1, { latitude: 1 })
    expect(refusal(() => history.redact(id, { fields: ['latitude'] })).code).toBe('INVALID_INPUT')
    history.remove(api, 1)
    expect(history.redact(id, { fields: ['longitude'] }).entries).toEqual([id, moved])
    expect(history.entry(id).fields).toEqual({ name: square.name })
    expect(history.entry(moved).fields).toEqual({})
    expect(history.world.get('waypoint', 1)).toMatchObject({ latitude: 0, longitude: 0 })
    expect(history.has('55.7')).toBe(false)
    expect(refusal(() => history.restore(1))).toMatchObject({ code: 'CONFLICT' })
    mustBeProven(history)
  })

  test('comments of reviews, in force, deleted and restored ones', () => {
    const history = new History()
    history.create()
    const first = history.review(bob, 1, 'Jane lives here')
    const gone = history.unreview(bob, 1)
    const [restored = 0] = history.revert(gone)
    expect(history.redact(first).entries).toEqual([first, restored])
    expect(history.world.get('review', 1)).not.toHaveProperty('comment')
    const second = history.review(bob, 1, 'Jane again')
    history.unreview(bob, 2)
    history.redact(second)
    expect(history.has('Jane')).toBe(false)
    mustBeProven(history)
  })

  test('name and note of an area, the file of a run', () => {
    const history = new History()
    const area = history.area('Jane’s estate', 'Jane again')
    history.redact(area)
    expect(history.world.get('area', 1)?.name).toBe('(redacted)')
    const terms = history.run('Lund', { name: 'jane.csv', sha256: 'ab', bytes: 7 })
    expect(terms.runId).toBe(1)
    history.redact(history.newest.id)
    expect(history.world.get('import', 1)).not.toHaveProperty('file')
    expect(history.has('Jane') || history.has('jane')).toBe(false)
    mustBeProven(history)
  })

  test('the reason of a block, from every block that has it; the one in force is emptied, another stays', () => {
    const history = new History()
    const first = history.block('bob', 'is Jane Doe')
    history.unblock('bob')
    const again = history.block('bob', 'is Jane Doe')
    history.unblock('bob')
    const second = history.block('bob', 'spam')
    expect(history.redact(first).entries).toEqual([first, again])
    expect(history.world.get('user', 'bob')?.block).toEqual({ reason: 'spam' })
    history.redact(second)
    expect(history.world.get('user', 'bob')?.block).toEqual({ reason: '' })
    const grant = history.grant('ada', 5, 'for Jane')
    history.redact(grant)
    expect(history.has('Jane')).toBe(false)
    mustBeProven(history)
  })

  test('the reason of a redaction itself', () => {
    const history = new History()
    const id = history.create(ada, { description: 'x' })
    history.redact(id, { fields: ['description'], reason: 'Jane asked' })
    const said = history.newest.id
    history.redact(said)
    expect(history.entry(said).fields).toEqual({ names: ['description'] })
    expect(history.has('Jane')).toBe(false)
    mustBeProven(history)
  })

  test('what importers remember, the position of an older import included', () => {
    const history = new History()
    const row = (input: object) => history.row(history.run(), { ref: 'a', input })
    const bases = () => history.world.all('base').map(({ values }) => JSON.parse(values) as unknown)
    row({ name: 'Jane Doe', latitude: 1, longitude: 2 })
    const id = history.newest.id
    row({ name: 'Jane Doe', latitude: 3, longitude: 4 })
    history.redact(id, { fields: ['name'] })
    // A null value is closed to the source.
    expect(bases()).toEqual([{ name: null, latitude: 3, longitude: 4 }])
    history.remove(api, 1)
    history.redact(id, { fields: ['latitude'] })
    expect(bases()).toEqual([{ name: null, latitude: null, longitude: null }])
  })
})

test('what clears a field has no text: without it an older text would be in force again', () => {
  const history = new History()
  history.create(ada, { name: 'Jane Doe', description: 'her garden', amenities: ['tap'] })
  const id = history.edit(ada, 1, { amenities: [], description: null })
  expect(() => history.redact(id)).toThrow('no text to remove')
  mustBeProven(history)
})

const history = new History()
const id = history.create(ada, { description: 'x' })
const flagged = history.edit(mo, 1, { verified: true })
const deleted = history.remove(api, 1)
history.create()
const review = history.review(bob, 2)

test.for<[string, number, { reason?: string; fields?: string[] }, string, string]>([
  ['an entry that is not there', 999, {}, 'NOT_FOUND', ''],
  ['without a reason', id, { reason: ' ' }, 'INVALID_INPUT', 'reason must not be empty'],
  ['a reason before the entry', 999, { reason: '' }, 'INVALID_INPUT', 'reason must not be empty'],
  ['a flag', flagged, { fields: ['verified'] }, 'INVALID_INPUT', 'cannot include verified'],
  ['a flag by default', flagged, {}, 'INVALID_INPUT', 'no text to remove'],
  ['a deletion', deleted, {}, 'INVALID_INPUT', 'no text to remove'],
  ['a rating', review, { fields: ['rating'] }, 'INVALID_INPUT', 'choose from comment, reason'],
  ['a review without a comment', review, {}, 'INVALID_INPUT', 'no text to remove'],
  ['a field that the entry does not have', id, { fields: ['region'] }, 'INVALID_INPUT', 'has none'],
  ['no field', id, { fields: [] }, 'INVALID_INPUT', 'no text to remove'],
  ['a person', 1, {}, 'INVALID_INPUT', 'no text to remove'],
])('redactions that are refused: %s', ([, entry, options, code, message]) => {
  const before = history.world.state.size
  const write = () => history.redact(entry, options)
  expect(refusal(write).code).toBe(code)
  expect(write).toThrow(message)
  expect(history.world.state.size).toBe(before)
})

test('redactions that are refused: the same again', () => {
  history.redact(id)
  expect(refusal(() => history.redact(id)).code).toBe('INVALID_INPUT')
})
