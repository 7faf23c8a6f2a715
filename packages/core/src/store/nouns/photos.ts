import { sql } from 'kysely'
import type { QueuePlace } from '../answers.ts'
import { type CreditedPhoto, photoOf, type Row } from '../rows.ts'
import {
  build,
  chunks,
  hexOf,
  paged,
  query,
  type Reading,
  shaped,
  Stream,
  type Streaming,
  text,
  whole,
} from '../sql/query.ts'

const live = () => build.selectFrom('photos').selectAll().where('deletedAt', 'is', null)
const isOfLiveWaypoint = sql<boolean>`exists
  (select 1 from waypoints w where w.id = photos."bubblerId" and w."deletedAt" is null)`
const shown = () => live().where('state', '=', 'shown').where(isOfLiveWaypoint)

const byId = query(() => live().where('id', '=', whole('id'))).map(photoOf)
const last = query(() => build.selectFrom('photos').selectAll().where('id', '=', whole('id'))).map(photoOf)
const ofWaypoint = query(() =>
  shown()
    .where('bubblerId', '=', whole('bubblerId'))
    .orderBy(sql`case when alt is null then 1 else 0 end`)
    .orderBy('id', 'desc'),
).map(photoOf)
const page = shaped((isByUser: boolean, isShown: boolean) => {
  const photos = paged(isShown ? shown() : live(), 'id')
  return isByUser ? photos.where('userId', '=', text('userId')) : photos
})
const waiting = query(() => paged(live().where(sql<boolean>`state = 'waiting'`), 'id')).map(photoOf)
const waitingTotal = query<{ n: number }>(
  () => sql`select count(*) as n from photos where state = 'waiting' and "deletedAt" is null`,
)
const ofFile = query(
  () => sql<Row<'photos'> & { isOfLiveWaypoint: number | boolean }>`
    select *, ${isOfLiveWaypoint} as "isOfLiveWaypoint" from photos
    where sha256 = ${text('hash')} or "mediumSha256" = ${text('hash')} or "smallSha256" = ${text('hash')} order by id`,
).map(({ isOfLiveWaypoint: isThere, ...row }) => ({
  photo: photoOf(row),
  isDeleted: row.deletedAt !== null,
  isOfLiveWaypoint: Boolean(isThere),
}))

const named = (photos: ReturnType<typeof live>) =>
  paged(photos, 'id').select(
    sql<string | null>`(select name from users u where u.id = photos."userId")`.as('userName'),
  )
const namedShown = query(() => named(shown()))
const namedLive = query(() => named(live()))

/** A photo with the present name of its author, which is empty once they have left. */
export type NamedPhoto = CreditedPhoto & { readonly userName: string }

const deleted = query<{ id: number; leaf: string }>(
  () => sql`select entries.id, ${hexOf('entries.leaf')} as leaf from photos join entries on entries.id = photos.id
    where photos."deletedAt" is not null order by entries.id`,
)

export interface PhotoOfFile {
  readonly photo: CreditedPhoto
  readonly isDeleted: boolean
  readonly isOfLiveWaypoint: boolean
}

export const photoReads = {
  get: (id: number): Reading<CreditedPhoto | undefined> => byId.get({ id }),
  /** The same, or the rest of a deleted one. */
  last: (id: number): Reading<CreditedPhoto | undefined> => last.get({ id }),
  /** The shown photos of a waypoint: those with an alternative text first, the newest first. */
  ofWaypoint: (bubblerId: number): Reading<CreditedPhoto[]> => ofWaypoint.all({ bubblerId }),
  list: (
    { userId, isShown }: { readonly userId?: string | undefined; readonly isShown: boolean },
    { after, limit }: QueuePlace,
  ): Reading<CreditedPhoto[]> =>
    page(userId !== undefined, isShown)
      .map(photoOf)
      .all({ userId, after, limit }),
  waiting: (place: QueuePlace): Reading<CreditedPhoto[]> => waiting.all({ ...place }),
  *waitingTotal(): Reading<number> {
    return Number((yield* waitingTotal.get())?.n ?? 0)
  },
  /** The photos that a file is of, by id, deleted ones too. */
  ofFile: (hash: string): Reading<PhotoOfFile[]> => ofFile.all({ hash }),
  /** The entries that made photos which are deleted: their ids and leaf hashes. */
  deleted: (): Reading<{ readonly id: number; readonly leaf: string }[]> => deleted.all(),
  /** All live photos, or those that are shown, by id, in chunks of at most a thousand. */
  each: new Stream(function* (isShown: boolean): Streaming<NamedPhoto[]> {
    yield* chunks(
      { after: 0, limit: Infinity, size: 1000 },
      (after, limit) => (isShown ? namedShown : namedLive).all({ after, limit }),
      ({ userName, ...row }) => ({ ...photoOf(row), userName: userName ?? '' }),
    )
  }),
}
