import type { Draft, StoredEntry, Via } from '../log/entry.ts'
import { operator } from './contributor.ts'
import { nounOf, nounsWhere, type Deciding, type Decision, type Unlogged } from './deciding.ts'
import { heldBy } from './import-held.ts'
import { Act, undone } from './revert.ts'

/** A run that is undone, and the run that undoes it. */
export interface UndoingRun {
  readonly sourceId: number
  readonly runId: number
  /** Absent in a dry run. */
  readonly undoingId?: number | undefined
  readonly reason: string
}

/** The outcome of an entry of a run. */
export interface UndoneEntry {
  /** `removed` is a waypoint that became a tombstone, `reverted` an edit, `restored` a waypoint removed by the run. */
  readonly outcome: 'removed' | 'reverted' | 'restored' | 'delisted' | 'relisted' | 'kept' | 'nothing'
  /** The waypoint of the entry, or of its record. */
  readonly waypointId?: number
  /** The fields changed since, when it is kept. */
  readonly fields?: readonly string[]
}

const nothing: Decision<UndoneEntry> = { entries: [], by: operator, answer: { outcome: 'nothing' } }

/** The merge base of a waypoint, with the values that it has again. */
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

/** Undoes an entry about a waypoint that a run made. */
function* undoOfWaypoint(
  entry: StoredEntry,
  { runId, undoingId, reason }: UndoingRun,
  at: string,
): Deciding<Decision<UndoneEntry>> {
  const via = entry.fields['via'] as Via | undefined
  if (via?.run !== runId) return nothing
  const waypointId = Number(entry.subjectId)
  function* kept(fields: readonly string[]): Deciding<Decision<UndoneEntry>> {
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

/** Undoes the listing or the delisting of a source's record by a run. */
function* undoOfRecord(entry: StoredEntry, { sourceId, runId }: UndoingRun): Deciding<Decision<UndoneEntry>> {
  const recordId = Number(entry.subjectId)
  const facts = yield [
    { noun: 'record', key: recordId },
    { noun: 'source', key: sourceId },
  ]
  const record = facts.get('record', recordId)
  if (record === undefined || record.sourceId !== sourceId) return nothing
  const { waypointId, missingSince } = record
  const via = entry.fields['via'] as Via | undefined
  const about = { subject: 'record', subjectId: recordId, fields: {} } as const
  const made = (action: 'delisted' | 'relisted'): Decision<UndoneEntry> => ({
    entries: [{ ...about, action }],
    by: operator,
    answer: { outcome: action, waypointId },
  })
  if (entry.action === 'linked' && via?.run === runId && missingSince === undefined) return made('delisted')
  if (entry.action === 'delisted' && missingSince !== undefined) return made('relisted')
  return nothing
}

/**
 * Undoes what one entry of a run of an import did, unless somebody changed the same since: a new waypoint becomes a
 * tombstone, an edit is reverted, a removed waypoint is restored, and a link to the source is removed.
 */
export function* undoEntry(entry: StoredEntry, run: UndoingRun, at: string): Deciding<Decision<UndoneEntry>> {
  if (entry.subject === 'waypoint') return yield* undoOfWaypoint(entry, run, at)
  if (entry.subject === 'record') return yield* undoOfRecord(entry, run)
  return nothing
}
