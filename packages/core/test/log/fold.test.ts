import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RegistryError, token } from '@openfountain/core'
import { delist, finishRun } from '../../src/decide/import-run.ts'
import { mirrorEntry } from '../../src/decide/mirrored.ts'
import { setModerator } from '../../src/decide/user.ts'
import type { Draft, LoggedEntry, StoredEntry } from '../../src/log/entry.ts'
import { builtIn, fold, FoldError, type Folded } from '../../src/log/fold.ts'
import type { VouchedNouns } from '../../src/log/nouns.ts'
import { ada, api, bob, History, mo } from '../decide/history.ts'
import { World } from '../decide/world.ts'

const kinds = [
  'waypoint',
  'review',
  'user',
  'area',
  'source',
  'import',
  'record',
  'entry',
] as const satisfies (keyof VouchedNouns)[]

/** Nouns in maps, changed by the fold alone. */
class Nouns implements Folded {
  readonly #rows = new Map<string, object>(builtIn.map((person) => [`user ${person.id}`, person]))

  get<Noun extends keyof VouchedNouns>(
    noun: Noun,
    key: VouchedNouns[Noun]['id'],
  ): VouchedNouns[Noun] | undefined {
    return this.#rows.get(`${noun} ${key}`) as VouchedNouns[Noun] | undefined
  }

  put<Noun extends keyof VouchedNouns>(noun: Noun, after: VouchedNouns[Noun]): void {
    this.#rows.set(`${noun} ${after.id}`, after)
  }

  /** Everything, as JSON has it, by kind and id. */
  all(): Record<string, unknown> {
    const rows = [...this.#rows].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return JSON.parse(JSON.stringify(Object.fromEntries(rows))) as Record<string, unknown>
  }
}

function everything(world: World): Record<string, unknown> {
  const rows = kinds.flatMap((kind) => world.all(kind).map((row) => [`${kind} ${row.id}`, row] as const))
  const sorted = rows.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.parse(JSON.stringify(Object.fromEntries(sorted))) as Record<string, unknown>
}

const people = [ada, bob, mo, api]
const texts = ['Well', 'Jane Doe', 'Market square', '水飲み場', 'Café "x"']

/** What a step of a random history does; numbers choose among what there is. */
const Step = fc.record({
  what: fc.constantFrom(
    ...([
      'create',
      'edit',
      'edit',
      'edit',
      'flag',
      'remove',
      'restore',
      'merge',
      'review',
      'review',
      'unreview',
    ] as const),
    ...([
      'area',
      'block',
      'unblock',
      'grant',
      'moderator',
      'row',
      'row',
      'delist',
      'finish',
      'redact',
    ] as const),
    ...(['redact', 'revert', 'revert', 'revertPerson'] as const),
  ),
  who: fc.nat(3),
  one: fc.nat(7),
  other: fc.nat(7),
  text: fc.nat(texts.length - 1),
  entry: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
})
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never

function take(history: History, { what, who, one: first, other, text: which, entry: place }: Step): void {
  const one = 1 + (first % 5)
  const actor = people[who] ?? api
  const text = texts[which] ?? ''
  const { size } = history.world.state
  const entry = 1 + Math.floor(place * size)
  const person = ['ada', 'bob', 'mo', 'nobody'][one % 4] ?? ''
  const run = history.world.all('import').at(-1)
  switch (what) {
    case 'create':
      return void history.create(actor, {
        name: text,
        ...(other > 3 && { description: text, amenities: [text, 'tap'] }),
      })
    case 'edit':
      return void history.edit(
        actor,
        one,
        other > 4 ? { description: null, region: text } : { name: text, latitude: other },
      )
    case 'flag':
      return void history.edit(mo, one, { [other > 3 ? 'approved' : 'verified']: which % 2 === 0 })
    case 'remove':
      return void history.remove(actor, one)
    case 'restore':
      return history.restore(one)
    case 'merge':
      return history.merge(one, 1 + (other % 5))
    case 'review':
      return void history.review(actor, one, text)
    case 'unreview':
      return void history.unreview(actor, one)
    case 'area':
      return void history.area(text, text)
    case 'block':
      return void history.block(person, text)
    case 'unblock':
      return history.unblock(person)
    case 'grant':
      return void history.grant(person, other - 3, text)
    case 'moderator':
      return void history.act((at) => setModerator(at, 'ada', other > 3))
    case 'row': {
      const terms = history.run(texts[which % 2], { name: text, sha256: 'ab', bytes: 1 })
      const row = {
        ref: `${one}`,
        input: { name: text, region: text },
        ...(other > 4 && { mergeInto: other - 4 }),
      }
      return void history.row(terms, { ...row, ...(other === 0 && { state: 'broken' as const }) })
    }
    case 'delist': {
      const record = history.world.all('record')[one]
      const runs = history.world.all('import')
      const runId = runs.findLast(({ sourceId }) => sourceId === record?.sourceId)?.id ?? 0
      if (record) history.act(() => delist(record.id, { actor: token(), remove: other > 3, runId }))
      return undefined
    }
    case 'finish': {
      if (run === undefined) return undefined
      const end = { runId: run.id, sourceId: run.sourceId, counts: {}, isComplete: other > 3, by: 'api' }
      return void history.act((at) => finishRun(at, end))
    }
    case 'redact':
      return void history.redact(entry, { reason: text })
    case 'revert':
      return void history.revert(entry)
    case 'revertPerson':
      return void history.revertPerson(person)
  }
}

describe('random histories of all kinds of writes', () => {
  const histories = fc.array(Step, { minLength: 1, maxLength: 60, size: 'max' })

  test('folded one by one equal the log read back; XP is the sum of awards, stats never fall', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(histories, (steps) => {
        const history = new History()
        for (const text of texts.slice(0, 3)) history.create(ada, { name: text })
        history.review(bob, 1, 'Cold')
        const { world } = history
        const folded = new Nouns()
        let known = 0
        let stats = new Map<string, readonly number[]>()
        const follow = (): void => {
          // The entries as they were written, before later ones redacted them.
          for (const entry of world.all('entry').slice(known)) {
            folded.put('entry', entry)
            fold(entry, folded)
            seen.add(`${entry.subject} ${entry.action}`)
          }
          known = world.state.size
          const after = new Map(world.all('user').map((each) => [each.id, Object.values(each.stats)]))
          for (const [id, counts] of stats)
            for (const [index, count] of counts.entries())
              expect(after.get(id)?.[index]).toBeGreaterThanOrEqual(count)
          stats = after
        }
        follow()
        for (const step of steps) {
          try {
            take(history, step)
          } catch (error) {
            if (!(error instanceof RegistryError) || error.code === 'CHAIN_BROKEN') throw error
          }
          follow()
        }
        const source = everything(world)
        expect(folded.all()).toEqual(source)

        const awarded = new Map<string, number>()
        for (const { awards } of world.all('entry'))
          for (const [id, , amount] of awards) awarded.set(id, (awarded.get(id) ?? 0) + amount)
        for (const { id, xp } of world.all('user')) expect([id, xp]).toEqual([id, awarded.get(id) ?? 0])

        // The log as anyone can read it, without what was redacted, makes the same of an empty registry.
        const log = JSON.parse(JSON.stringify(world.log())) as LoggedEntry[]
        const copy = new World()
        const now = '2026-06-01T00:00:00.000Z'
        copy.write(
          log.map((entry) => ({ decide: () => mirrorEntry(entry, new Map(), now) })),
          now,
        )
        expect(everything(copy)).toEqual(source)
        expect(copy.state.peaks).toBe(world.state.peaks)
      }),
      { numRuns: 100 },
    )
    for (const needed of [
      'waypoint created',
      'review moved',
      'record linked',
      'entry redacted',
      'user blocked',
    ])
      expect(seen).toContain(needed)
  })
})

describe('an entry that cannot come next', () => {
  const base = new History()
  base.create()
  base.review(bob, 1, 'x')
  base.area('x')
  base.row(base.run(), { ref: 'a', input: {} })
  const world = base.world

  test.for<[string, Draft, string]>([
    [
      'an edit of nothing',
      { subject: 'waypoint', subjectId: 9, action: 'edited', fields: {} },
      'before it is created',
    ],
    [
      'a restored nothing',
      { subject: 'waypoint', subjectId: 9, action: 'created', fields: {}, links: { restores: 1 } },
      'before it is created',
    ],
    [
      'a waypoint twice',
      { subject: 'waypoint', subjectId: 1, action: 'created', fields: {} },
      'created twice',
    ],
    [
      'a waypoint whose id is text',
      { subject: 'waypoint', subjectId: '1', action: 'edited', fields: {} },
      'not the id of a number',
    ],
    [
      'a review twice',
      { subject: 'review', subjectId: 1, action: 'created', fields: { rating: 1, waypoint: 1 } },
      'created twice',
    ],
    [
      'a review that comes back from nothing',
      { subject: 'review', subjectId: 9, action: 'created', fields: {}, links: { restores: 1 } },
      'before it is created',
    ],
    [
      'a deleted review that never was',
      { subject: 'review', subjectId: 9, action: 'deleted', fields: {} },
      'before it is created',
    ],
    ['a person twice', { subject: 'user', subjectId: 'ada', action: 'created', fields: {} }, 'created twice'],
    [
      'the built-in user',
      { subject: 'user', subjectId: 'api', action: 'created', fields: {} },
      'created twice',
    ],
    [
      'a block of nobody',
      { subject: 'user', subjectId: 'eve', action: 'blocked', fields: {} },
      'before it is created',
    ],
    ['an area twice', { subject: 'area', subjectId: 1, action: 'created', fields: {} }, 'created twice'],
    ['a source twice', { subject: 'source', subjectId: 1, action: 'created', fields: {} }, 'created twice'],
    [
      'a source that never was',
      { subject: 'source', subjectId: 9, action: 'edited', fields: {} },
      'before it is created',
    ],
    [
      'a run twice',
      { subject: 'import', subjectId: 1, action: 'started', fields: { source: 1 } },
      'created twice',
    ],
    [
      'a run of no source',
      { subject: 'import', subjectId: 3, action: 'started', fields: { source: 9 } },
      'before it is created',
    ],
    [
      'a run that never began',
      { subject: 'import', subjectId: 9, action: 'finished', fields: {} },
      'before it is created',
    ],
    [
      'a record that never was',
      { subject: 'record', subjectId: 99, action: 'delisted', fields: {} },
      'before it is created',
    ],
    [
      'a redaction of nothing',
      { subject: 'entry', subjectId: 99, action: 'redacted', fields: { names: ['name'] } },
      'before it is created',
    ],
    [
      'an award to nobody',
      { subject: 'waypoint', subjectId: 1, action: 'edited', fields: {}, awards: [['eve', 'grant', 1]] },
      'before it is created',
    ],
  ])('%s', ([, draft, message]) => {
    const folded = new Nouns()
    for (const kind of kinds) for (const row of world.all(kind)) folded.put(kind, row as never)
    const entry: StoredEntry = {
      awards: [],
      links: {},
      ...draft,
      id: world.state.size + 1,
      at: base.at,
      by: 'ada',
      seed: null,
      leaf: '',
    }
    const refused = (() => {
      try {
        return fold(entry, folded)
      } catch (error) {
        return error
      }
    })()
    expect(refused).toBeInstanceOf(FoldError)
    expect(refused).toHaveProperty('message', expect.stringContaining(message))
  })

  test('one by nobody is refused where it counts for somebody', () => {
    const folded = new Nouns()
    for (const kind of kinds) for (const row of world.all(kind)) folded.put(kind, row as never)
    const draft = {
      subject: 'waypoint',
      subjectId: 1,
      action: 'edited',
      fields: { name: 'x' },
      awards: [],
      links: {},
    } as const
    expect(() => fold({ ...draft, id: 99, at: base.at, by: 'eve' }, folded)).toThrow(FoldError)
  })
})
