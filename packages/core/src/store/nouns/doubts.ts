import { sql } from 'kysely'
import { doubtId, type StoredDoubt } from '../../log/nouns.ts'
import type { QueuePlace } from '../answers.ts'
import { storing, type Row } from '../rows.ts'
import { build, isLookedUpIn, paged, query, type Reading, shaped, texts, whole } from '../sql/query.ts'

const doubtOf = (row: Row<'doubts'>): StoredDoubt => storing.doubt.from(row as never)

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
const page = shaped((isOfSource: boolean) => paged(open(isOfSource).selectAll('doubts'), 'number'))
const total = shaped((isOfSource: boolean) => open(isOfSource).select(sql<number>`count(*)`.as('n')))
const all = () => build.selectFrom('doubts').selectAll()
const byNumber = query(() => all().where('number', '=', whole('number'))).map(doubtOf)
const skipped = query(() =>
  build
    .selectFrom('doubts')
    .select('ref')
    .where('decision', '=', 'skip')
    .where(isLookedUpIn(sql.ref('id'), texts('ids'))),
).map(({ ref }) => ref)
const ofSource = () => paged(all().where('sourceId', '=', whole('sourceId')), 'number')
const unseen = query(() =>
  ofSource().where('goneIn', 'is', null).where('entry', 'is', null).where('seenIn', '!=', whole('runId')),
).map(doubtOf)
const ofRun = query(() =>
  ofSource().where(({ or, eb }) =>
    or([
      eb('runId', '=', whole('runId')),
      eb('seenIn', '=', whole('runId')),
      eb('goneIn', '=', whole('runId')),
    ]),
  ),
).map(doubtOf)
const after = query(() => paged(all(), 'number')).map(doubtOf)

/** Rows of a source that a run concerns. */
export interface OfRun extends QueuePlace {
  readonly sourceId: number
  readonly runId: number
}

export const doubtReads = {
  /** By its public id. */
  get: (number: number): Reading<StoredDoubt | undefined> => byNumber.get({ number }),
  /** Rows without a decision, by public id, with their number; of one source or of all. */
  *open(
    { after, limit }: QueuePlace,
    sourceId?: number,
  ): Reading<{ readonly rows: StoredDoubt[]; readonly total: number }> {
    const isOfSource = sourceId !== undefined
    const rows = yield* page(isOfSource).map(doubtOf).all({ sourceId, after, limit })
    const n = (yield* total(isOfSource).get({ sourceId }))?.n ?? 0
    return { rows, total: Number(n) }
  },
  /** All rows, also those that were decided or ended, by public id. */
  after: (place: QueuePlace): Reading<StoredDoubt[]> => after.all({ ...place }),
  /** The references, among some, of rows that are not to be imported. */
  skipped: (sourceId: number, refs: readonly string[]): Reading<string[]> =>
    skipped.all({ ids: refs.map((ref) => doubtId(sourceId, ref)) }),
  /** Rows of a source that wait or are skipped, and that a run did not list, by public id. */
  unseen: (given: OfRun): Reading<StoredDoubt[]> => unseen.all({ ...given }),
  /** Rows that a run brought, listed last, or ended, by public id. */
  ofRun: (given: OfRun): Reading<StoredDoubt[]> => ofRun.all({ ...given }),
}
