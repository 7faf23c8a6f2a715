import type { Writer } from '../writer.ts'
import { isAsImported, noFields } from '../decide/import.ts'
import type { MissingRow } from './options.ts'
import { redactions } from '../store/sqlite/nouns/redactions.ts'
import type { SourceRecord, SourceRows } from '../store/sqlite/nouns/source-records.ts'

/** What identifies a run in the records of a source. */
interface Seen {
  readonly sourceId: number
  readonly startedAt: string
}

/** The records of a source that a run did not see, by id. */
export function* missingRows(
  writer: Writer,
  rows: SourceRows,
  { sourceId, startedAt, userId }: Seen & { readonly userId: string },
): Generator<MissingRow> {
  const redacted = redactions(writer.statements).redactedFields()
  for (let after = 0; ;) {
    const records = rows.unseen(sourceId, startedAt, after, 1000)
    for (const { id, waypointId, ref, values } of records) {
      const waypoint = writer.load.waypoint(waypointId)
      if (waypoint === undefined || waypoint.deletedAt !== undefined) continue
      const closed = redacted.get(waypointId) ?? noFields
      const removable = !rows.isTouched(waypointId, userId, id) && isAsImported(waypoint, values, closed)
      yield { waypointId, ...(ref !== null && { ref }), removable }
    }
    const last = records.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** The records of a missing row. */
export function unseenRecords(
  rows: SourceRows,
  { sourceId, startedAt }: Seen,
  { waypointId, ref }: MissingRow,
): SourceRecord[] {
  return rows
    .recordsOf(sourceId, waypointId)
    .filter((record) => record.lastSeen !== startedAt && (record.ref ?? undefined) === ref)
}
