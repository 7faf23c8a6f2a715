import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RegistryError, token, type Actor } from '@openfountain/core'
import { delist, finishRun } from '../../src/decide/import-run.ts'
import { mirrorEntry } from '../../src/decide/mirrored.ts'
import { setModerator } from '../../src/decide/user.ts'
import type { LoggedEntry, StoredEntry } from '../../src/log/entry.ts'
import { builtIn, fold, type Folded } from '../../src/log/fold.ts'
import type { VouchedNouns } from '../../src/log/nouns.ts'
import { ada, api, bob, History, mo } from '../decide/history.ts'
import { vouched, vouchedBy, World } from '../decide/world.ts'
import { counted, repeated, seed } from '@openfountain/testing/effort'

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

  /** Everything by kind and id. */
  all(): Record<string, unknown> {
    return Object.fromEntries(this.#rows)
  }
}

const people = [ada, bob, mo, api]
const texts = ['Well', 'Jane Doe', 'Market square', '水飲み場', 'Café "x"']

/** What the numbers of a step choose. */
interface Chosen {
  readonly actor: Actor
  readonly one: number
  readonly other: number
  readonly text: string
  readonly entry: number
  readonly person: string
}

const acts = {
  create: (history, { actor, text, other }) =>
    history.create(actor, { name: text, ...(other > 3 && { description: text, amenities: [text, 'tap'] }) }),
  edit: (history, { actor, one, other, text }) => {
    const patch = other > 4 ? { description: null, region: text } : { name: text, latitude: other }
    return history.edit(actor, one, patch)
  },
  flag: (history, { one, other, text }) =>
    history.edit(mo, one, { [other > 3 ? 'approved' : 'verified']: text.length % 2 === 0 }),
  remove: (history, { actor, one }) => history.remove(actor, one),
  restore: (history, { one }) => history.restore(one),
  merge: (history, { one, other }) => history.merge(one, 1 + (other % 5)),
  review: (history, { actor, one, text }) => history.review(actor, one, text),
  unreview: (history, { actor, one }) => history.unreview(actor, one),
  area: (history, { text }) => history.area(text, text),
  block: (history, { person, text }) => history.block(person, text),
  unblock: (history, { person }) => history.unblock(person),
  grant: (history, { person, other, text }) => history.grant(person, other - 3, text),
  moderator: (history, { other }) => history.act((at) => setModerator(at, 'ada', other > 3)),
  row: (history, { one, other, text }) =>
    history.row(history.run(texts[one % 2], { name: text, sha256: 'ab', bytes: 1 }), {
      ref: `${one}`,
      input: { name: text, region: text },
      ...(other > 4 && { mergeInto: other - 4 }),
      ...(other === 0 && { state: 'broken' as const }),
    }),
  delist(history, { one, other }) {
    const record = history.world.all('record')[one]
    const run = history.world.all('import').findLast(({ sourceId }) => sourceId === record?.sourceId)
    if (record === undefined) return
    history.act(() => delist(record.id, { actor: token(), remove: other > 3, runId: run?.id ?? 0 }))
  },
  finish(history, { other }) {
    const run = history.world.all('import').at(-1)
    if (run === undefined) return
    const end = { runId: run.id, sourceId: run.sourceId, counts: {}, isComplete: other > 3, by: 'api' }
    history.act((at) => finishRun(at, end))
  },
  redact: (history, { entry, text }) => history.redact(entry, { reason: text }),
  revert: (history, { entry }) => history.revert(entry),
  revertPerson: (history, { person }) => history.revertPerson(person),
} satisfies Readonly<Record<string, (history: History, chosen: Chosen) => unknown>>

const often =
  'create edit edit edit flag remove restore merge review review unreview area block unblock grant'
    .concat(' moderator row row delist finish redact redact revert revert revertPerson')
    .split(' ') as (keyof typeof acts)[]

/** What a step of a random history does; numbers choose among what there is. */
const Step = fc.record({
  what: fc.constantFrom(...often),
  who: fc.nat(3),
  one: fc.nat(7),
  other: fc.nat(7),
  text: fc.nat(texts.length - 1),
  entry: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
})
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never

function take(history: History, { what, who, one: first, other, text, entry }: Step): void {
  const one = 1 + (first % 5)
  acts[what](history, {
    actor: people[who] ?? api,
    one,
    other,
    text: texts[text] ?? '',
    entry: 1 + Math.floor(entry * history.world.state.size),
    person: ['ada', 'bob', 'mo', 'nobody'][one % 4] ?? '',
  })
}

describe('random histories of all kinds of writes', () => {
  const histories = fc.array(Step, { minLength: 1, maxLength: 60, size: 'max' })

  test(
    'folded one by one equal the log read back; XP is the sum of awards, stats never fall',
    repeated,
    () => {
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
          const source = vouchedBy(world)
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
          expect(vouchedBy(copy)).toEqual(source)
          expect(copy.state.peaks).toBe(world.state.peaks)
        }),
        { numRuns: counted({ quick: 40, all: 200, full: 2000 }), seed },
      )
      const needed = ['waypoint created', 'review moved', 'record linked', 'entry redacted', 'user blocked']
      expect([...seen]).toEqual(expect.arrayContaining(needed))
    },
  )
})

describe('an entry that cannot come next', () => {
  const base = new History()
  base.create()
  base.review(bob, 1, 'x')
  base.area('x')
  base.row(base.run(), { ref: 'a', input: {} })
  const world = base.world

  const [never, twice] = ['before it is created', 'created twice']
  const restored = { links: { restores: 1 } }
  const counted = { fields: { name: 'x' }, by: 'eve' }
  const impossible: readonly [string, string, string, Partial<StoredEntry>?][] = [
    ['an edit of nothing', 'waypoint 9 edited', never],
    ['a restored nothing', 'waypoint 9 created', never, restored],
    ['a waypoint twice', 'waypoint 1 created', twice],
    ['a waypoint whose id is text', 'waypoint 1 edited', 'not the id of a number', { subjectId: '1' }],
    ['a review twice', 'review 1 created', twice, { fields: { rating: 1, waypoint: 1 } }],
    ['a review that comes back from nothing', 'review 9 created', never, restored],
    ['a deleted review that never was', 'review 9 deleted', never],
    ['a person twice', 'user ada created', twice],
    ['the built-in user', 'user api created', twice],
    ['a block of nobody', 'user eve blocked', never],
    ['an area twice', 'area 1 created', twice],
    ['a source twice', 'source 1 created', twice],
    ['a source that never was', 'source 9 edited', never],
    ['a run twice', 'import 1 started', twice, { fields: { source: 1 } }],
    ['a run of no source', 'import 3 started', never, { fields: { source: 9 } }],
    ['a run that never began', 'import 9 finished', never],
    ['a record that never was', 'record 99 delisted', never],
    ['a redaction of nothing', 'entry 99 redacted', 'before it is', { fields: { names: ['name'] } }],
    ['an award to nobody', 'waypoint 1 edited', 'before it is', { awards: [['eve', 'grant', 1]] }],
    ['one by nobody, which counts for somebody', 'waypoint 1 edited', 'before it is', counted],
  ]
  test.for(impossible)('%s', ([, about, message, rest]) => {
    const folded = new Nouns()
    for (const kind of vouched) for (const row of world.all(kind)) folded.put(kind, row as never)
    const [subject = '', id = '', action = ''] = about.split(' ')
    const subjectId = subject === 'user' ? id : Number(id)
    const entry = { subject, subjectId, action, fields: {}, awards: [], links: {}, seed: null, leaf: '' }
    const given = { ...entry, id: world.state.size + 1, at: base.at, by: 'ada', ...rest } as StoredEntry
    expect(() => fold(given, folded)).toThrow(message)
  })
})
