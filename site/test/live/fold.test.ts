import { expect, it } from 'vitest'
import { readPage } from '../../src/live/log.ts'
import { valuesIn } from '../../src/live/fold.ts'
import { LiveLayer } from '../../src/live/layer.ts'
import { pause } from '../../src/live/polling.ts'
import type { Fountain } from '../../src/map/data/cell.ts'

const at = '2026-02-01T00:00:00.000Z'
const head = { id: 100, hash: 'a' }
const rest = { at, by: 'ada', subject: 'waypoint', action: 'edited', fields: {}, awards: [], links: {} }
const entry = (id: number, more: object = {}) => ({ id, subjectId: 7, ...rest, ...more })

const tooManyEntries = Array.from({ length: 1001 }, (_, index) => entry(11 + index))

it.each<[string, unknown]>([
  ['something else', null],
  ['a list', []],
  ['no head', { changes: [], origin: 'a' }],
  ['entries in another order', { changes: [entry(12), entry(11)], head, origin: 'a' }],
  ['entries from before', { changes: [entry(10)], head, origin: 'a' }],
  ['entries beyond its head', { changes: [entry(101)], head, origin: 'a' }],
  ['too many entries', { changes: tooManyEntries, head: { id: 5000, hash: '' }, origin: 'a' }],
  ['an entry without fields', { changes: [entry(11, { fields: null })], head, origin: 'a' }],
  ['an entry at no time', { changes: [entry(11, { at: 'soon' })], head, origin: 'a' }],
])('a page of the log that is %s is refused', (_, page) => {
  expect(() => readPage(page, 10)).toThrow('of the log')
})

it('values that a fountain cannot have are left out, very long ones are cut, and cleared ones are cleared', () => {
  const position = { latitude: 91, longitude: Number.NaN }
  const others = { name: 7, amenities: 'tap', approved: 'yes', verified: 1, description: { toString: 'x' } }
  expect(valuesIn({ ...position, ...others })).toEqual({})
  const values = valuesIn({ name: 'x'.repeat(10_000), description: null, region: null, amenities: null })
  expect(values.name).toHaveLength(500)
  expect(values).toMatchObject({ amenities: [] })
  expect(Object.keys(values)).toEqual(expect.arrayContaining(['description', 'region']))
})

const place = { name: 'Old', latitude: 1, longitude: 2, amenities: ['tap'], approved: true, verified: true }
const plain: Fountain = { id: 7, ...place, rating: 4.5, review_count: 2, page: true, stages: [] }
const fold = (layer: LiveLayer, ...changes: object[]) =>
  layer.fold(readPage({ changes, head, origin: 'a' }, 0).entries)

it('the layer shows what the server says of whether a fountain gives water, and what the visitor said until then', () => {
  const layer = new LiveLayer('')
  const observed = { subject: 'observation', subjectId: 11, action: 'created', fields: { waypoint: 7 } }
  fold(layer, entry(11, observed))
  expect(layer.takeObserved(50)).toEqual([7])
  expect(layer.takeObserved(50)).toEqual([])
  layer.takeStatus({
    id: 7,
    status: { state: 'reported', since: '2026-02-01', supporters: 1 },
    isWaiting: true,
  })
  expect(layer.incomplete()).toEqual([7])
  const built = { ...plain, stages: [{ state: 'works', people: 2 }], state: 'works' } as const
  layer.complete({ ...built, season: '03-15/10-31' })
  expect(layer.get(7)).toMatchObject({
    state: 'reported',
    isWaiting: true,
    stages: [{ since: '2026-02-01' }],
  })
  layer.takeStatus({ id: 7, status: { state: 'off', supporters: 0 } })
  expect(layer.get(7)).toMatchObject({
    state: 'off',
    stages: [{ back: expect.stringMatching(/-03-15$/u) as string }],
  })
  expect(layer.get(7)).not.toHaveProperty('isWaiting')
  layer.takeStatus({ id: 7, status: { state: 'unconfirmed', supporters: 0 } })
  expect(layer.get(7)).toMatchObject({ state: undefined })
  layer.takeStatus({ id: 7, status: { state: '<b>', supporters: 'x' } })
  expect(layer.replaces(7)).toBe(false)
})

it('the layer does not go back to what was before the visitor’s own change', () => {
  const layer = new LiveLayer('/api')
  layer.take({ id: 7, waypoint: { ...plain, name: 'Mine', updatedAt: '2026-02-01T00:00:05.000Z' } })
  fold(layer, entry(11, { fields: { name: 'Before' } }), entry(12, { subject: 'user', subjectId: 'ada' }))
  expect(layer.get(7)?.name).toBe('Mine')
  fold(layer, entry(13, { at: '2026-02-01T00:00:06.000Z', fields: { name: 'After' } }))
  expect(layer.get(7)?.name).toBe('After')
  expect(layer.changes().map(([id]) => id)).toEqual([7])
  layer.forget()
  expect(layer.replaces(7)).toBe(false)
})

it.each([
  [{}, 10],
  [{ idleSeconds: 599 }, 10],
  [{ idleSeconds: 600 }, 60],
  [{ hasFailed: true }, 60],
  [{ isOften: false }, 60],
])('pauses between requests with %o are %d s', (given, seconds) => {
  expect(pause({ isOften: true, idleSeconds: 0, hasFailed: false, ...given })).toBe(seconds)
})
