import type { UserCount } from '../fields/user.ts'
import {
  entryFields,
  provisional,
  type Action,
  type Draft,
  type Entry,
  type StoredEntry,
  type Subject,
} from './entry.ts'
import type { KeyOf, Person, RunState, SourceFacts, VouchedNouns } from './nouns.ts'
import { FoldError, listedSource, newRecord, numberOf, withRedacted } from './states.ts'
import { isFirst, keyOf, namesOf, ruleOf, subjects, type ActionRule } from './subjects.ts'

/**
 * The fold: the effect of an entry on nouns, by the rules of subjects. Requests, imports, mirrors, verification and
 * every engine use it, and nothing else changes nouns.
 */

/** The nouns that an entry is folded into. `get` returns nothing for one that does not exist. */
export interface Folded {
  get<Noun extends keyof VouchedNouns>(noun: Noun, key: KeyOf<Noun>): VouchedNouns[Noun] | undefined
  put<Noun extends keyof VouchedNouns>(noun: Noun, after: VouchedNouns[Noun]): void
}

function mustExist<State>(state: State | undefined, { subject, subjectId, action }: Entry): State {
  if (state === undefined) throw new FoldError(`${subject} ${subjectId} is ${action} before it is created`)
  return state
}

/**
 * A noun after one more entry about it.
 *
 * @param sourceOf the source of a record
 * @throws FoldError when the entry cannot come next
 */
export function foldSubject<Noun extends Subject>(
  noun: Noun,
  before: VouchedNouns[Noun] | undefined,
  entry: Entry,
  sourceOf: (id: number) => SourceFacts = () => mustExist<SourceFacts>(undefined, entry),
): VouchedNouns[Noun] {
  const { id, subjectId, action } = entry
  // The compiler cannot relate an action to the state that it makes.
  const rule = ruleOf({ subject: noun, action }) as ActionRule<VouchedNouns[Noun]> | undefined
  const { makes, changes } = rule ?? {}
  if (makes !== undefined && isFirst(entry)) {
    if (before !== undefined) throw new FoldError(`${noun} ${subjectId} is created twice`)
    if (subjects[noun].ids === 'of its entry' && subjectId !== id)
      throw new FoldError(`${noun} ${subjectId} is not that of its entry ${id}`)
    return makes(entry)
  }
  if (changes === undefined) throw new FoldError(`${noun} ${subjectId} cannot be ${action}`)
  return changes(mustExist(before, entry), entry, sourceOf)
}

/** A noun after one more entry about it, which has no place in the log yet. */
export function foldDraft<Noun extends Subject>(
  noun: Noun,
  before: VouchedNouns[Noun] | undefined,
  draft: Draft,
  who: Parameters<typeof provisional>[1],
): VouchedNouns[Noun] {
  return foldSubject(noun, before, provisional(draft, who))
}

interface CreditReads {
  get: (id: string) => Person
  put: (after: Person) => void
}

/** Credits of an entry: XP to the awarded people, and counts to its author. */
export function foldCredits(entry: Entry, { get, put }: CreditReads): void {
  const { subject, action, by, awards, links } = entry
  const isAction = subject === 'waypoint'
  const isNew = links.reverts === undefined && links.restores === undefined
  const count: UserCount | undefined = isNew ? ruleOf(entry)?.counts : undefined
  if (isAction || count !== undefined) {
    const person = get(by)
    put({
      ...person,
      stats: count === undefined ? person.stats : oneMore(person.stats, count),
      actions: isAction ? oneMore(person.actions, action as Action) : person.actions,
    })
  }
  for (const [userId, , amount] of awards) {
    const person = get(userId)
    put({ ...person, xp: person.xp + amount })
  }
}

/** The counts with one more of a kind. */
function oneMore<Counts extends Readonly<Partial<Record<string, number>>>>(
  counts: Counts,
  kind: keyof Counts & string,
): Counts {
  const after: Record<string, number | undefined> = { ...counts }
  after[kind] = (counts[kind] ?? 0) + 1
  return after as Counts
}

/**
 * Applies the loss of an entry's fields to its subject, given the entry before the loss. Text in force was cleared by
 * an ordinary entry before; this is the rest.
 */
function foldLoss(
  { subject, subjectId, fields }: StoredEntry,
  names: readonly string[],
  nouns: Folded,
): void {
  const own = names.filter((name) => !entryFields.has(name))
  if (subject === 'waypoint' && own.length > 0) {
    const waypoint = nouns.get('waypoint', numberOf(subjectId))
    if (waypoint) nouns.put('waypoint', withRedacted(waypoint, own))
  }
  if (subject === 'user' && names.includes('reason')) {
    const person = nouns.get('user', String(subjectId))
    // The reason may be that of an earlier block, or of a grant.
    if (person?.block && person.block.reason === fields['reason'])
      nouns.put('user', { ...person, block: { ...person.block, reason: '' } })
  }
  if (subject === 'import' && names.includes('file')) {
    const run = nouns.get('import', numberOf(subjectId))
    if (run) nouns.put('import', withoutFile(run))
  }
}

const withoutFile = ({ file: _file, ...run }: RunState): RunState => run

function foldInto<Noun extends Subject>(noun: Noun, entry: Entry, nouns: Folded): void {
  const key = (noun === 'user' ? String(entry.subjectId) : numberOf(entry.subjectId)) as KeyOf<Noun>
  // A subject with the id of its entry does not exist before it.
  const isNew = subjects[noun].ids === 'of its entry' && isFirst(entry)
  const before = isNew ? undefined : nouns.get(noun, key)
  const sourceOf = (id: number): SourceFacts => mustExist(nouns.get('source', id), entry)
  nouns.put(noun, foldSubject(noun, before, entry, sourceOf))
}

/** Whether an entry states that its source listed all its records. */
export const isListing = ({ subject, action, fields }: Entry): boolean =>
  subject === 'import' && action === 'finished' && fields['complete'] === true

/** Folds an entry into the nouns that it affects. @throws FoldError when it cannot come next */
export function fold(entry: Entry, nouns: Folded): void {
  const { subject } = entry
  if (subject === 'entry') {
    const target = mustExist(nouns.get('entry', keyOf('entry', entry)), entry)
    foldLoss(target, namesOf(entry), nouns)
  }
  foldInto(subject, entry, nouns)
  if (subject === 'import') {
    const run = mustExist(nouns.get('import', keyOf('import', entry)), entry)
    const source = mustExist(nouns.get('source', run.sourceId), entry)
    if (isListing(entry)) nouns.put('source', listedSource(source, entry))
  }
  const record = subject === 'waypoint' ? newRecord(entry) : undefined
  if (record !== undefined) nouns.put('record', record)
  foldCredits(entry, {
    get: (id) => mustExist(nouns.get('user', id), entry),
    put: (after) => nouns.put('user', after),
  })
}
