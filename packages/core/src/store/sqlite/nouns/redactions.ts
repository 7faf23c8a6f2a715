import { sql } from 'kysely'
import { canonicalJson, type LogEntry } from '../../../log/entry.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** By waypoint, the fields from which text was redacted. */
export type RedactedFields = ReadonlyMap<number, ReadonlySet<string>>

/** Reads and writes redactions; writes run inside the caller's transaction. */
export function redactions(statements: Statements) {
  const laterFields = statements.shaped('fields of later entries', () =>
    build
      .selectFrom('changes')
      .innerJoin(sql<{ key: string }>`json_each(changes.changes)`.as('field'), (join) => join.onTrue())
      .select('field.key')
      .distinct()
      .where('bubblerId', '=', param<number>('bubblerId'))
      .where('changes.id', '>', param<number>('id')),
  )
  const record = statements.shaped('record a redaction', () =>
    build
      .insertInto('redactions')
      .values({ changeId: param('id'), reason: param('reason'), fields: param('fields'), at: param('at') })
      .onConflict((conflict) =>
        conflict
          .column('changeId')
          .doUpdateSet({ reason: param('reason'), fields: param('fields'), at: param('at') }),
      ),
  )
  const strip = statements.shaped('strip an entry', () =>
    build
      .updateTable('changes')
      .set({ changes: param('changes'), salt: null })
      .where('id', '=', param<number>('id')),
  )
  const stripRecords = statements.shaped('strip source records', () =>
    build
      .updateTable('sourceRecords')
      .set({ values: sql<string>`json_remove("values", ${param('path')})` })
      .where('waypointId', '=', param<number>('waypointId'))
      .where(
        sql<boolean>`json_extract("values", ${param('path')}) = json_extract(${param('old')}, ${param('path')})`,
      ),
  )

  const byWaypoint = statements.shaped('redacted fields by waypoint', () =>
    build
      .selectFrom('redactions')
      .innerJoin('changes', 'changes.id', 'redactions.changeId')
      .select(['changes.bubblerId', 'redactions.fields']),
  )

  return {
    redactedFields(): RedactedFields {
      const found = new Map<number, Set<string>>()
      for (const { bubblerId, fields } of byWaypoint.all({})) {
        const known = found.get(bubblerId) ?? new Set()
        for (const field of JSON.parse(fields) as string[]) known.add(field)
        found.set(bubblerId, known)
      }
      return found
    },
    /** Fields that later entries of the same waypoint set. */
    laterFields: ({ id, bubblerId }: LogEntry): Set<string> =>
      new Set(laterFields.all({ id, bubblerId }).map(({ key }) => key)),
    remove(entry: LogEntry, fields: readonly string[], reason: string, at: string): void {
      const { id, bubblerId, changes } = entry
      const removed = [...new Set([...(entry.redacted?.fields ?? []), ...fields])]
      record.run({ id, reason, fields: JSON.stringify(removed), at })
      const left = Object.fromEntries(Object.entries(changes).filter(([field]) => !fields.includes(field)))
      strip.run({ id, changes: canonicalJson(left) })
      for (const field of fields) {
        stripRecords.run({ waypointId: bubblerId, path: `$.${field}`, old: JSON.stringify(changes) })
      }
    },
  }
}
