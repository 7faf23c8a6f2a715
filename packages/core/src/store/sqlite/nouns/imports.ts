import { build, limitParam, param, type Statements } from '../connection/statement.ts'
import { sql } from 'kysely'
import { mergeBaseOf, progressOf, recordStateOf, runStateOf } from '../../rows.ts'
import type { MergeBase, Progress, RecordState, RunState } from '../../../log/nouns.ts'

/** A run of an import with how far it has come. */
export interface RunWithProgress {
  readonly run: RunState
  readonly progress: Progress
}

/** Reads what importers need on one connection. */
export function importReads(statements: Statements) {
  const records = () => build.selectFrom('records').selectAll()
  const byRefs = statements.prepare(() =>
    records()
      .where('sourceId', '=', param<number>('sourceId'))
      .where('ref', 'in', sql`(select value from json_each(${param('refs')}))` as never),
  )
  const unseen = statements.prepare(() =>
    build
      .selectFrom('records')
      .select('id')
      .where('sourceId', '=', param<number>('sourceId'))
      .where('seenIn', '!=', param<number>('runId'))
      .where('id', '>', param<number>('after'))
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  const last = (isFinished: boolean) =>
    statements.shaped(`last import: ${isFinished}`, () =>
      build
        .selectFrom('imports')
        .selectAll()
        .where('sourceId', '=', param<number>('sourceId'))
        .where('finishedAt', isFinished ? 'is not' : 'is', null)
        .orderBy('id', 'desc')
        .limit(sql.lit(1)),
    )
  const imports = statements.prepare(() => build.selectFrom('imports').selectAll().orderBy('id'))
  type ImportRow = ReturnType<typeof imports.all>[number]
  const runOf = (row: ImportRow): RunWithProgress => ({ run: runStateOf(row), progress: progressOf(row) })

  return {
    /** The existing records of a source with these references, with what importers remember of them. */
    byRefs: (sourceId: number, refs: readonly string[]): { record: RecordState; base: MergeBase }[] =>
      byRefs
        .all({ sourceId, refs: JSON.stringify(refs) })
        .map((row) => ({ record: recordStateOf(row), base: mergeBaseOf(row) })),
    /** Ids of the records of a source that a run did not see, ascending. */
    unseen: (sourceId: number, runId: number, after: number, limit: number): number[] =>
      unseen.all({ sourceId, runId, after, limit }).map(({ id }) => id),
    /** The newest run of a source that is finished, or that is not. */
    last(sourceId: number, isFinished: boolean): RunWithProgress | undefined {
      const row = last(isFinished).get({ sourceId })
      return row && runOf(row)
    },
    list: (): RunWithProgress[] => imports.all().map(runOf),
  }
}
