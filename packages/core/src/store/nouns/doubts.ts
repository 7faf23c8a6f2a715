import { sql } from 'kysely'
import { doubtId, type StoredDoubt } from '../../log/nouns.ts'
import type { QueuePlace } from '../answers.ts'
import { storing, type Row } from '../rows.ts'
import {
  build,
  isLookedUpIn,
  paged,
  query,
  type Reading,
  rowCount,
  shaped,
  texts,
  whole,
} from '../sql/query.ts'

const doubtOf = (row: Row<'doubts'>): StoredDoubt => storing.doubt.from(row as never)

/** Rows without a decision, of one source or of all. One that was imported since has a record. */
const open = (isOfSource: boolean) => sql`from doubts where decision is null and "goneIn" is null
  and not exists (select 1 from records where records."sourceId" = doubts."sourceId"
    and records.ref = doubts.ref and records."missingSince" is null)
  ${isOfSource ? sql`and "sourceId" = ${whole('sourceId')}` : sql``}`
const page = shaped(
  (isOfSource: boolean) => sql<Row<'doubts'>>`select * ${open(isOfSource)} and number > ${whole('after')}
    order by number limit ${rowCount('limit')}`,
)
const total = shaped((isOfSource: boolean) => sql<{ n: number }>`select count(*) as n ${open(isOfSource)}`)
const all = () => build.selectFrom('doubts').selectAll()
const byNumber = query(() => all().where('number', '=', whole('number'))).map(doubtOf)
const skipped = query<{ ref: string }>(
  () => sql`select ref from doubts where decision = 'skip' and ${isLookedUpIn(sql.ref('id'), texts('ids'))}`,
).map(({ ref }) => ref)
const ofSource = () => paged(all().where('sourceId', '=', whole('sourceId')), 'number')
const unseen = query(() =>
  ofSource().where('goneIn', 'is', null).where('entry', 'is', null).where('seenIn', '!=', whole('runId')),
).map(doubtOf)
const ofRun = query(() =>
  ofSource().where(sql<boolean>`${whole('runId')} in ("runId", "seenIn", "goneIn")`),
).map(doubtOf)
const after = query(() => paged(all(), 'number')).map(doubtOf)

export interface OfRun extends QueuePlace {
  readonly sourceId: number
  readonly runId: number
}

export const doubtReads = {
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
  after: (place: QueuePlace): Reading<StoredDoubt[]> => after.all({ ...place }),
  /** The references, among some, of rows that are not to be imported. */
  skipped: (sourceId: number, refs: readonly string[]): Reading<string[]> =>
    skipped.all({ ids: refs.map((ref) => doubtId(sourceId, ref)) }),
  /** Rows of a source that wait or are skipped, and that a run did not list, by public id. */
  unseen: (given: OfRun): Reading<StoredDoubt[]> => unseen.all({ ...given }),
  /** Rows that a run brought, listed last, or ended, by public id. */
  ofRun: (given: OfRun): Reading<StoredDoubt[]> => ofRun.all({ ...given }),
}
