import type { ImportRow } from './row.ts'
import type { SourceRecord, SourceRows } from '../store/sqlite/nouns/source-records.ts'

/** Records of a source by reference; null for references without a record when they were looked up. */
export type RecordsByRef = Map<string, SourceRecord | null>

/** The references of the rows that have one. */
export const refsOf = (rows: readonly ImportRow[]): string[] => rows.flatMap(({ ref }) => ref ?? [])

/** Looks up many references of a source in one query; a new source has no records. */
export function recordsByRef(
  rows: SourceRows,
  sourceId: number | undefined,
  refs: readonly string[],
): RecordsByRef {
  const records: RecordsByRef = new Map(refs.map((ref) => [ref, null]))
  if (sourceId === undefined || refs.length === 0) return records
  for (const record of rows.records(sourceId, refs)) records.set(record.ref ?? '', record)
  return records
}

/**
 * The record of a row from an earlier run, by its reference, or by its waypoint when references changed.
 *
 * @param records the records that are looked up already; others are looked up now
 */
export function recordOf(
  rows: SourceRows,
  { sourceId, startedAt }: { readonly sourceId: number | undefined; readonly startedAt: string },
  { ref, mergeInto }: ImportRow,
  records: RecordsByRef,
): SourceRecord | undefined {
  if (sourceId === undefined) return undefined
  const loaded = ref === undefined ? null : records.get(ref)
  const exact = loaded === undefined && ref !== undefined ? rows.record(sourceId, ref) : (loaded ?? undefined)
  if (exact !== undefined || mergeInto === undefined) return exact
  return rows
    .recordsOf(sourceId, mergeInto)
    .find((record) => record.lastSeen !== startedAt || record.ref === null)
}
