import { ring } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { mirrorEntry } from '../../src/decide/mirrored.ts'
import { type GivenEntry } from '../../src/log/entry.ts'
import { saltOf } from '../../src/log/leaf.ts'
import { ada, api, bob, History, mo } from './history.ts'
import { vouchedBy, World } from './world.ts'

const now = '2026-06-01T00:00:00.000Z'
const seed = '0123456789abcdef0123456789abcdef'

function follow(copy: World, entries: readonly GivenEntry[], size = 500): World {
  for (let from = 0; from < entries.length; from += size)
    copy.write(
      entries
        .slice(from, from + size)
        .map((entry) => ({ decide: () => mirrorEntry(entry, new Map([['ada', 'Ada']]), now) })),
      now,
    )
  return copy
}

const everything = (world: World) => [vouchedBy(world), world.state.size, world.state.peaks]

test('what a local write makes is taken over: awards of other rules, and names that are refused today, since they were not always', () => {
  const history = new History()
  history.create(ada)
  const awards = [['ada', 'cleanedFountain', 7] as [string, string, number]]
  const entries = history.world
    .log()
    .map((entry) =>
      entry.subject === 'waypoint'
        ? { ...entry, awards, fields: { ...entry.fields, name: '\u2060' } }
        : entry,
    )
  const copy = follow(new World(), entries)
  expect(copy.get('user', 'ada')?.xp).toBe(107)
  expect(copy.get('waypoint', 1)?.name).toBe('\u2060')
})

const base = {
  at: '2026-05-31T00:00:00.000Z',
  by: 'ada',
  seed,
  awards: [],
  links: {},
  fields: {},
} satisfies Partial<GivenEntry>

type Rest = Partial<GivenEntry>
type Fields = GivenEntry['fields']
const about =
  (subject: GivenEntry['subject'], subjectId: number | string, action: string) =>
  (fields: Fields = {}, rest: Rest = {}): Omit<GivenEntry, keyof typeof base | 'id'> & Rest => ({
    subject,
    subjectId,
    action,
    fields,
    ...rest,
  })

const square = { latitude: 1, longitude: 2, name: 'Well' }
const x = { name: 'x' }
const bare = about('waypoint', 3, 'created')
const create = (fields: Fields = {}, rest: Rest = {}) => bare({ ...square, ...fields }, rest)
const restore = (subjectId: number, restores: number) => create({}, { subjectId, links: { restores } })
const edit = about('waypoint', 1, 'edited')
const awarded = (...awards: GivenEntry['awards']) => edit(x, { awards })
const edited: GivenEntry['awards'][number] = ['ada', 'editWaypoint', 10]
const linked = (links: GivenEntry['links']) => edit(x, { links })
const merged = (mergedInto: number) => about('waypoint', 1, 'deleted')({}, { links: { mergedInto } })
const approve = about('waypoint', 1, 'approved')
const gone = about('waypoint', 2, 'edited')
const via = (fields: Fields) => ({ via: { run: 1, source: 1, ...fields } })
const review = about('review', 2, 'created')
const rated = { rating: 4, waypoint: 1 }
const named = (subjectId: number | string) => about('user', subjectId, 'created')()
const block = (fields: Fields) => about('user', 'bob', 'blocked')(fields)
const area = (fields: Fields) =>
  about('area', 1, 'created')({ ...x, coordinates: [ring], properties: {}, active: true, ...fields })
const link = about('record', 4, 'linked')
const grant = about('user', 'bob', 'granted')
const listed = about('source', 2, 'created')
const redact = (subjectId: number, names: readonly string[], rest: Fields = { reason: 'x' }) =>
  about('entry', subjectId, 'redacted')({ names, ...rest })

/** An entry with lost fields: salts of the remaining ones, and commitments of the lost ones. */
function hole(salted: object, ...lost: readonly string[]): Rest {
  const salts = Object.fromEntries(Object.keys(salted).map((name) => [name, saltOf(seed, name)]))
  return {
    seed: undefined,
    salts,
    commitments: Object.fromEntries(lost.map((name) => [name, 'ab'.repeat(32)])),
  }
}

const forgeries: readonly [string, ReturnType<typeof edit>, string][] = [
  ['an image that is a script', create({ image: 'javascript:alert(1)' }), 'image must be'],
  ['an image with a password', edit({ image: 'https://a:b@c.example/' }), 'image must be'],
  ['a control character', edit({ name: 'a\u0000b' }), 'name has a control character'],
  ['half a character', edit({ name: 'a\ud800' }), 'name has half a character'],
  ['a long name', create({ name: 'x'.repeat(300_000) }), 'name must have at most 200'],
  ['a latitude of 999', edit({ latitude: 999 }), 'latitude must be between'],
  ['no name', bare({ latitude: 1, longitude: 2 }), 'name is required'],
  ['an extra key', create({ evil: 1 }), 'must not have evil'],
  ['an extra key in its origin', edit({ ...x, ...via({ x: 1 }) }), 'must not have x'],
  ['a name with spaces around', edit({ name: ' Well' }), 'not normalised'],
  ['Unicode that is not normalised', edit({ name: 'Cafe\u0301' }), 'not normalised'],
  ['an alias of an amenity', edit({ amenities: ['Water tap'] }), 'not normalised'],
  ['an empty text', edit({ description: '' }), 'an empty text'],
  ['an empty field of what is new', create({ region: null }), 'no empty fields'],
  ['an edit of nothing', edit(), 'changes nothing'],
  ['flags in an edit', edit({ approved: true }), 'must not have approved'],
  ['the flag of another action', approve({ verified: true }), 'approved'],
  ['another subject’s action', edit({ reason: 'x' }, { action: 'blocked' }), 'waypoint blocked is unknown'],
  ['an unknown action', edit({}, { action: 'exploded' }), 'waypoint exploded is unknown'],
  ['the time 9999', edit(x, { at: '9999-12-31T23:59:59.000Z' }), 'in the future'],
  ['a time before the entry before', edit(x, { at: '2020-01-01T00:00:00.000Z' }), 'older than'],
  ['an unknown user', edit(x, { by: 'eve' }), 'no user eve'],
  ['an unknown creator', create({ addedByUserId: 'eve' }), 'no user eve'],
  ['another id than the next', edit(x, { id: 999 }), 'is expected next'],
  ['a waypoint out of turn', create({}, { subjectId: 9 }), 'waypoint 3 is expected next, not 9'],
  ['a waypoint twice', create({}, { subjectId: 1 }), 'waypoint 3 is expected next, not 1'],
  ['a waypoint that is not there', edit(x, { subjectId: 9 }), 'no waypoint 9'],
  ['a waypoint by text', edit(x, { subjectId: '1' }), 'waypoint 1 is not a number'],
  ['a tombstone that is edited', gone(x), 'waypoint 2 is deleted'],
  ['a tombstone that is deleted', gone({}, { action: 'deleted' }), 'waypoint 2 is deleted'],
  ['the restoring of what is there', restore(1, 9), 'waypoint 1 is not deleted'],
  ['the restoring by another deletion', restore(2, 7), 'entry 7 did not delete'],
  ['an edit that restores', linked({ restores: 9 }), 'it cannot restore'],
  ['the revert of what comes later', linked({ reverts: 999 }), 'cannot revert'],
  ['the revert of another subject', linked({ reverts: 8 }), 'entry 8 is not about'],
  ['an act that begins later', linked({ act: 999 }), 'act begins later'],
  ['a merge into nothing', merged(9), 'no waypoint 9'],
  ['a merge into a tombstone', merged(2), 'no waypoint 2'],
  ['a merge into itself', merged(1), 'into itself'],
  ['a merge by an edit', linked({ mergedInto: 1 }), 'only a deleted waypoint'],
  ['an award to an unknown user', awarded(['eve', 'editWaypoint', 10]), 'no user eve'],
  ['an award to the built-in user', awarded(['api', 'editWaypoint', 10]), 'earns no XP'],
  ['an award of nothing', awarded(['ada', 'editWaypoint', 0]), 'an award is of'],
  ['an award of too much', awarded(['ada', 'editWaypoint', 9e12]), 'an award is of'],
  ['an award for a text', awarded(['ada', '<b>\u0007', 1]), 'is not an event'],
  ['too many awards', awarded(...Array.from({ length: 500 }, () => edited)), 'are allowed'],
  ['neither a seed nor salts', edit(x, { seed: undefined }), 'neither a seed nor salts'],
  [
    'a hole without salts',
    create({}, { ...hole({}, 'region'), salts: undefined }),
    'neither a seed nor salts',
  ],
  ['a seed and salts', edit(x, { ...hole(x), seed, commitments: undefined }), 'both a seed and salts'],
  ['a hole that lost nothing', edit(x, hole(x)), 'lost no field'],
  ['a salt too many', create({}, hole({ ...square, region: 1 }, 'region')), 'salts are not those'],
  ['a salt too few', create({}, hole(x, 'region')), 'salts are not those'],
  ['a field that is lost and there', edit(x, hole(x, 'name')), 'cannot have lost name'],
  ['a lost flag', approve({}, hole({}, 'approved')), 'cannot have lost approved'],
  ['a lost rating', review({ waypoint: 1 }, hole({ waypoint: 1 }, 'rating')), 'cannot have lost rating'],
  ['via an unknown source', create(via({ source: 9 })), 'no source 9'],
  ['via an unknown run', create(via({ run: 9 })), 'no import 9'],
  ['via nothing', create({ via: 5 }), 'via must be an object'],
  ['a reference that another record has', create(via({ ref: 'a' })), 'another record with the reference a'],
  ['a record of another id', link({ ...via({ ref: 'z' }), waypoint: 1 }), 'is expected next, not 4'],
  ['a record that is not there', about('record', 999, 'delisted')(), 'no record 999'],
  ['a record that moves to nothing', about('record', 14, 'moved')({ waypoint: 9 }), 'no waypoint 9'],
  ['a review of nothing', review({ rating: 4, waypoint: 9 }), 'no waypoint 9'],
  ['a review of a tombstone', review({ rating: 4, waypoint: 2 }), 'no waypoint 2'],
  ['a rating of 6', review({ rating: 6, waypoint: 1 }), 'rating must be at most 5'],
  [
    'a review that was never posted',
    review(rated, { subjectId: 99, links: { restores: 8 } }),
    'no review 99',
  ],
  ['a user with a slash', named('a/../b'), 'not the id of a user'],
  ['a user with a control character', named('a\u001b[2J'), 'not the id of a user'],
  ['a user by number', named(7), 'not the id of a user'],
  ['a user twice', named('ada'), 'user ada is created twice'],
  ['rights of the built-in user', about('user', 'api', 'appointed')(), 'built-in user'],
  ['a block of nobody', about('user', 'eve', 'blocked')({ reason: 'x' }), 'no user eve'],
  ['a block without a reason', block({}), 'reason is required'],
  ['a block until whenever', block({ reason: 'x', until: 'whenever' }), 'until must be a time'],
  ['a grant without a reason', grant({}, { awards: [['bob', 'grant', 1]] }), 'reason is required'],
  ['an area that is open', area({ color: '#ffffff', coordinates: [ring.slice(1)] }), 'coordinates'],
  [
    'a source of a name that is taken',
    listed({ license: 'x', name: 'City of Lund' }),
    'a source with the name',
  ],
  ['a source that is a script', listed({ ...x, license: 'x', url: 'javascript:1' }), 'url must be'],
  ['a run of an unknown source', about('import', 2, 'started')({ source: 9 }), 'no source 9'],
  ['the redaction of a live position', redact(7, ['latitude']), 'latitude of entry 7 cannot be redacted'],
  ['the redaction of a flag', redact(13, ['verified']), 'verified of entry 13 cannot be redacted'],
  ['the redaction of what is in force', redact(7, ['name']), 'name of entry 7 is still in force'],
  ['the redaction of what is not there', redact(7, ['region']), 'entry 7 has no region'],
  ['the redaction of itself', redact(999, ['name']), 'comes later'],
  ['a redaction without names', redact(7, []), 'names must not be empty'],
  ['a redaction without a reason', redact(7, ['name'], {}), 'reason is required'],
]

const history = new History()
history.create() // entry 7
history.review(bob, 1, 'Cold') // 8
history.create() // 9
history.remove(api, 2) // 10
const terms = history.run() // the source is 11, the run 12
history.edit(mo, 1, { verified: true }) // 13
history.row(terms, { ref: 'a', input: {}, mergeInto: 1 }) // 14

test.for(forgeries)(
  'what a local write could not have made is refused, with what is wrong: %s',
  ([, forged, message]) => {
    const copy = follow(new World(), history.world.log())
    const before = everything(copy)
    const entry = { ...base, id: copy.state.size + 1, ...forged }
    let error: unknown
    try {
      follow(copy, [entry])
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'CHAIN_BROKEN', details: { id: entry.id } })
    expect(error).toHaveProperty('message', expect.stringContaining(message))
    expect(everything(copy)).toEqual(before)
  },
)

test('the same entries are taken over when nothing is wrong with them', () => {
  const copy = follow(new World(), history.world.log())
  const id = copy.state.size + 1
  follow(copy, [
    { ...base, id, ...create(via({ ref: 'z' })) },
    { ...base, id: id + 1, ...awarded(['ada', 'editWaypoint', 10]) },
    { ...base, id: id + 2, ...restore(2, 10) },
  ])
  expect(copy.state.size).toBe(id + 2)
})
