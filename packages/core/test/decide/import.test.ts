import { describe, expect, test } from 'vitest'
import { token } from '@openfountain/core'
import { delist, finishRun } from '../../src/decide/import-run.ts'
import type { ImportRow } from '../../src/decide/import.ts'
import { ada, api, bob, History, mo } from './history.ts'
import { square } from './world.ts'

const latest = (history: History) => history.after(history.world.state.size - 1)[0]

function imported(input: object = {}, row: Partial<ImportRow> = {}) {
  const history = new History()
  const first = history.run()
  history.row(first, { ref: 'a', ...row, input: { description: 'Old', ...input } })
  const record = history.newest.id
  const terms = history.run()
  const again = (there: object, rest: Partial<ImportRow> = {}) =>
    history.row(terms, { ref: 'a', ...rest, input: { description: 'Old', ...there } })
  return { history, terms, record, again }
}

const bases = (history: History) =>
  history.world.all('base').map(({ values }) => JSON.parse(values) as unknown)

test('new rows are waypoints that name their run; their record has the id of the entry', () => {
  const history = new History()
  const row = { row: 7, ref: 'a', input: { region: 'Lund' }, state: 'broken' } as const
  const outcome = history.row(history.run(), row)
  const fields = ['approved', 'latitude', 'longitude', 'name', 'region']
  const none = { conflicts: [], withheld: [] }
  expect(outcome).toEqual({ row: 7, kind: 'created', waypointId: 1, fields, ...none })
  const via = { ref: 'a', run: 1, source: 1, state: 'broken' }
  expect(latest(history)).toEqual({
    about: 'waypoint 1 created',
    fields: { ...square, approved: true, region: 'Lund', via },
  })
  const { id, at } = history.newest
  const seen = { firstSeen: at, lastSeen: at }
  const record = { id, sourceId: 1, waypointId: 1, ref: 'a', state: 'broken', ...seen }
  expect(history.world.all('record')).toEqual([record])
  const values = JSON.stringify({ ...square, region: 'Lund' })
  expect(history.world.all('base')).toEqual([{ id, values, seenIn: 1 }])
})

test.for<[string, boolean, object, boolean]>([
  ['approved', true, {}, true],
  ['not approved when the run says so', false, {}, false],
  ['not approved when the row says so', true, { approved: false }, false],
])('new rows are %s', ([, approved, input, expected]) => {
  const history = new History()
  history.row({ ...history.run(), approved }, { input })
  expect(history.world.get('waypoint', 1)?.approved).toBe(expected)
})

test('new rows without a reference are new each time', () => {
  const history = new History()
  const terms = history.run()
  expect([1, 2].map(() => history.row(terms, { input: {} }).waypointId)).toEqual([1, 2])
  expect(history.world.all('record')[0]?.ref).toBeUndefined()
})

test('new rows earn for the owner of the token', () => {
  const history = new History()
  history.row({ ...history.run(), actor: token('ada') }, { input: {} })
  expect(history.xp('ada')).toBe(150)
  expect(history.newest.by).toBe('ada')
})

test.for<[string, Partial<ImportRow>, string]>([
  ['without a name', { input: { name: '' } }, 'name must not be empty'],
  ['outside of the world', { input: { latitude: 91 } }, 'latitude must be between -90 and 90 degrees'],
  ['with an empty reference', { ref: '', input: square }, 'ref must have 1 to 500 characters'],
  ['with a long reference', { ref: 'x'.repeat(501), input: square }, 'ref must have 1 to 500 characters'],
  ['with half a character as reference', { ref: 'a\ud800', input: square }, 'no half of one'],
  ['of an unknown creator', { input: { addedByUserId: 'eve' } }, 'addedByUserId names no user'],
  ['for a waypoint that is not there', { input: square, mergeInto: 9 }, 'there is no waypoint 9'],
  ['for a tombstone', { input: square, mergeInto: 1 }, 'there is no waypoint 1'],
])('new rows: %s are refused in their outcome', ([, row, reason]) => {
  const history = new History()
  history.create()
  history.remove(api, 1)
  const terms = history.run()
  const size = history.world.state.size
  const outcome = history.row(terms, { row: 3, input: {}, ...row } as ImportRow & { input: object })
  expect(outcome).toMatchObject({ row: 3, kind: 'refused', fields: [] })
  expect(outcome.reason).toContain(reason)
  expect(history.world.state.size).toBe(size)
  expect(history.world.all('base')).toEqual([])
})

describe('rows that were imported before', () => {
  const lund = { region: 'Lund' }
  type Case = [string, object, object, string, (object | undefined)?, string[]?]
  test.for<Case>([
    ['nothing changed', {}, {}, 'unchanged'],
    ['the source changed a text', {}, { name: 'New' }, 'updated', { name: 'New' }],
    ['the source no longer has a text', {}, { description: '' }, 'updated', { description: null }],
    ['the source moved it', {}, { latitude: 1, longitude: 2 }, 'updated', { latitude: 1, longitude: 2 }],
    ['somebody changed it here', { name: 'Here' }, {}, 'unchanged'],
    ['both changed it alike', { name: 'Both' }, { name: 'Both' }, 'unchanged'],
    ['both changed it', { name: 'Here' }, { name: 'There' }, 'conflict', undefined, ['name']],
    ['both moved it', { latitude: 3 }, { latitude: 4 }, 'conflict', undefined, ['position']],
    [
      'one text conflicts, another goes',
      { name: 'Here' },
      { name: 'There', ...lund },
      'updated',
      lund,
      ['name'],
    ],
    ['somebody cleared what the source still has', { description: null }, {}, 'unchanged'],
    [
      'amenities of both are kept',
      { amenities: ['tap'] },
      { amenities: ['bubbler'] },
      'updated',
      { amenities: ['tap', 'bubbler'] },
    ],
  ])('%s', ([, here, there, kind, fields, conflicts = []]) => {
    const { history, again } = imported()
    if (Object.keys(here).length > 0) history.edit(ada, 1, here)
    const size = history.world.state.size
    const outcome = again(there)
    expect(outcome.kind).toBe(kind)
    expect(outcome.conflicts.map(({ field }) => field)).toEqual(conflicts)
    if (fields === undefined) expect(history.world.state.size).toBe(size)
    else {
      expect(latest(history)).toEqual({
        about: 'waypoint 1 edited',
        fields: { ...fields, via: { ref: 'a', run: 2, source: 1 } },
      })
    }
    expect(history.world.all('base').map(({ seenIn }) => seenIn)).toEqual([2])
    expect(again(there).kind).toBe('unchanged')
  })

  test('never change whether it is approved, and leave tombstones alone', () => {
    const { history, again } = imported()
    history.edit(mo, 1, { approved: false })
    expect(again({ name: 'New', approved: true }).kind).toBe('updated')
    expect(history.world.get('waypoint', 1)?.approved).toBe(false)
    const size = history.remove(api, 1)
    expect(again({ name: 'Newer' })).toMatchObject({ kind: 'deleted', waypointId: 1, fields: [] })
    expect(history.world.state.size).toBe(size)
  })

  const personal = {
    name: 'Jane Doe',
    description: 'Jane’s number',
    image: 'https://jane.example/1.jpg',
    maintainer: 'Jane',
    region: 'Jane’s estate',
    amenities: ['tap', 'ask Jane'],
  }
  test.for(Object.keys(personal))(
    'do not bring a redacted %s back, not into what is remembered either, nor in other words',
    (field) => {
      const { history, record, again } = imported(personal)
      history.redact(record, { fields: [field] })
      const before = history.world.get('waypoint', 1)
      const withheld = [field]
      for (const there of [personal, personal])
        expect(again(there)).toMatchObject({ kind: 'unchanged', conflicts: [], withheld })
      expect(history.world.get('waypoint', 1)).toEqual(before)
      const other = { [field]: field === 'amenities' ? ['Jane again'] : 'https://jane.example/again' }
      expect(again({ ...personal, ...other, latitude: 3 })).toMatchObject({
        kind: 'updated',
        fields: ['latitude', 'longitude'],
        withheld,
      })
      expect(history.has('again')).toBe(false)
      expect(bases(history)).toMatchObject([{ [field]: null, latitude: 3 }])
    },
  )

  test('keep what people have written since where a text was redacted, without a conflict', () => {
    const { history, record, again } = imported()
    history.redact(record, { fields: ['description'] })
    history.edit(ada, 1, { description: 'Behind the kiosk' })
    expect(again({})).toMatchObject({ kind: 'unchanged', conflicts: [], withheld: ['description'] })
    expect(again({ description: 'Behind the kiosk' })).toMatchObject({ kind: 'unchanged', withheld: [] })
  })

  test('do not bring redacted text back wherever a merge moved their record', () => {
    const { history, record, again } = imported({ name: 'Jane Doe' })
    history.create(ada, { name: 'Kept' })
    history.merge(1, 2)
    history.redact(record)
    expect(again({ name: 'Jane Doe' })).toMatchObject({ waypointId: 2, kind: 'unchanged' })
    history.restore(1)
    again({ name: 'Jane Doe' })
    expect(history.has('Jane')).toBe(false)
    expect(history.world.get('waypoint', 2)).toMatchObject({ name: 'Kept' })
  })

  test('of a tombstone whose text was redacted are not remembered', () => {
    const { history, record, again } = imported()
    history.remove(api, 1)
    history.redact(record)
    expect(again({}).kind).toBe('deleted')
    expect(bases(history)).toEqual([{ ...square, name: null, description: null }])
  })

  test.for<[string, Partial<ImportRow>, Partial<ImportRow>, object | undefined]>([
    ['the same state', { state: 'off' }, { state: 'off' }, undefined],
    ['another state', { state: 'off' }, { state: 'broken' }, { state: 'broken' }],
    ['water again', { state: 'off' }, {}, { state: null }],
    ['no water any more', {}, { state: 'broken' }, { state: 'broken' }],
    ['another reference', {}, { ref: 'b', mergeInto: 1 }, { ref: 'b' }],
    ['another reference and state', {}, { ref: 'b', mergeInto: 1, state: 'off' }, { ref: 'b', state: 'off' }],
  ])('say what a source says differently of a record: %s', ([, before, after, fields]) => {
    const { history, record, again } = imported({}, before)
    const size = history.world.state.size
    expect(again({}, after).kind).toBe('unchanged')
    expect(history.after(size)).toEqual(
      fields === undefined ? [] : [{ about: `record ${record} edited`, fields }],
    )
  })

  test('list again what was delisted', () => {
    const { history, record, again } = imported()
    history.act(() => delist(record, { actor: token(), remove: false, runId: 1 }))
    expect(history.world.get('record', record)).toMatchObject({ missingSince: history.newest.at })
    again({})
    expect(latest(history)).toEqual({ about: `record ${record} relisted`, fields: {} })
    expect(history.world.get('record', record)).not.toHaveProperty('missingSince')
    expect(history.world.get('record', record)).toMatchObject({ lastSeen: history.newest.at })
  })
})

test('rows that name a waypoint link it, and fill in only what is absent here', () => {
  const history = new History()
  history.create(ada, { description: 'Here', amenities: ['tap'] })
  const input = { name: 'There', description: 'There', region: 'Lund', amenities: ['bubbler'], latitude: 9 }
  const terms = history.run()
  const size = history.world.state.size
  expect(history.row(terms, { ref: 'a', mergeInto: 1, input })).toMatchObject({
    kind: 'linked',
    waypointId: 1,
    fields: ['region', 'amenities'],
  })
  const via = { ref: 'a', run: 1, source: 1 }
  expect(history.after(size)).toEqual([
    { about: 'waypoint 1 edited', fields: { region: 'Lund', amenities: ['tap', 'bubbler'], via } },
    { about: `record ${size + 2} linked`, fields: { via, waypoint: 1 } },
  ])
  expect(history.world.get('record', size + 2)).toMatchObject({ ref: 'a', waypointId: 1, sourceId: 1 })
})

test('rows that name a waypoint that was merged since link the one that it was merged into', () => {
  const history = new History()
  history.create()
  history.create()
  history.merge(1, 2)
  expect(history.row(history.run(), { ref: 'a', mergeInto: 1, input: {} })).toMatchObject({
    kind: 'linked',
    waypointId: 2,
  })
})

test('rows that name a waypoint of another source are a record of their own', () => {
  const { history } = imported()
  const other = history.run('Friends of water')
  expect(history.row(other, { ref: 'a', mergeInto: 1, input: {} }).kind).toBe('linked')
  expect(history.world.all('record').map(({ sourceId, waypointId }) => [sourceId, waypointId])).toEqual([
    [1, 1],
    [2, 1],
  ])
})

test('rows that name a waypoint do not fill in what was redacted', () => {
  const history = new History()
  const id = history.create(ada, { description: 'Jane' })
  history.redact(id, { fields: ['description'] })
  const outcome = history.row(history.run(), { mergeInto: 1, input: { description: 'Jane' } })
  expect(outcome).toMatchObject({ kind: 'linked', fields: [], withheld: ['description'] })
  expect(history.has('Jane')).toBe(false)
})

test('runs begin with their source, and with its new terms', () => {
  const history = new History()
  const size = history.world.state.size
  history.run('Lund', { name: 'a.csv', sha256: 'ab', bytes: 7 })
  history.run('Lund')
  expect(history.after(size)).toEqual([
    { about: 'source 1 created', fields: { license: 'CC0-1.0', name: 'Lund' } },
    { about: 'import 1 started', fields: { file: { name: 'a.csv', sha256: 'ab', bytes: 7 }, source: 1 } },
    { about: 'import 2 started', fields: { source: 1 } },
  ])
})

test.for([true, false])(
  'runs finish; only a complete one says of all records that they are listed: %s',
  (isComplete) => {
    const { history } = imported()
    const end = { runId: 2, sourceId: 1, counts: { rows: 1 }, isComplete, by: 'api' }
    history.act((at) => finishRun(at, end))
    const fields = { complete: isComplete, counts: { rows: 1 } }
    expect(latest(history)).toEqual({ about: 'import 2 finished', fields })
    expect(history.world.get('import', 2)?.finishedAt).toBe(history.newest.at)
    expect(history.world.get('source', 1)?.listedAt).toBe(isComplete ? history.newest.at : undefined)
    expect(history.world.get('progress', 2)).not.toHaveProperty('checkpoint')
  },
)

const delisting = (history: History, record: number, remove: boolean) =>
  history.act(() => delist(record, { actor: token(), remove, runId: 1 }))

const reviewed = (history: History) => history.review(bob, 1)
const listed = (history: History) =>
  history.row(history.run('Friends'), { ref: 'z', mergeInto: 1, input: {} })
test.for<[string, (history: History) => unknown, boolean]>([
  ['nobody touched it', () => 0, true],
  ['somebody edited it', (history) => history.edit(ada, 1, { region: 'Lund' }), false],
  ['edited and back', (history) => history.revert(history.edit(ada, 1, { region: 'Lund' })), false],
  ['somebody reviewed it', reviewed, false],
  ['its review was deleted', (history) => [reviewed(history), history.unreview(bob, 1)], true],
  ['another source lists it', listed, false],
  ['its text was redacted', (history) => history.redact(9, { fields: ['description'] }), true],
])(
  'rows that a source no longer lists are removed only when nobody here has a part in them: %s',
  ([, before, removable]) => {
    const { history, record } = imported()
    expect(record).toBe(9)
    before(history)
    const size = history.world.state.size
    const outcome = removable ? 'removed' : 'marked'
    expect(delisting(history, record, true)).toEqual({
      waypointId: 1,
      isMarked: false,
      outcome,
    })
    const via = { source: 1, run: 1, ref: 'a' }
    const deleted = { about: 'waypoint 1 deleted', fields: { via } }
    const delisted = { about: `record ${record} delisted`, fields: {} }
    expect(history.after(size)).toEqual(removable ? [delisted, deleted] : [delisted])
  },
)

test('rows that a source no longer lists are marked once, those that are gone here stay gone, and no record is no row', () => {
  const { history, record } = imported()
  expect(delisting(history, record, false)?.outcome).toBe('marked')
  const { size } = history.world.state
  expect(delisting(history, record, false)?.outcome).toBe('marked')
  expect(delisting(history, 999, true)).toBeUndefined()
  expect(history.world.state.size).toBe(size)
  history.remove(api, 1)
  expect(delisting(history, record, true)).toMatchObject({ outcome: 'gone' })
  expect(history.world.state.size).toBe(size + 1)
})

test('a token of nobody imports nothing', () => {
  const history = new History()
  const terms = { ...history.run(), actor: token('nobody') }
  expect(() => history.row(terms, { input: {} })).toThrow('There is no user with this id')
})
