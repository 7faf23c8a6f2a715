import { userIdOf, type TokenActor } from '../actor.ts'
import type { Draft, Via } from '../log/entry.ts'
import { isLive, type RunState } from '../log/nouns.ts'
import type { SourceInput } from '../schemas/source.ts'
import { operator } from './contributor.ts'
import { nounOf, withoutEntries, type Deciding, type Decision } from './deciding.ts'
import { heldBy } from './import-held.ts'
import { ensuredSource } from './source.ts'
import { deletion } from './waypoint.ts'

/** A run with its source. */
export interface BegunRun {
  readonly runId: number
  readonly sourceId: number
  readonly startedAt: string
}

/** Begins a run of an import: its source with the given terms, and the run itself. */
export function* beginRun(
  at: string,
  { source, file, by = operator }: { source: SourceInput; file?: RunState['file']; by?: string | undefined },
): Deciding<Decision<BegunRun>> {
  const { id: sourceId, drafts } = yield* ensuredSource(source)
  const facts = yield []
  const runId = facts.last.import + 1
  const started: Draft<'import'> = {
    subject: 'import',
    subjectId: runId,
    action: 'started',
    fields: { ...(file !== undefined && { file }), source: sourceId },
  }
  return {
    entries: [...drafts, started],
    unlogged: [{ noun: 'progress', after: { id: runId, updatedAt: at, counts: '{}' } }],
    by,
    answer: { runId, sourceId, startedAt: at },
  }
}

/** Gives the source of a run that is continued the terms that it is given now. */
export function* continueRun(run: BegunRun, source: SourceInput, by: string): Deciding<Decision<BegunRun>> {
  const { drafts } = yield* ensuredSource(source)
  return { entries: drafts, by, answer: run }
}

/** Records how far a run has come. */
export function* recordProgress(
  at: string,
  { runId, checkpoint, counts }: { runId: number; checkpoint?: string | undefined; counts: string },
): Deciding<Decision<undefined>> {
  yield [{ noun: 'progress', key: runId }]
  const after = { id: runId, updatedAt: at, ...(checkpoint !== undefined && { checkpoint }), counts }
  return withoutEntries(undefined, [{ noun: 'progress', after }])
}

/** A record of a source that a run did not see, because its file no longer has it. */
export interface MissingRow {
  readonly waypointId: number
  readonly ref?: string
  /** Whether nobody changed, reviewed or saw the waypoint here, and no other source lists it. */
  readonly removable: boolean
}

/** The outcome of a missing row. */
export interface Delisted extends MissingRow {
  readonly outcome: 'marked' | 'removed' | 'gone'
}

/**
 * Marks a record that its source no longer lists, and turns its waypoint into a tombstone if that is asked for and
 * nothing here holds it.
 */
export function* delist(
  recordId: number,
  { actor, remove, runId }: { readonly actor: TokenActor; readonly remove: boolean; readonly runId: number },
): Deciding<Decision<Delisted | undefined>> {
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
  const row = { waypointId, ref }
  const mark: Draft<'record'> = { subject: 'record', subjectId: recordId, action: 'delisted', fields: {} }
  const marks = record.missingSince === undefined ? [mark] : []
  if (!isLive(waypoint)) return { entries: [], by, answer: { ...row, removable: false, outcome: 'gone' } }
  const removable = (yield* heldBy(waypointId, { recordId, importer: by })).length === 0
  if (remove && removable)
    return {
      entries: [...marks, { ...deletion(waypointId), fields: { via } }],
      by,
      answer: { ...row, removable, outcome: 'removed' },
    }
  return { entries: marks, by, answer: { ...row, removable, outcome: 'marked' } }
}

/**
 * Ends a run.
 *
 * @param published the day on which the source published it, `YYYY-MM-DD`
 * @param isComplete whether the source listed all its records, so that unmentioned ones are listed too
 */
export function* finishRun(
  at: string,
  {
    runId,
    sourceId,
    counts,
    isComplete,
    published,
    by,
  }: {
    readonly runId: number
    readonly sourceId: number
    readonly counts: Readonly<Record<string, number>>
    readonly isComplete: boolean
    readonly published?: string | undefined
    readonly by: string
  },
): Deciding<Decision<undefined>> {
  yield [
    { noun: 'import', key: runId },
    { noun: 'source', key: sourceId },
    { noun: 'progress', key: runId },
  ]
  // Nothing was published on a day to come.
  const isPast = published !== undefined && published <= at.slice(0, 10)
  const finished: Draft<'import'> = {
    subject: 'import',
    subjectId: runId,
    action: 'finished',
    fields: { complete: isComplete, counts, ...(isPast && { published }) },
  }
  const after = { id: runId, updatedAt: at, counts: JSON.stringify(counts) }
  return { entries: [finished], unlogged: [{ noun: 'progress', after }], by, answer: undefined }
}
