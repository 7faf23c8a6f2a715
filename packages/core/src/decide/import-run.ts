import { sourceOptionals, sourceValuesOf } from '../fields/source.ts'
import { type Draft, type Via, draftOf, changedFields, type StoredEntry } from '../log/entry.ts'
import { isLive, type RunState } from '../log/nouns.ts'
import type { SourceInput } from '../schemas/source.ts'
import { userIdOf, type TokenActor, operator } from './contributor.ts'
import {
  nounOf,
  withoutEntries,
  type Deciding,
  type Decision,
  nounsWhere,
  type Unlogged,
  type Decided,
} from './deciding.ts'
import { closedFields, rememberedBy, isAsImported } from './import.ts'
import { Act, undone } from './revert.ts'
import { deletion } from './waypoint.ts'

export interface BegunRun {
  readonly runId: number
  readonly sourceId: number
  readonly startedAt: string
}

export function* beginRun(
  at: string,
  { source, file, by = operator }: { source: SourceInput; file?: RunState['file']; by?: string | undefined },
): Decided<BegunRun> {
  const { id: sourceId, drafts } = yield* ensuredSource(source)
  const facts = yield []
  const runId = facts.last.import + 1
  const fields = { ...(file !== undefined && { file }), source: sourceId }
  return {
    entries: [...drafts, draftOf('import', runId, 'started', fields)],
    unlogged: [{ noun: 'progress', after: { id: runId, updatedAt: at, counts: '{}' } }],
    by,
    answer: { runId, sourceId, startedAt: at },
  }
}

/** Gives the source of a run that is continued the terms that it is given now. */
export function* continueRun(run: BegunRun, source: SourceInput, by: string): Decided<BegunRun> {
  const { drafts } = yield* ensuredSource(source)
  return { entries: drafts, by, answer: run }
}

export function* recordProgress(
  at: string,
  { runId, checkpoint, counts }: { runId: number; checkpoint?: string | undefined; counts: string },
): Decided<undefined> {
  yield [{ noun: 'progress', key: runId }]
  const after = { id: runId, updatedAt: at, ...(checkpoint !== undefined && { checkpoint }), counts }
  return withoutEntries(undefined, [{ noun: 'progress', after }])
}

/** A record of a source that a run did not see, because its file no longer has it, and its outcome. */
export interface Delisted {
  readonly waypointId: number
  /** Whether an earlier run marked it. */
  readonly isMarked: boolean
  readonly outcome: 'marked' | 'removed' | 'gone'
}

/** Marks a record that is no longer listed; with `remove` its waypoint goes, unless something here holds it. */
export function* delist(
  recordId: number,
  { actor, remove, runId }: { readonly actor: TokenActor; readonly remove: boolean; readonly runId: number },
): Decided<Delisted | undefined> {
  const by = userIdOf(actor) ?? operator
  const record = yield* nounOf('record', recordId)
  if (record === undefined) return { entries: [], by, answer: undefined }
  const { waypointId, ref } = record
  const via: Via = { source: record.sourceId, run: runId, ref }
  const facts = yield [
    { noun: 'waypoint', key: waypointId },
    { noun: 'source', key: record.sourceId },
  ]
  const waypoint = facts.get('waypoint', waypointId)
  const row = { waypointId, isMarked: record.missingSince !== undefined }
  const marks = record.missingSince === undefined ? [draftOf('record', recordId, 'delisted')] : []
  if (!isLive(waypoint)) return { entries: [], by, answer: { ...row, outcome: 'gone' } }
  if (remove && (yield* heldBy(waypointId, { recordId, importer: by })).length === 0)
    return {
      entries: [...marks, { ...deletion(waypointId), fields: { via } }],
      by,
      answer: { ...row, outcome: 'removed' },
    }
  return { entries: marks, by, answer: { ...row, outcome: 'marked' } }
}

interface FinishedRun extends Pick<BegunRun, 'runId' | 'sourceId'> {
  readonly counts: Readonly<Record<string, number>>
  /** Whether the source listed all its records, so that unmentioned ones are listed too. */
  readonly isComplete: boolean
  /** The day on which the source published it, `YYYY-MM-DD`. */
  readonly published?: string | undefined
  readonly by: string
}

export function* finishRun(
  at: string,
  { runId, sourceId, counts, isComplete, published, by }: FinishedRun,
): Decided<undefined> {
  yield [
    { noun: 'import', key: runId },
    { noun: 'source', key: sourceId },
    { noun: 'progress', key: runId },
  ]
  // Nothing was published on a day to come.
  const isPast = published !== undefined && published <= at.slice(0, 10)
  const fields = { complete: isComplete, counts, ...(isPast && { published }) }
  const finished = draftOf('import', runId, 'finished', fields)
  const after = { id: runId, updatedAt: at, counts: JSON.stringify(counts) }
  return { entries: [finished], unlogged: [{ noun: 'progress', after }], by, answer: undefined }
}

type Hold = 'fields' | 'reviews' | 'photos' | 'observations' | 'sources'

/** The reasons against the deletion of a waypoint by `importer`. Observations that it is gone are none. */
function* heldBy(
  waypointId: number,
  { recordId, importer }: { readonly recordId: number; readonly importer: string },
): Deciding<Hold[]> {
  const bubblerId = waypointId
  const facts = yield [
    { noun: 'waypoint', key: waypointId },
    { noun: 'base', key: recordId },
    { noun: 'review', where: { bubblerId } },
    { noun: 'photo', where: { bubblerId } },
    { noun: 'observation', where: { bubblerId } },
    { noun: 'sighting', where: { bubblerId } },
    { noun: 'record', where: { waypointId } },
    { ask: 'entriesAbout', of: { subject: 'waypoint', subjectId: waypointId } },
  ]
  const waypoint = facts.get('waypoint', waypointId)
  const entries = facts.ask('entriesAbout', { subject: 'waypoint', subjectId: waypointId })
  const holds: Readonly<Record<Hold, boolean>> = {
    fields:
      entries.some(({ by }) => by !== importer) ||
      (waypoint !== undefined &&
        !isAsImported(waypoint, rememberedBy(facts.get('base', recordId)), closedFields(waypoint))),
    reviews: facts.find('review', { bubblerId }).some(isLive),
    photos: facts.find('photo', { bubblerId }).some(isLive),
    observations:
      facts.find('observation', { bubblerId }).some((each) => each.kind !== 'gone' && isLive(each)) ||
      facts.find('sighting', { bubblerId }).some(({ kind }) => kind !== 'gone'),
    sources: facts
      .find('record', { waypointId })
      .some(({ id, missingSince }) => id !== recordId && missingSince === undefined),
  }
  return (Object.keys(holds) as Hold[]).filter((hold) => holds[hold])
}

interface EnsuredSource {
  readonly id: number
  readonly drafts: readonly Draft[]
}

/** The fields of a source that may change; its name identifies it. */
const changeable = ['license', ...sourceOptionals] as const

function* ensuredSource(given: SourceInput): Deciding<EnsuredSource> {
  const { name, license } = given
  const facts = yield [{ noun: 'source', where: { name } }]
  const [before] = facts.find('source', { name })
  if (before === undefined) {
    const fields = { ...sourceValuesOf(given), license, name }
    const id = facts.last.source + 1
    return { id, drafts: [draftOf('source', id, 'created', fields)] }
  }
  const changed = changedFields(changeable, before, given)
  const isSame = Object.keys(changed).length === 0
  return { id: before.id, drafts: isSame ? [] : [draftOf('source', before.id, 'edited', changed)] }
}

export function* ensureSource(given: SourceInput): Decided<number> {
  const { id, drafts } = yield* ensuredSource(given)
  return { entries: drafts, by: operator, answer: id }
}

export interface UndoingRun {
  readonly sourceId: number
  readonly runId: number
  readonly undoingId?: number | undefined
  readonly reason: string
}

export interface UndoneEntry {
  /** `removed` is a waypoint that became a tombstone, `reverted` an edit, `restored` a waypoint removed by the run. */
  readonly outcome: 'removed' | 'reverted' | 'restored' | 'delisted' | 'relisted' | 'kept' | 'nothing'
  readonly waypointId?: number
  /** The fields changed since, when it is kept. */
  readonly fields?: readonly string[]
}

const nothing: Decision<UndoneEntry> = { entries: [], by: operator, answer: { outcome: 'nothing' } }

function* rememberedAgain(via: Via, waypointId: number, fields: Draft['fields']): Deciding<Unlogged[]> {
  const records = yield* nounsWhere('record', { sourceId: via.source, waypointId })
  const record = records.find(({ ref }) => ref === via.ref)
  const base = record && (yield* nounOf('base', record.id))
  if (base === undefined) return []
  const values = JSON.parse(base.values) as Record<string, unknown>
  for (const [field, value] of Object.entries(fields)) {
    // A redacted field is null, and stays closed.
    if (values[field] === null || field === 'approved' || field === 'verified') continue
    if (value === null) delete values[field]
    else values[field] = value
  }
  return [{ noun: 'base', after: { ...base, values: JSON.stringify(values) } }]
}

const outcomeOf = { created: 'removed', deleted: 'restored' } as const

function* undoOfWaypoint(
  entry: StoredEntry,
  { runId, undoingId, reason }: UndoingRun,
  at: string,
): Decided<UndoneEntry> {
  const via = entry.fields['via'] as Via | undefined
  if (via?.run !== runId) return nothing
  const waypointId = Number(entry.subjectId)
  function* kept(fields: readonly string[]): Decided<UndoneEntry> {
    const waypoint = yield* nounOf('waypoint', waypointId)
    // A waypoint deleted since is gone already; a merged one lives on in another.
    const isGone = waypoint?.deletedAt !== undefined && waypoint.mergedInto === undefined
    if (isGone && entry.action !== 'deleted') return nothing
    return { ...nothing, answer: { outcome: 'kept', waypointId, fields } }
  }
  const isNew = entry.action === 'created' && entry.links.restores === undefined
  const undoing = yield* undone(entry, new Act({ by: operator, at }), reason)
  if ('conflict' in undoing) return undoing.isUndone === true ? nothing : yield* kept(undoing.conflict)
  const held = isNew ? yield* heldBy(waypointId, { recordId: entry.id, importer: entry.by }) : []
  if (held.length > 0) return yield* kept(held)
  const [first, ...others] = undoing.drafts
  if (first === undefined) return nothing
  const own: Via = { ...via, run: undoingId ?? runId }
  const outcome =
    entry.action === 'created' || entry.action === 'deleted' ? outcomeOf[entry.action] : 'reverted'
  const { reason: _reason, ...values } = first.fields
  return {
    entries: [{ ...first, fields: { ...first.fields, via: own } }, ...others],
    unlogged: outcome === 'reverted' ? yield* rememberedAgain(via, waypointId, values) : [],
    by: operator,
    answer: { outcome, waypointId },
  }
}

function* undoOfRecord(entry: StoredEntry, { sourceId, runId }: UndoingRun): Decided<UndoneEntry> {
  const recordId = Number(entry.subjectId)
  const facts = yield [
    { noun: 'record', key: recordId },
    { noun: 'source', key: sourceId },
  ]
  const record = facts.get('record', recordId)
  if (record === undefined || record.sourceId !== sourceId) return nothing
  const { waypointId, missingSince } = record
  const via = entry.fields['via'] as Via | undefined
  const made = (action: 'delisted' | 'relisted'): Decision<UndoneEntry> => ({
    entries: [draftOf('record', recordId, action)],
    by: operator,
    answer: { outcome: action, waypointId },
  })
  if (entry.action === 'linked' && via?.run === runId && missingSince === undefined) return made('delisted')
  if (entry.action === 'delisted' && missingSince !== undefined) return made('relisted')
  return nothing
}

/** Undoes what one entry of a run did, unless somebody changed the same since. */
export function* undoEntry(entry: StoredEntry, run: UndoingRun, at: string): Decided<UndoneEntry> {
  if (entry.subject === 'waypoint') return yield* undoOfWaypoint(entry, run, at)
  if (entry.subject === 'record') return yield* undoOfRecord(entry, run)
  return nothing
}
