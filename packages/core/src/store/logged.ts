import { entryFields, type Action, type LogEntry } from '../log/entry.ts'
import type { DescribedRow } from './changes.ts'
import type { Tables } from './tables.ts'

/** An entry about a waypoint, with its redactions. */
export type LoggedRow = Pick<Tables['entries'], 'id' | 'subjectId' | 'by' | 'action' | 'fields' | 'at'> & {
  /** A JSON array of the times and the fields of the entries that redacted it, oldest first; null when none did. */
  readonly redactions: string | null
}

/** The same with its user and waypoint. */
export interface DescribedLoggedRow extends LoggedRow {
  readonly userName: string
  readonly userXp: number
  readonly isModerator: number
  readonly waypointName: string
  readonly latitude: number
  readonly longitude: number
}

/** The fields of a waypoint in an entry, without those of the entry itself. */
function changesOf(fields: string): Record<string, unknown> {
  const all = JSON.parse(fields) as Record<string, unknown>
  for (const name of entryFields) delete all[name]
  return all
}

/** Why and when fields were redacted, in one for all redactions of an entry. */
function redactionOf(redactions: string | null): LogEntry['redacted'] {
  if (redactions === null) return undefined
  const all = JSON.parse(redactions) as { at: string; fields: { names: string[]; reason?: string } }[]
  const last = all.at(-1)
  if (last === undefined) return undefined
  const names = all.flatMap(({ fields }) => fields.names).filter((name) => !entryFields.has(name))
  if (names.length === 0) return undefined
  const reasons = all.flatMap(({ fields }) => fields.reason ?? [])
  return { reason: [...new Set(reasons)].join('; '), timestamp: last.at, fields: [...new Set(names)] }
}

/** An action on a waypoint, as the API's log has it. */
export function logEntryOf(row: LoggedRow): LogEntry {
  const redacted = redactionOf(row.redactions)
  return {
    id: row.id,
    bubblerId: Number(row.subjectId),
    userId: row.by,
    action: row.action as Action,
    changes: changesOf(row.fields),
    timestamp: row.at,
    redacted,
  }
}

export function describedRowOf(row: DescribedLoggedRow): DescribedRow {
  return {
    entry: logEntryOf(row),
    user: { id: row.by, name: row.userName, xp: row.userXp, isModerator: row.isModerator === 1 },
    waypoint: {
      id: Number(row.subjectId),
      name: row.waypointName,
      latitude: row.latitude,
      longitude: row.longitude,
    },
  }
}
