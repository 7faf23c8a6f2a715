import { sql } from 'kysely'
import { doubtId, type StoredDoubt } from '../../log/nouns.ts'
import type { QueuePlace } from '../answers.ts'
import { doubtOf } from '../rows.ts'
import { build, isLookedUpIn, query, type Reading, rowCount, shaped, texts, whole } from '../sql/query.ts'

/** Rows without a decision, of one source or of all. One that was imported since has a record. */
const open = (isOfSource: boolean) => {
  const rows = build
    .selectFrom('doubts')
    .where('decision', 'is', null)
    .where('goneIn', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('records')
            .select('records.id')
            .whereRef('records.sourceId', '=', 'doubts.sourceId')
            .whereRef('records.ref', '=', 'doubts.ref')
            .where('records.missingSince', 'is', null),
        ),
      ),
    )
  return isOfSource ? rows.where('sourceId', '=', whole('sourceId')) : rows
}
const page = shaped((isOfSource: boolean) =>
  open(isOfSource)
    .selectAll('doubts')
    .where('number', '>', whole('after'))
    .orderBy('number')
    .limit(rowCount('limit')),
)
const total = shaped((isOfSource: boolean) => open(isOfSource).select(sql<number>`count(*)`.as('n')))
const byNumber = query(() => build.selectFrom('doubts').selectAll().where('number', '=', whole('number')))
const skipped = query(() =>
  build
    .selectFrom('doubts')
    .select('ref')
    .where('decision', '=', 'skip')
    .where(isLookedUpIn(sql.ref('id'), texts('ids'))),
)
const ofSource = () =>
  build
    .selectFrom('doubts')
    .selectAll()
    .where('sourceId', '=', whole('sourceId'))
    .where('number', '>', whole('after'))
    .orderBy('number')
    .limit(rowCount('limit'))
const unseen = query(() =>
  ofSource().where('goneIn', 'is', null).where('entry', 'is', null).where('seenIn', '!=', whole('runId')),
)
const ofRun = query(() =>
  ofSource().where(({ or, eb }) =>
    or([
      eb('runId', '=', whole('runId')),
      eb('seenIn', '=', whole('runId')),
      eb('goneIn', '=', whole('runId')),
    ]),
  ),
)

const after = query(() =>
  build
    .selectFrom('doubts')
    .selectAll()
    .where('number', '>', whole('after'))
    .orderBy('number')
    .limit(rowCount('limit')),
)

/** Rows of a source that a run concerns. */
export interface OfRun extends QueuePlace {
  readonly sourceId: number
  readonly runId: number
}

export const doubtReads = {
  /** By its public id. */
  *get(number: number): Reading<StoredDoubt | undefined> {
    const row = yield* byNumber.get({ number })
    return row && doubtOf(row)
  },
  /** Rows without a decision, by public id, with their number; of one source or of all. */
  *open(
    { after, limit }: QueuePlace,
    sourceId?: number,
  ): Reading<{ readonly rows: StoredDoubt[]; readonly total: number }> {
    const isOfSource = sourceId !== undefined
    const rows = yield* page(isOfSource).all({ sourceId, after, limit })
    const n = (yield* total(isOfSource).get({ sourceId }))?.n ?? 0
    return { rows: rows.map(doubtOf), total: Number(n) }
  },
  /** All rows, also those that were decided or ended, by public id. */
  *after({ after: number, limit }: QueuePlace): Reading<StoredDoubt[]> {
    return (yield* after.all({ after: number, limit })).map(doubtOf)
  },
  /** The references, among some, of rows that are not to be imported. */
  *skipped(sourceId: number, refs: readonly string[]): Reading<string[]> {
    const ids = refs.map((ref) => doubtId(sourceId, ref))
    return (yield* skipped.all({ ids })).map(({ ref }) => ref)
  },
  /** Rows of a source that wait or are skipped, and that a run did not list, by public id. */
  *unseen(given: OfRun): Reading<StoredDoubt[]> {
    return (yield* unseen.all({ ...given })).map(doubtOf)
  },
  /** Rows that a run brought, listed last, or ended, by public id. */
  *ofRun(given: OfRun): Reading<StoredDoubt[]> {
    return (yield* ofRun.all({ ...given })).map(doubtOf)
  },
}
