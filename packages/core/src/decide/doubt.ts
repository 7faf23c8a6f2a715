import { invalidBecause, RegistryError } from '../errors.ts'
import type { StoredEntry } from '../log/entry.ts'
import { doubtId, type StoredDoubt } from '../log/nouns.ts'
import type { Rules } from '../rules.ts'
import type { RowDecision } from '../schemas/doubt.ts'
import { contribution, mustModerate, token, type Occasion } from './contributor.ts'
import { nounOf, withoutEntries, type Unlogged, type Decided } from './deciding.ts'
import { importRow, inputOf, type ImportOutcome, type ImportRow, type RunTerms } from './import.ts'

/** Doubtful rows of imports, which are outside the log. Deciding one imports it. */

const kept = (after: StoredDoubt): Unlogged => ({ noun: 'doubt', after })

type KeptRow = Omit<ImportRow, 'row' | 'ref' | 'doubt'> & { readonly approved: boolean }

export const keptRow = ({ values }: Pick<StoredDoubt, 'values'>): KeptRow => JSON.parse(values) as KeptRow

/** Keeps a doubtful row for a person to decide. One that was imported meanwhile is again, one left out stays out. */
export function* noteDoubt(terms: RunTerms, row: ImportRow, at: string): Decided<ImportOutcome> {
  const { doubt, row: number, ref = '', ...values } = row
  const { sourceId, runId, approved } = terms
  const { who } = yield* contribution({ ...terms, at })
  const given = yield* inputOf(terms, row)
  const answer = { row: number, fields: [], conflicts: [], withheld: [] } as const
  if (typeof given === 'string')
    return { entries: [], by: who.userId, answer: { ...answer, kind: 'refused', reason: given } }
  const isSkipped = doubt === 'skip'
  const outcome = { ...answer, kind: isSkipped ? 'skipped' : 'doubtful' } as const
  if (sourceId === undefined) return withoutEntries(outcome)
  const id = doubtId(sourceId, ref)
  const facts = yield [
    { noun: 'record', where: { sourceId, ref } },
    { noun: 'doubt', key: id },
  ]
  if (facts.find('record', { sourceId, ref }).length > 0)
    return yield* importRow(terms, { ...row, doubt: undefined }, at)
  const before = facts.get('doubt', id)
  // A file says that it is left out, and nobody was asked here.
  const candidate = doubt === undefined || doubt === 'skip' ? before : doubt
  if (runId === undefined || candidate === undefined) return withoutEntries(outcome)
  const { waypointId, metres, score } = candidate
  const isBack = before === undefined || before.goneIn !== undefined
  const wasSkipped = before?.decision === 'skip'
  const after: StoredDoubt = {
    id,
    number: before?.number,
    sourceId,
    ref,
    row: number,
    values: JSON.stringify({ ...values, approved } satisfies KeptRow),
    waypointId,
    metres,
    score,
    by: who.userId,
    runId: isBack ? runId : before.runId,
    seenIn: runId,
    createdAt: isBack ? at : before.createdAt,
    ...(wasSkipped && { decision: 'skip', decidedAt: before.decidedAt, decidedBy: before.decidedBy }),
    ...(isSkipped && !wasSkipped && { decision: 'skip', decidedAt: at, decidedBy: who.userId }),
  }
  return withoutEntries(outcome, [kept(after)])
}

/** Ends a row that its source no longer lists. */
export function* endDoubt(id: string, runId: number): Decided<undefined> {
  const doubt = yield* nounOf('doubt', id)
  const isOpen = doubt !== undefined && doubt.goneIn === undefined && doubt.seenIn !== runId
  return withoutEntries(undefined, isOpen ? [kept({ ...doubt, goneIn: runId })] : [])
}

export function* eraseDoubt(id: string): Decided<undefined> {
  const doubt = yield* nounOf('doubt', id)
  return withoutEntries(undefined, doubt === undefined ? [] : [kept({ ...doubt, isGone: true })])
}

/** Has a row be as it was before a run: it ends with the run that brought it, and is back after the run that ended it. */
export function* undoDoubt(
  id: string,
  { runId, undoingId }: { readonly runId: number; readonly undoingId: number },
): Decided<undefined> {
  const doubt = yield* nounOf('doubt', id)
  if (doubt === undefined) return withoutEntries(undefined)
  const { decision, decidedAt, decidedBy, entry, goneIn, ...rest } = doubt
  // The entries of the decision are undone, too.
  const isUndone = entry !== undefined && doubt.seenIn === runId
  const after: StoredDoubt = {
    ...rest,
    seenIn: doubt.seenIn === runId ? rest.runId : doubt.seenIn,
    ...(!isUndone && { decision, decidedAt, decidedBy, entry }),
    goneIn: rest.runId === runId ? undoingId : goneIn === runId ? undefined : goneIn,
  }
  return withoutEntries(undefined, [kept(after)])
}

/** Whether an entry is of the decision about a row. */
export const isOfDecision = ({ entry }: StoredDoubt, { id, links }: StoredEntry): boolean =>
  entry !== undefined && (id === entry || links.act === entry)

interface DecidedDoubt {
  readonly decision: RowDecision['decision']
  readonly waypointId?: number | undefined
}

/** Decides a doubtful row: imports it for the author of the import and without XP, or leaves it out. */
export function* decideDoubt(
  occasion: Occasion,
  id: string,
  { decision, waypointId: named }: Omit<RowDecision, 'id'>,
): Decided<DecidedDoubt> {
  const { who } = yield* contribution(occasion)
  mustModerate(who, 'Only moderators may decide doubtful rows')
  const doubt = yield* nounOf('doubt', id)
  const records =
    doubt === undefined
      ? []
      : (yield [{ noun: 'record', where: { sourceId: doubt.sourceId, ref: doubt.ref } }]).find('record', {
          sourceId: doubt.sourceId,
          ref: doubt.ref,
        })
  const isImported = records.some(({ missingSince }) => missingSince === undefined)
  if (doubt === undefined || doubt.goneIn !== undefined || (isImported && doubt.decision === undefined))
    throw new RegistryError(
      'NOT_FOUND',
      'There is no such row: its source no longer lists it, or it is imported',
    )
  const { decision: before = 'open', decidedAt: _at, decidedBy: _by, ...open } = doubt
  const isSame = before === decision
  const [record] = records
  if (isSame) return withoutEntries({ decision, waypointId: record?.waypointId })
  if (before !== 'open' && (before !== 'skip' || decision !== 'open'))
    throw new RegistryError('CONFLICT', `Another moderator decided otherwise: ${before}`, {
      decision: before,
    })
  if (decision === 'open') return withoutEntries({ decision }, [kept(open)])
  const decided: StoredDoubt = { ...open, decision, decidedAt: occasion.at, decidedBy: who.userId }
  if (decision === 'skip') return withoutEntries({ decision }, [kept(decided)])
  return yield* imported(occasion, decided, decision === 'same' ? (named ?? doubt.waypointId) : undefined)
}

function* imported(
  { rules, properties, at }: Occasion,
  doubt: StoredDoubt,
  mergeInto: number | undefined,
): Decided<DecidedDoubt> {
  const { approved, ...row } = keptRow(doubt)
  const terms: RunTerms = {
    rules: withoutXp(rules),
    properties,
    actor: token(doubt.by),
    sourceId: doubt.sourceId,
    // A run that goes on has seen it.
    runId: doubt.seenIn,
    approved,
  }
  const { nextEntry } = yield []
  const made = yield* importRow(terms, { ...row, row: doubt.row, ref: doubt.ref, mergeInto }, at)
  const { kind, waypointId, reason } = made.answer
  if (kind === 'refused') throw invalidBecause('row', reason ?? 'it cannot be imported')
  const act = { act: nextEntry }
  return {
    ...made,
    entries: made.entries.map((each) =>
      'sealed' in each || made.entries.length === 1 ? each : { ...each, links: { ...each.links, ...act } },
    ),
    unlogged: [...(made.unlogged ?? []), kept({ ...doubt, entry: nextEntry })],
    answer: { decision: doubt.decision ?? 'new', waypointId },
  }
}

const withoutXp = (rules: Rules): Rules => ({
  ...rules,
  xp: Object.fromEntries(Object.keys(rules.xp).map((each) => [each, 0])) as unknown as Rules['xp'],
})
