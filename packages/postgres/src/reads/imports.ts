import {
  mergeBaseOf,
  progressOf,
  recordStateOf,
  runStateOf,
  type MergeBase,
  type Progress,
  type RecordState,
  type RunState,
} from '@openfountain/core/engine'
import { sql } from 'kysely'
import { build, texts, whole, type Statements } from '../connection/statement.ts'

interface RunWithProgress {
  readonly run: RunState
  readonly progress: Progress
}

/** Reads what importers need. */
export function importReads(statements: Statements) {
  const byRefs = statements.prepare(() =>
    build
      .selectFrom('records')
      .selectAll()
      .where('sourceId', '=', whole('sourceId'))
      .where(sql<boolean>`ref = any(${texts('refs')})`)
      .orderBy('ref'),
  )
  const unseen = statements.prepare(() =>
    build
      .selectFrom('records')
      .select('id')
      .where('sourceId', '=', whole('sourceId'))
      .where('seenIn', '!=', whole('runId'))
      .where('id', '>', whole('after'))
      .orderBy('id')
      .limit(whole('limit')),
  )
  const last = (isFinished: boolean) =>
    statements.shaped(`last import: ${isFinished}`, () =>
      build
        .selectFrom('imports')
        .selectAll()
        .where('sourceId', '=', whole('sourceId'))
        .where('finishedAt', isFinished ? 'is not' : 'is', null)
        .orderBy('id', 'desc')
        .limit(sql.lit(1)),
    )
  const imports = statements.prepare(() => build.selectFrom('imports').selectAll().orderBy('id'))
  type ImportRow = Awaited<ReturnType<typeof imports.all>>[number]
  const runOf = (row: ImportRow): RunWithProgress => ({ run: runStateOf(row), progress: progressOf(row) })

  return {
    async byRefs(
      sourceId: number,
      refs: readonly string[],
    ): Promise<{ record: RecordState; base: MergeBase }[]> {
      const found = await byRefs.all({ sourceId, refs })
      return found.map((row) => ({ record: recordStateOf(row), base: mergeBaseOf(row) }))
    },
    unseen: async (sourceId: number, runId: number, after: number, limit: number): Promise<number[]> =>
      (await unseen.all({ sourceId, runId, after, limit })).map(({ id }) => id),
    async last(sourceId: number, isFinished: boolean): Promise<RunWithProgress | undefined> {
      const row = await last(isFinished).get({ sourceId })
      return row && runOf(row)
    },
    list: async (): Promise<RunWithProgress[]> => (await imports.all()).map(runOf),
  }
}
