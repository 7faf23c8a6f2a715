import { sql } from 'kysely'
import type { RememberedValues } from '../../../decide/import.ts'
import type { SourceInput, SourceState } from '../../../schemas/source.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** The values of a waypoint at a source, as of its last import. */
export interface SourceRecord {
  readonly id: number
  readonly ref: string | null
  readonly waypointId: number
  readonly values: RememberedValues
  readonly lastSeen: string
  readonly missingSince: string | null
  readonly state: SourceState | null
}

/** A run of an import as it is stored. */
export interface ImportRow {
  readonly id: number
  readonly sourceId: number
  readonly fileName: string | null
  readonly fileSha256: string | null
  readonly fileBytes: number | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly checkpoint: string | null
  readonly counts: string
}

const importColumns = [
  'id',
  'sourceId',
  'fileName',
  'fileSha256',
  'fileBytes',
  'startedAt',
  'finishedAt',
  'checkpoint',
  'counts',
] as const

/** Reads and writes sources, their records and runs of imports; writes run inside the caller's transaction. */
export function sourceRows(statements: Statements) {
  const one = <Row>(shape: string, query: Parameters<typeof statements.shaped<Row>>[1]) =>
    statements.shaped(shape, query)
  const source = one('source by name', () =>
    build.selectFrom('sources').selectAll().where('name', '=', param<string>('name')),
  )
  const insertSource = one('insert source', () =>
    build
      .insertInto('sources')
      .values({
        name: param('name'),
        url: param('url'),
        license: param('license'),
        attribution: param('attribution'),
        createdAt: param('at'),
        updatedAt: param('at'),
      })
      .returning('id'),
  )
  const updateSource = one('update source', () =>
    build
      .updateTable('sources')
      .set({
        url: param('url'),
        license: param('license'),
        attribution: param('attribution'),
        updatedAt: param('at'),
      })
      .where('id', '=', param<number>('id')),
  )
  const records = () =>
    build
      .selectFrom('sourceRecords')
      .select(['id', 'ref', 'waypointId', 'values', 'lastSeen', 'missingSince', 'state'])
      .where('sourceId', '=', param<number>('sourceId'))
  const byRef = one('record by ref', () => records().where('ref', '=', param<string>('ref')))
  const byWaypoint = one('records by waypoint', () =>
    records().where('waypointId', '=', param<number>('waypointId')).orderBy('id'),
  )
  const inserts = statements.inserts(
    ['sourceId', 'ref', 'waypointId', 'values', 'firstSeen', 'lastSeen', 'state'],
    (rows) => build.insertInto('sourceRecords').values(rows),
  )
  const byRefs = one('records by refs', () =>
    records().where('ref', 'in', sql`(select value from json_each(${param('refs')}))` as never),
  )
  const updateRecord = one('update record', () =>
    build
      .updateTable('sourceRecords')
      .set({
        ref: param('ref'),
        values: param('values'),
        lastSeen: param('at'),
        missingSince: null,
        state: param('state'),
      })
      .where('id', '=', param<number>('id')),
  )
  const unseen = one('records not seen', () =>
    records()
      .where('lastSeen', '!=', param<string>('startedAt'))
      .where('id', '>', param<number>('after'))
      .orderBy('id')
      .limit(param<number>('limit')),
  )
  const markMissing = one('mark record missing', () =>
    build
      .updateTable('sourceRecords')
      .set({ missingSince: sql`coalesce(missingSince, ${param('at')})` })
      .where('id', '=', param<number>('id')),
  )
  const touched = one('touched by others', () =>
    build.selectNoFrom([
      build
        .selectFrom('changes')
        .select(sql<number>`1`.as('one'))
        .where('bubblerId', '=', param<number>('waypointId'))
        .where('userId', '!=', param<string>('userId'))
        .limit(1)
        .as('edited'),
      build
        .selectFrom('reviews')
        .select(sql<number>`1`.as('one'))
        .where('bubblerId', '=', param<number>('waypointId'))
        .where('deletedAt', 'is', null)
        .limit(1)
        .as('reviewed'),
      build
        .selectFrom('sourceRecords')
        .select(sql<number>`1`.as('one'))
        .where('waypointId', '=', param<number>('waypointId'))
        .where('id', '!=', param<number>('recordId'))
        .where('missingSince', 'is', null)
        .limit(1)
        .as('listed'),
    ]),
  )
  const insertImport = one('insert import', () =>
    build
      .insertInto('imports')
      .values({
        sourceId: param('sourceId'),
        fileName: param('fileName'),
        fileSha256: param('fileSha256'),
        fileBytes: param('fileBytes'),
        startedAt: param('at'),
        updatedAt: param('at'),
        finishedAt: null,
        checkpoint: null,
        counts: '{}',
      })
      .returning('id'),
  )
  const updateImport = one('update import', () =>
    build
      .updateTable('imports')
      .set({
        updatedAt: param('at'),
        checkpoint: param('checkpoint'),
        counts: param('counts'),
      })
      .where('id', '=', param<number>('id')),
  )
  // `updatedAt` stays the time of the last batch, which differences use.
  const finishImport = one('finish import', () =>
    build
      .updateTable('imports')
      .set({ finishedAt: param('at'), checkpoint: null, counts: param('counts') })
      .where('id', '=', param<number>('id')),
  )
  const lastImport = (finished: boolean) =>
    one(`last import: ${finished}`, () =>
      build
        .selectFrom('imports')
        .select(importColumns)
        .where('sourceId', '=', param<number>('sourceId'))
        .where('finishedAt', finished ? 'is not' : 'is', null)
        .orderBy('id', 'desc')
        .limit(1),
    )
  const imports = one('imports', () => build.selectFrom('imports').select(importColumns).orderBy('id'))

  const recordOf = (row: Omit<SourceRecord, 'values'> & { values: string }): SourceRecord => ({
    ...row,
    values: JSON.parse(row.values) as RememberedValues,
  })

  let isBulk = false

  return {
    /** Runs many writes; records are buffered until something reads them. */
    inBulk<Result>(work: () => Result): Result {
      isBulk = true
      try {
        const result = work()
        inserts.flush()
        return result
      } finally {
        isBulk = false
        inserts.discard()
      }
    },
    /** Adds or updates the source with this name and returns its id; calls `unchanged` when nothing changed. */
    ensure({ name, url, license, attribution }: SourceInput, at: string, unchanged: () => void): number {
      const before = source.get({ name })
      if (before === undefined) {
        const row = insertSource.get({
          name,
          license,
          url: url ?? null,
          attribution: attribution ?? null,
          at,
        })
        return row?.id ?? 0
      }
      const after = { url: url ?? before.url, license, attribution: attribution ?? before.attribution }
      const same =
        after.url === before.url && license === before.license && after.attribution === before.attribution
      if (same) unchanged()
      else updateSource.run({ ...after, id: before.id, at })
      return before.id
    },
    record(sourceId: number, ref: string): SourceRecord | undefined {
      inserts.flush()
      const row = byRef.get({ sourceId, ref })
      return row && recordOf(row)
    },
    /** The existing records with these references. */
    records: (sourceId: number, refs: readonly string[]): SourceRecord[] =>
      byRefs.all({ sourceId, refs: JSON.stringify(refs) }).map(recordOf),
    recordsOf(sourceId: number, waypointId: number): SourceRecord[] {
      inserts.flush()
      return byWaypoint.all({ sourceId, waypointId }).map(recordOf)
    },
    insertRecord: (row: {
      sourceId: number
      ref: string | null
      waypointId: number
      values: string
      at: string
      state: SourceState | null
    }): void => {
      const { sourceId, ref, waypointId, values, at, state } = row
      inserts.add({ sourceId, ref, waypointId, values, firstSeen: at, lastSeen: at, state })
      if (!isBulk) inserts.flush()
    },
    updateRecord: (row: {
      id: number
      ref: string | null
      values: string
      at: string
      state: SourceState | null
    }) => updateRecord.run(row),
    /** Records of a source that the run with this `startedAt` did not see, by id. */
    unseen: (sourceId: number, startedAt: string, after: number, limit: number): SourceRecord[] =>
      unseen.all({ sourceId, startedAt, after, limit }).map(recordOf),
    markMissing: (id: number, at: string) => markMissing.run({ id, at }),
    /** Whether another user edited the waypoint, anyone reviewed it, or another record still lists it. */
    isTouched(waypointId: number, userId: string, recordId: number): boolean {
      const { edited, reviewed, listed } = touched.get({ waypointId, userId, recordId }) ?? {}
      return edited === 1 || reviewed === 1 || listed === 1
    },
    insertImport: (row: {
      sourceId: number
      fileName: string | null
      fileSha256: string | null
      fileBytes: number | null
      at: string
    }): number => insertImport.get(row)?.id ?? 0,
    /** Records the progress of a run after a batch. */
    updateImport: (row: { id: number; at: string; checkpoint: string | null; counts: string }) =>
      updateImport.run(row),
    finishImport: (row: { id: number; at: string; counts: string }) => finishImport.run(row),
    lastImport: (sourceId: number, finished: boolean): ImportRow | undefined =>
      lastImport(finished).get({ sourceId }),
    imports: (): ImportRow[] => imports.all(),
  }
}
export type SourceRows = ReturnType<typeof sourceRows>
