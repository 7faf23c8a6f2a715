import { sql } from 'kysely'
import type { MergeBase, Progress, RecordState, RunState } from '../../log/nouns.ts'
import { mergeBaseOf, progressOf, recordStateOf, runStateOf, type Row } from '../rows.ts'
import { isAmong } from '../sql/expressions.ts'
import { build, query, rowCount, shaped, texts, whole } from '../sql/query.ts'
import type { Reading } from '../sql/reading.ts'

/** A run of an import with how far it has come. */
export interface RunWithProgress {
  readonly run: RunState
  readonly progress: Progress
}

/** The records of a source with some references. */
export const recordRowsOf = query(() =>
  build
    .selectFrom('records')
    .selectAll()
    .where('sourceId', '=', whole('sourceId'))
    .where(isAmong(sql.ref('ref'), texts('refs')))
    .orderBy('ref'),
)
const unseen = query(() =>
  build
    .selectFrom('records')
    .select('id')
    .where('sourceId', '=', whole('sourceId'))
    .where('seenIn', '!=', whole('runId'))
    .where('id', '>', whole('after'))
    .orderBy('id')
    .limit(rowCount('limit')),
)
const last = shaped((isFinished: boolean) =>
  build
    .selectFrom('imports')
    .selectAll()
    .where('sourceId', '=', whole('sourceId'))
    .where('finishedAt', isFinished ? 'is not' : 'is', null)
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
)
const imports = query(() => build.selectFrom('imports').selectAll().orderBy('id'))

const runOf = (row: Row<'imports'>): RunWithProgress => ({ run: runStateOf(row), progress: progressOf(row) })

/** Reads what importers need. */
export const importReads = {
  /** The existing records of a source with these references, with what importers remember of them. */
  *byRefs(
    sourceId: number,
    refs: readonly string[],
  ): Reading<{ readonly record: RecordState; readonly base: MergeBase }[]> {
    const found = yield* recordRowsOf.all({ sourceId, refs })
    return found.map((row) => ({ record: recordStateOf(row), base: mergeBaseOf(row) }))
  },
  /** Ids of the records of a source that a run did not see, ascending. */
  *unseen(sourceId: number, runId: number, after: number, limit: number): Reading<number[]> {
    return (yield* unseen.all({ sourceId, runId, after, limit })).map(({ id }) => id)
  },
  /** The newest run of a source that is finished, or that is not. */
  *last(sourceId: number, isFinished: boolean): Reading<RunWithProgress | undefined> {
    const row = yield* last(isFinished).get({ sourceId })
    return row && runOf(row)
  },
  *list(): Reading<RunWithProgress[]> {
    return (yield* imports.all()).map(runOf)
  },
}
