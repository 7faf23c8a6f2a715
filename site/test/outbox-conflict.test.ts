import type { Waypoint } from '@openfountain/core'
import { expect, it } from 'vitest'
import type { Submission } from '../src/contribute/outbox/submission.ts'
import { asNew, differences, afterConflict, resolved } from '../src/contribute/outbox/conflict.ts'
import { fieldAt, overlaid } from '../src/contribute/members.ts'

const at = '2026-01-01T00:00:00.000Z'
const well = { name: 'Well', description: 'Old', amenities: ['tap', 'bench'] }
const flags = { approved: true, verified: false, addedByUserId: 'u1', createdAt: at, updatedAt: at }
const base: Waypoint = { id: 17, ...well, latitude: 55.7, longitude: 13.19, ...flags }

const edit = (body: object): Submission => {
  const request = { method: 'PATCH', path: '/waypoints/17', body, ifMatch: '"1"', key: 'a' } as const
  const waits = { madeAt: at, state: 'sending', isUncertain: true, order: 1, by: 'u1' } as const
  return { kind: 'edit', base, subject: 'Well', ...request, ...waits }
}

const theirsEtag = '"2"'

const own = { height: 1, jets: 2, by: ['Ada', 'Béla'] }
const before = { ...base, properties: own }
const change = (members: object): Submission => ({ ...edit({ properties: members }), base: before })

it('custom fields go on over somebody else’s change of another one', () => {
  const theirs = { ...before, properties: { ...own, jets: 3 } }
  const submission = afterConflict(change({ height: 1.5 }), { theirs, theirsEtag })
  expect(submission).toMatchObject({ state: 'waiting', body: { properties: { height: 1.5 } } })
  expect(differences(submission, theirs).map(({ field }) => field)).toEqual(['properties.height'])
})

it('custom fields are asked about where both changed the same one, and the chosen ones are sent', () => {
  const theirs = { ...before, properties: { ...own, height: 2, by: ['Béla', 'Ada'] } }
  const submission = change({ height: null, jets: 4, by: ['Ada', 'Béla'] })
  expect(afterConflict(submission, { theirs, theirsEtag }).state).toBe('conflict')
  const contested = differences(submission, theirs).map(({ field, isContested }) => `${field} ${isContested}`)
  expect(contested).toEqual(['properties.height true', 'properties.jets false'])
  const sent = resolved(submission, { theirs, theirsEtag }, ['properties.height'])
  expect(sent?.body).toEqual({ properties: { height: null } })
  expect(resolved(submission, { theirs, theirsEtag }, [])).toBeUndefined()
})

it('custom fields are shown as they will be, each by itself, and found by the path that a refusal names', () => {
  const shown = overlaid(before, { properties: { jets: 4 } }, { name: 'New', properties: { height: null } })
  expect(shown).toEqual({ ...before, name: 'New', properties: { ...own, height: null, jets: 4 } })
  expect(overlaid(base, { name: 'New' })).toEqual({ ...base, name: 'New' })
  const paths = ['properties.by.0', 'properties', 'amenities.1', 'name'].map(fieldAt)
  expect(paths).toEqual(['properties.by', 'properties', 'amenities', 'name'])
})

it('an edit that meets somebody else’s change goes on over it where both changed other fields', () => {
  const theirs = { ...base, name: 'Theirs' }
  const waits = { state: 'waiting', ifMatch: '"2"', base: theirs, isUncertain: false }
  expect(afterConflict(edit({ description: 'New' }), { theirs, theirsEtag })).toMatchObject(waits)
})

const { description: _description, ...cleared } = base
const same = { name: 'Same', amenities: ['bench', 'chilled', 'tap'] }
const [written, clearing] = [{ description: 'New' }, { description: null }]
const now = (more: object, tag = theirsEtag) => ({
  theirs: { ...base, ...more },
  ...(tag !== '' && { theirsEtag: tag }),
})

it.each<[string, object, { theirs: Waypoint; theirsEtag?: string }, string]>([
  ['goes on where both wrote the same', same, now(same), 'waiting'],
  ['goes on where amenities are in another order', { amenities: ['bench', 'tap'] }, now({}), 'waiting'],
  ['asks where the other cleared the field', written, { theirs: cleared, theirsEtag }, 'conflict'],
  ['asks where the other changed what was cleared', clearing, now({ description: 'Theirs' }), 'conflict'],
  ['asks when the server refuses the tag that it gave', written, now({}, '"1"'), 'conflict'],
  ['asks when the server gives no tag', written, now({}, ''), 'conflict'],
])('an edit that meets somebody else’s change %s', (_what, body, theirs, state) => {
  expect(afterConflict(edit(body), theirs).state).toBe(state)
})

it('an edit that meets somebody else’s change asks where one moved it east and the other north, since a position is one thing', () => {
  const theirs = { ...base, latitude: 55.71 }
  const mine = { latitude: 55.71, longitude: 13.2 }
  const position = { field: 'position', mine, isContested: true }
  expect(differences(edit({ longitude: 13.2 }), theirs)).toMatchObject([position])
})

it('an edit that meets somebody else’s change sends the chosen fields alone, and nothing when none is chosen', () => {
  const submission = edit({ name: 'Mine', description: 'New' })
  const now = { theirs: { ...base, name: 'X', description: 'Y' }, theirsEtag: '"3"' }
  const before = afterConflict(submission, { theirs: { ...base, name: 'X' }, theirsEtag })
  const sent = { body: { name: 'Mine' }, ifMatch: '"3"' }
  expect(resolved(before, now, ['name'])).toMatchObject(sent)
  expect(resolved(submission, now, [])).toBeUndefined()
})

it('an edit that meets somebody else’s change goes to the fountain that its own was merged into', () => {
  const now = { theirs: { ...base, id: 9 }, theirsEtag: '"4"' }
  const moved = resolved(edit({ description: 'New' }), now, ['description'])
  expect(moved).toMatchObject({ path: '/waypoints/9' })
  const written = { kind: 'review', method: 'POST', path: '/reviews' } as const
  const review: Submission = { ...edit({ bubblerId: 17, rating: 4 }), ...written }
  expect(resolved(review, now, [])).toMatchObject({ path: '/reviews', body: { bubblerId: 9, rating: 4 } })
})

it('an edit that meets somebody else’s change makes a new fountain of one that is gone, as it was with what was written', () => {
  expect(asNew(edit({ description: null, name: 'Mine' }))).toMatchObject({
    kind: 'create',
    method: 'POST',
    path: '/waypoints',
    body: { name: 'Mine', latitude: 55.7, amenities: ['tap', 'bench'] },
  })
  expect(asNew(edit({ description: null })).body).not.toHaveProperty('description')
  const before = { ...base, properties: { a: 1, b: 2, c: 3 } }
  const own = { ...edit({ properties: { a: null, b: 4 } }), base: before }
  expect(asNew(own)).toMatchObject({ body: { properties: { b: 4, c: 3 } } })
  expect(asNew(edit({}))).not.toHaveProperty('ifMatch')
})
