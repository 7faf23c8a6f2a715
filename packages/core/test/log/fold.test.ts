import { expect, test } from 'vitest'
import type { StoredEntry } from '../../src/log/entry.ts'
import { fold, type Folded } from '../../src/log/fold.ts'
import type { VouchedNouns } from '../../src/log/nouns.ts'
import { builtIn } from '../../src/log/states.ts'
import { bob, History } from '../decide/history.ts'
import { vouched } from '../decide/world.ts'

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
}

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
test.for(impossible)('an entry that cannot come next: %s', ([, about, message, rest]) => {
  const folded = new Nouns()
  for (const kind of vouched) for (const row of world.all(kind)) folded.put(kind, row as never)
  const [subject = '', id = '', action = ''] = about.split(' ')
  const subjectId = subject === 'user' ? id : Number(id)
  const entry = { subject, subjectId, action, fields: {}, awards: [], links: {}, seed: null, leaf: '' }
  const given = { ...entry, id: world.state.size + 1, at: base.at, by: 'ada', ...rest } as StoredEntry
  expect(() => fold(given, folded)).toThrow(message)
})
