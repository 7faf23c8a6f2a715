import { describe, expect, test } from 'vitest'
import { RegistryError, token } from '@openfountain/core'
import { delist, finishRun } from '../../src/decide/import-run.ts'
import { mirrorEntry } from '../../src/decide/mirrored.ts'
import { setModerator } from '../../src/decide/user.ts'
import { saltOf } from '../../src/log/commitments.ts'
import type { LoggedEntry } from '../../src/log/entry.ts'
import type { VouchedNouns } from '../../src/log/nouns.ts'
import { ada, api, bob, History, mo } from './history.ts'
import { World } from './world.ts'

const now = '2026-06-01T00:00:00.000Z'
const seed = '0123456789abcdef0123456789abcdef'

/** Takes over entries in batches of a size. @throws what refuses one of them */
function follow(copy: World, entries: readonly LoggedEntry[], size = 500): World {
  for (let from = 0; from < entries.length; from += size)
    copy.write(
      entries
        .slice(from, from + size)
        .map((entry) => ({ decide: () => mirrorEntry(entry, new Map([['ada', 'Ada']]), now) })),
      now,
    )
  return copy
}

const vouched = [
  'waypoint',
  'review',
  'user',
  'area',
  'source',
  'import',
  'record',
  'entry',
] as const satisfies (keyof VouchedNouns)[]

/** Everything that the log vouches for, and the tree. */
function everything(world: World): unknown {
  const { size, peaks } = world.state
  const nouns = vouched.map((noun) => world.all(noun))
  // An absent member is the same as an undefined one.
  return JSON.parse(JSON.stringify([nouns, size, peaks]))
}

/** A history with entries of all kinds. */
function lively(): History {
  const history = new History()
  history.create(ada, {
    description: 'Cold',
    amenities: ['tap', 'ask Jane'],
    image: 'https://a.example/1.jpg',
  })
  history.edit(bob, 1, { name: 'Well', description: null, region: 'Lund' })
  history.edit(mo, 1, { approved: true, verified: true })
  const review = history.review(bob, 1, 'Jane lives here')
  history.area('Lund', 'Jane’s')
  const terms = history.run('City of Lund', { name: 'jane.csv', sha256: 'ab', bytes: 7 })
  history.row(terms, { ref: 'a', input: { name: 'Imported', region: 'Lund' }, state: 'broken' })
  history.row(terms, { ref: 'b', input: { name: 'Another' }, mergeInto: 1 })
  history.row(terms, { ref: 'a', input: { name: 'Imported again' } })
  history.merge(2, 1)
  history.restore(2)
  history.act(() =>
    delist(history.world.all('record')[0]?.id ?? 0, { actor: token(), remove: false, runId: 1 }),
  )
  history.act((at) =>
    finishRun(at, { runId: 1, sourceId: 1, counts: { rows: 3 }, isComplete: true, by: 'api' }),
  )
  history.act((at) => setModerator(at, 'bob', true))
  history.act((at) => setModerator(at, 'bob', false))
  history.act((at) => setModerator(at, 'ada', false))
  return Object.assign(history, { review })
}

describe('what a local write makes is taken over', () => {
  test('entries of all kinds, whatever the size of the pages; the copy equals its source', () => {
    const { world } = lively()
    for (const size of [1, 7, 500])
      expect(everything(follow(new World(), world.log(), size))).toEqual(everything(world))
  })

  test('redactions, whether the copy had the text or not', () => {
    const history = lively()
    const copy = follow(new World(), history.world.log())
    const before = history.world.state.size
    const blocked = history.block('bob', 'is Jane')
    for (const { id, subject, action } of history.world.all('entry')) {
      const isText =
        subject === 'waypoint' || subject === 'review' || subject === 'area' || subject === 'import'
      if (!isText || !['created', 'edited', 'started'].includes(action)) continue
      try {
        history.redact(id)
      } catch (error) {
        // Nothing is left of it.
        if (!(error instanceof RegistryError)) throw error
      }
    }
    history.redact(blocked)
    history.remove(api, 1)
    history.redact(7, { fields: ['latitude'] })
    expect(history.has('Jane') || history.has('jane')).toBe(false)
    follow(copy, history.world.log().slice(before))
    expect(everything(copy)).toEqual(everything(history.world))
    for (const size of [1, 500])
      expect(everything(follow(new World(), history.world.log(), size))).toEqual(everything(history.world))
  })

  test('reverts of entries and of people', () => {
    const history = new History()
    const created = history.create(bob)
    history.edit(bob, 1, { name: 'Spam' })
    history.review(bob, 1, 'Spam')
    history.revertPerson('bob')
    history.revert(history.newest.id)
    history.create(ada)
    history.revert(history.remove(api, 2))
    expect(created).toBe(7)
    for (const size of [1, 500])
      expect(everything(follow(new World(), history.world.log(), size))).toEqual(everything(history.world))
  })

  test('awards of other rules', () => {
    const history = new History()
    history.create(ada)
    const entries = history.world.log()
    const forged = entries.map((entry) =>
      entry.subject === 'waypoint'
        ? { ...entry, awards: [['ada', 'cleanedFountain', 7] as [string, string, number]] }
        : entry,
    )
    expect(follow(new World(), forged).get('user', 'ada')?.xp).toBe(107)
  })

  test('names that are refused today, since they were not always', () => {
    const history = new History()
    history.create(ada)
    const entries = history.world
      .log()
      .map((entry) =>
        'name' in entry.fields ? { ...entry, fields: { ...entry.fields, name: '\u2060' } } : entry,
      )
    expect(follow(new World(), entries).get('waypoint', 1)?.name).toBe('\u2060')
  })

  test('names of people are beside the log; somebody without one has left', () => {
    const copy = follow(new World(), new History().world.log())
    expect(copy.all('profile').map(({ id, name, leftAt }) => [id, name, leftAt !== undefined])).toEqual([
      ['ada', 'Ada', false],
      ['api', 'API', false],
      ['bob', '', true],
      ['mo', '', true],
    ])
  })
})

/** What every forged entry has, unless the case says otherwise. */
const base = {
  at: '2026-05-31T00:00:00.000Z',
  by: 'ada',
  seed,
  awards: [],
  links: {},
  fields: {},
} satisfies Partial<LoggedEntry>

const created = { subject: 'waypoint', subjectId: 3, action: 'created' } as const
const edited = { subject: 'waypoint', subjectId: 1, action: 'edited' } as const
const square = { latitude: 1, longitude: 2, name: 'Well' }
const salts = (fields: object) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, saltOf(seed, name)]))
const commitment = 'ab'.repeat(32)
const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]

type Forged = Partial<LoggedEntry> & Pick<LoggedEntry, 'subject' | 'subjectId' | 'action'>
const forgeries: readonly [string, Forged, string][] = [
  [
    'an image that is a script',
    { ...created, fields: { ...square, image: 'javascript:alert(1)' } },
    'image must be',
  ],
  ['an image with a password', { ...edited, fields: { image: 'https://a:b@c.example/' } }, 'image must be'],
  ['a control character', { ...edited, fields: { name: 'a\u0000b' } }, 'name has a control character'],
  ['half a character', { ...edited, fields: { name: 'a\ud800' } }, 'name has half a character'],
  [
    'a long name',
    { ...created, fields: { ...square, name: 'x'.repeat(300_000) } },
    'name must have at most 200',
  ],
  ['a latitude of 999', { ...edited, fields: { latitude: 999 } }, 'latitude must be between'],
  ['a latitude that is text', { ...edited, fields: { latitude: '1' } }, 'latitude must be a number'],
  ['no name', { ...created, fields: { latitude: 1, longitude: 2 } }, 'name is required'],
  ['an extra key', { ...created, fields: { ...square, evil: 1 } }, 'must not have evil'],
  [
    'an extra key in its origin',
    { ...edited, fields: { name: 'x', via: { run: 1, source: 1, x: 1 } } },
    'must not have x',
  ],
  ['a name with spaces around', { ...edited, fields: { name: ' Well' } }, 'not normalised'],
  ['Unicode that is not normalised', { ...edited, fields: { name: 'Cafe\u0301' } }, 'not normalised'],
  ['an alias of an amenity', { ...edited, fields: { amenities: ['Water tap'] } }, 'not normalised'],
  ['an amenity twice', { ...edited, fields: { amenities: ['tap', 'tap'] } }, 'not normalised'],
  [
    '33 amenities',
    { ...edited, fields: { amenities: Array.from({ length: 33 }, (_, n) => `a${n}`) } },
    'at most 32',
  ],
  ['an empty text', { ...edited, fields: { description: '' } }, 'an empty text'],
  ['no list of amenities', { ...edited, fields: { amenities: null } }, 'amenities must be a list'],
  ['an empty field of what is new', { ...created, fields: { ...square, region: null } }, 'no empty fields'],
  ['an edit of nothing', { ...edited, fields: {} }, 'changes nothing'],
  ['flags in an edit', { ...edited, fields: { approved: true } }, 'must not have approved'],
  ['the flag of another action', { ...edited, action: 'approved', fields: { verified: true } }, 'approved'],
  [
    'the value of another action',
    { ...edited, action: 'approved', fields: { approved: false } },
    'approved must be',
  ],
  [
    'an action of another subject',
    { ...edited, action: 'blocked', fields: { reason: 'x' } },
    'waypoint blocked is unknown',
  ],
  ['an unknown action', { ...edited, action: 'exploded' }, 'waypoint exploded is unknown'],
  ['the time 9999', { ...edited, at: '9999-12-31T23:59:59.000Z', fields: { name: 'x' } }, 'in the future'],
  [
    'a time before the entry before',
    { ...edited, at: '2020-01-01T00:00:00.000Z', fields: { name: 'x' } },
    'older than',
  ],
  ['an unknown user', { ...edited, by: 'eve', fields: { name: 'x' } }, 'no user eve'],
  ['an unknown creator', { ...created, fields: { ...square, addedByUserId: 'eve' } }, 'no user eve'],
  ['another id than the next', { ...edited, id: 999, fields: { name: 'x' } }, 'is expected next'],
  [
    'a waypoint out of turn',
    { ...created, subjectId: 9, fields: square },
    'waypoint 3 is expected next, not 9',
  ],
  ['a waypoint twice', { ...created, subjectId: 1, fields: square }, 'waypoint 3 is expected next, not 1'],
  ['a waypoint that is not there', { ...edited, subjectId: 9, fields: { name: 'x' } }, 'no waypoint 9'],
  ['a waypoint by text', { ...edited, subjectId: '1', fields: { name: 'x' } }, 'waypoint 1 is not a number'],
  ['a tombstone that is edited', { ...edited, subjectId: 2, fields: { name: 'x' } }, 'waypoint 2 is deleted'],
  ['a tombstone that is deleted', { ...edited, subjectId: 2, action: 'deleted' }, 'waypoint 2 is deleted'],
  [
    'a tombstone that is verified',
    { ...edited, subjectId: 2, action: 'verified', fields: { verified: true } },
    'is deleted',
  ],
  [
    'the restoring of what is there',
    { ...created, subjectId: 1, fields: square, links: { restores: 9 } },
    'waypoint 1 is not deleted',
  ],
  [
    'the restoring by another deletion',
    { ...created, subjectId: 2, fields: square, links: { restores: 7 } },
    'entry 7 did not delete',
  ],
  [
    'an edit that restores',
    { ...edited, fields: { name: 'x' }, links: { restores: 9 } },
    'it cannot restore',
  ],
  [
    'the revert of what comes later',
    { ...edited, fields: { name: 'x' }, links: { reverts: 999 } },
    'cannot revert',
  ],
  [
    'the revert of another subject',
    { ...edited, fields: { name: 'x' }, links: { reverts: 8 } },
    'entry 8 is not about',
  ],
  ['an act that begins later', { ...edited, fields: { name: 'x' }, links: { act: 999 } }, 'act begins later'],
  ['a merge into nothing', { ...edited, action: 'deleted', links: { mergedInto: 9 } }, 'no waypoint 9'],
  ['a merge into a tombstone', { ...edited, action: 'deleted', links: { mergedInto: 2 } }, 'no waypoint 2'],
  ['a merge into itself', { ...edited, action: 'deleted', links: { mergedInto: 1 } }, 'into itself'],
  [
    'a merge by an edit',
    { ...edited, fields: { name: 'x' }, links: { mergedInto: 1 } },
    'only a deleted waypoint',
  ],
  [
    'an award to an unknown user',
    { ...edited, fields: { name: 'x' }, awards: [['eve', 'editWaypoint', 10]] },
    'no user eve',
  ],
  [
    'an award to the built-in user',
    { ...edited, fields: { name: 'x' }, awards: [['api', 'editWaypoint', 10]] },
    'earns no XP',
  ],
  [
    'an award of nothing',
    { ...edited, fields: { name: 'x' }, awards: [['ada', 'editWaypoint', 0]] },
    'an award is of',
  ],
  [
    'an award of too much',
    { ...edited, fields: { name: 'x' }, awards: [['ada', 'editWaypoint', 9e12]] },
    'an award is of',
  ],
  [
    'an award for a text',
    { ...edited, fields: { name: 'x' }, awards: [['ada', '<b>\u0007', 1]] },
    'is not an event',
  ],
  [
    'more awards than an entry can have',
    {
      ...edited,
      fields: { name: 'x' },
      awards: Array.from({ length: 500 }, () => ['ada', 'editWaypoint', 10] as [string, string, number]),
    },
    'are allowed',
  ],
  [
    'neither a seed nor salts',
    { ...edited, fields: { name: 'x' }, seed: undefined },
    'neither a seed nor salts',
  ],
  [
    'a hole without salts',
    { ...created, fields: square, seed: undefined, commitments: { region: commitment } },
    'neither a seed nor salts',
  ],
  [
    'a seed and salts',
    { ...edited, fields: { name: 'x' }, salts: salts({ name: 1 }) },
    'both a seed and salts',
  ],
  [
    'a hole that lost nothing',
    { ...edited, fields: { name: 'x' }, seed: undefined, salts: salts({ name: 1 }), commitments: {} },
    'lost no field',
  ],
  [
    'a salt too many',
    {
      ...created,
      fields: square,
      seed: undefined,
      salts: salts({ ...square, region: 1 }),
      commitments: { region: commitment },
    },
    'salts are not those',
  ],
  [
    'a salt too few',
    {
      ...created,
      fields: square,
      seed: undefined,
      salts: salts({ name: 1 }),
      commitments: { region: commitment },
    },
    'salts are not those',
  ],
  [
    'a field that is lost and there',
    {
      ...edited,
      fields: { name: 'x' },
      seed: undefined,
      salts: salts({ name: 1 }),
      commitments: { name: commitment },
    },
    'cannot have lost name',
  ],
  [
    'a lost flag',
    {
      ...edited,
      action: 'approved',
      fields: {},
      seed: undefined,
      salts: {},
      commitments: { approved: commitment },
    },
    'cannot have lost approved',
  ],
  [
    'a lost rating',
    {
      subject: 'review',
      subjectId: 2,
      action: 'created',
      fields: { waypoint: 1 },
      seed: undefined,
      salts: salts({ waypoint: 1 }),
      commitments: { rating: commitment },
    },
    'cannot have lost rating',
  ],
  ['via an unknown source', { ...created, fields: { ...square, via: { run: 1, source: 9 } } }, 'no source 9'],
  ['via an unknown run', { ...created, fields: { ...square, via: { run: 9, source: 1 } } }, 'no import 9'],
  ['via nothing', { ...created, fields: { ...square, via: 5 } }, 'via must be an object'],
  [
    'a reference that another record has',
    { ...created, fields: { ...square, via: { ref: 'a', run: 1, source: 1 } } },
    'another record with the reference a',
  ],
  [
    'half a character in a reference',
    { ...created, fields: { ...square, via: { ref: '\ud800', run: 1, source: 1 } } },
    'half a character',
  ],
  [
    'a record of another id',
    {
      subject: 'record',
      subjectId: 4,
      action: 'linked',
      fields: { via: { ref: 'z', run: 1, source: 1 }, waypoint: 1 },
    },
    'is expected next, not 4',
  ],
  ['a record that is not there', { subject: 'record', subjectId: 999, action: 'delisted' }, 'no record 999'],
  [
    'a record that moves to nothing',
    { subject: 'record', subjectId: 14, action: 'moved', fields: { waypoint: 9 } },
    'no waypoint 9',
  ],
  [
    'a review of nothing',
    { subject: 'review', subjectId: 2, action: 'created', fields: { rating: 4, waypoint: 9 } },
    'no waypoint 9',
  ],
  [
    'a review of a tombstone',
    { subject: 'review', subjectId: 2, action: 'created', fields: { rating: 4, waypoint: 2 } },
    'no waypoint 2',
  ],
  [
    'a rating of 6',
    { subject: 'review', subjectId: 2, action: 'created', fields: { rating: 6, waypoint: 1 } },
    'rating must be at most 5',
  ],
  [
    'a review that was never posted',
    {
      subject: 'review',
      subjectId: 99,
      action: 'created',
      fields: { rating: 4, waypoint: 1 },
      links: { restores: 8 },
    },
    'no review 99',
  ],
  [
    'a user with a slash',
    { subject: 'user', subjectId: 'a/../b', action: 'created' },
    'not the id of a user',
  ],
  [
    'a user with a control character',
    { subject: 'user', subjectId: 'a\u001b[2J', action: 'created' },
    'not the id of a user',
  ],
  ['a user by number', { subject: 'user', subjectId: 7, action: 'created' }, 'not the id of a user'],
  ['a user twice', { subject: 'user', subjectId: 'ada', action: 'created' }, 'user ada is created twice'],
  [
    'rights of the built-in user',
    { subject: 'user', subjectId: 'api', action: 'appointed' },
    'built-in user',
  ],
  [
    'a block of nobody',
    { subject: 'user', subjectId: 'eve', action: 'blocked', fields: { reason: 'x' } },
    'no user eve',
  ],
  [
    'a block without a reason',
    { subject: 'user', subjectId: 'bob', action: 'blocked', fields: {} },
    'reason is required',
  ],
  [
    'a block until whenever',
    { subject: 'user', subjectId: 'bob', action: 'blocked', fields: { reason: 'x', until: 'whenever' } },
    'until must be a time',
  ],
  [
    'a grant without a reason',
    { subject: 'user', subjectId: 'bob', action: 'granted', awards: [['bob', 'grant', 1]] },
    'reason is required',
  ],
  [
    'an area that is open',
    {
      subject: 'area',
      subjectId: 1,
      action: 'created',
      fields: { name: 'x', color: '#ffffff', coordinates: [ring.slice(1)], properties: {}, active: true },
    },
    'coordinates',
  ],
  [
    'an area without a colour',
    {
      subject: 'area',
      subjectId: 1,
      action: 'created',
      fields: { name: 'x', coordinates: [ring], properties: {}, active: true },
    },
    'color',
  ],
  [
    'a source of a name that is taken',
    {
      subject: 'source',
      subjectId: 2,
      action: 'created',
      fields: { license: 'CC0-1.0', name: 'City of Lund' },
    },
    'a source with the name',
  ],
  [
    'a source that is a script',
    {
      subject: 'source',
      subjectId: 2,
      action: 'created',
      fields: { license: 'x', name: 'x', url: 'javascript:1' },
    },
    'url must be',
  ],
  [
    'a run of an unknown source',
    { subject: 'import', subjectId: 2, action: 'started', fields: { source: 9 } },
    'no source 9',
  ],
  [
    'the redaction of a position of a live waypoint',
    { subject: 'entry', subjectId: 7, action: 'redacted', fields: { names: ['latitude'], reason: 'x' } },
    'latitude of entry 7 cannot be redacted',
  ],
  [
    'the redaction of a flag',
    { subject: 'entry', subjectId: 13, action: 'redacted', fields: { names: ['verified'], reason: 'x' } },
    'verified of entry 13 cannot be redacted',
  ],
  [
    'the redaction of what is in force',
    { subject: 'entry', subjectId: 7, action: 'redacted', fields: { names: ['name'], reason: 'x' } },
    'name of entry 7 is still in force',
  ],
  [
    'the redaction of what the entry does not have',
    { subject: 'entry', subjectId: 7, action: 'redacted', fields: { names: ['region'], reason: 'x' } },
    'entry 7 has no region',
  ],
  [
    'the redaction of itself',
    { subject: 'entry', subjectId: 999, action: 'redacted', fields: { names: ['name'], reason: 'x' } },
    'comes later',
  ],
  [
    'a redaction without names',
    { subject: 'entry', subjectId: 7, action: 'redacted', fields: { names: [], reason: 'x' } },
    'names must not be empty',
  ],
  [
    'a redaction without a reason',
    { subject: 'entry', subjectId: 7, action: 'redacted', fields: { names: ['name'] } },
    'reason is required',
  ],
]

describe('what a local write could not have made is refused, with what is wrong', () => {
  const history = new History()
  history.create() // entry 7
  history.review(bob, 1, 'Cold') // 8
  history.create() // 9
  history.remove(api, 2) // 10
  const terms = history.run() // the source is 11, the run 12
  history.edit(mo, 1, { verified: true }) // 13
  history.row(terms, { ref: 'a', input: {}, mergeInto: 1 }) // 14

  test.for(forgeries)('%s', ([, forged, message]) => {
    const copy = follow(new World(), history.world.log())
    const before = everything(copy)
    const entry = { ...base, id: copy.state.size + 1, ...forged }
    const error = (() => {
      try {
        return follow(copy, [entry])
      } catch (error) {
        return error
      }
    })()
    expect(error).toMatchObject({ code: 'CHAIN_BROKEN', details: { id: entry.id } })
    expect(error).toHaveProperty('message', expect.stringContaining(message))
    expect(everything(copy)).toEqual(before)
  })

  test('the same entries are taken over when nothing is wrong with them', () => {
    const copy = follow(new World(), history.world.log())
    const id = copy.state.size + 1
    follow(copy, [
      { ...base, id, ...created, fields: { ...square, via: { ref: 'z', run: 1, source: 1 } } },
      { ...base, id: id + 1, ...edited, fields: { name: 'x' }, awards: [['ada', 'editWaypoint', 10]] },
      { ...base, id: id + 2, ...created, subjectId: 2, fields: square, links: { restores: 10 } },
    ])
    expect(copy.state.size).toBe(id + 2)
  })

  test('one forged entry takes the whole page with it', () => {
    const copy = new World()
    const entries = [...history.world.log(), { ...base, id: 99, ...edited, fields: { name: 'x' } }]
    expect(() => follow(copy, entries)).toThrow('Entry 99 does not continue the log here')
    expect(copy.state.size).toBe(0)
  })
})
