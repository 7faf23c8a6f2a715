import { sql } from 'kysely'
import type { StoredEntry } from '../../log/entry.ts'
import { eventOf, type HappenedEvent } from '../../waypoint-events.ts'
import { shownName, type Row } from '../rows.ts'
import { differing, isAmong, query, type Reading, texts, together, wholes } from '../sql/query.ts'

const waypoints = query<
  Pick<Row<'waypoints'>, 'id' | 'name' | 'latitude' | 'longitude' | 'country' | 'subdivision'> &
    Pick<Row<'waypoints'>, 'maintainer' | 'deletedAt' | 'region'>
>(
  () => sql`select id, latitude, longitude, country, subdivision, maintainer, "deletedAt", ${shownName} as name,
    coalesce(region, "placeName") as region from waypoints where ${isAmong(sql.ref('id'), wholes('ids'))}`,
)
const sources = query<{ waypointId: number; name: string }>(
  () => sql`select "waypointId", name from records join sources on sources.id = "sourceId"
    where ${isAmong(sql.ref('waypointId'), wholes('ids'))}`,
)
const people = query<Pick<Row<'users'>, 'id' | 'name' | 'isModerator'>>(
  () => sql`select id, name, "isModerator" from users where ${isAmong(sql.ref('id'), texts('ids'))}`,
)
const waypointOf = (table: 'photos' | 'records', column: string) =>
  query<{ id: number; waypoint: number }>(
    () => sql`select id, ${sql.ref(column)} as waypoint from ${sql.table(table)}
      where ${isAmong(sql.ref('id'), wholes('ids'))}`,
  )
const waypointsOf = { photo: waypointOf('photos', 'bubblerId'), record: waypointOf('records', 'waypointId') }
const isAboutOne = differing({
  sqlite: isAmong(sql.ref('subjectId'), wholes('ids')),
  postgres: sql<boolean>`"subjectId" = any(cast(${wholes('ids')} as text[]))`,
})
const contributors = query<Pick<Row<'entries'>, 'subjectId' | 'by'> & { since: number }>(
  () => sql`select "subjectId", "by", min(id) as since from entries
    where subject = 'waypoint' and action in ('created', 'edited') and ${isAboutOne} group by "subjectId", "by"`,
)
const observers = query<Pick<Row<'observers'>, 'id' | 'userId'>>(
  () => sql`select id, "userId" from observers where ${isAmong(sql.ref('id'), wholes('ids'))}`,
)

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

function* waypointIds(entries: readonly StoredEntry[]): Reading<(entry: StoredEntry) => number | undefined> {
  const idsOf = (subject: keyof typeof waypointsOf) =>
    entries.flatMap((entry) => (entry.subject === subject ? Number(entry.subjectId) : []))
  const [photos, records] = yield* together(
    waypointsOf.photo.all({ ids: idsOf('photo') }),
    waypointsOf.record.all({ ids: idsOf('record') }),
  )
  const found = {
    photo: new Map(photos.map(({ id, waypoint }) => [id, waypoint])),
    record: new Map(records.map(({ id, waypoint }) => [id, waypoint])),
  }
  return ({ subject, subjectId, fields: { waypoint } }) => {
    const id = Number(subjectId)
    if (subject === 'waypoint') return id
    if (subject === 'photo' || subject === 'record') return found[subject].get(id)
    return typeof waypoint === 'number' ? waypoint : undefined
  }
}

export const waypointEventReads = {
  /** Who added or edited waypoints, each person once a waypoint, with the id of the first such entry. */
  *contributors(ids: readonly number[]): Reading<{ waypoint: number; userId: string; since: number }[]> {
    const rows = yield* contributors.all({ ids })
    return rows.map(({ subjectId, by, since }) => ({
      waypoint: Number(subjectId),
      userId: by,
      since: Number(since),
    }))
  },
  /** Who made observations, by the ids of their entries; without those who left. */
  *observers(ids: readonly number[]): Reading<Map<number, string>> {
    const rows = yield* observers.all({ ids })
    return new Map(rows.flatMap(({ id, userId }) => (userId === null ? [] : [[id, userId] as const])))
  },
  *among(all: readonly StoredEntry[]): Reading<HappenedEvent[]> {
    const entries = all.filter((entry) => eventOf(entry) !== undefined)
    const waypointIdOf = yield* waypointIds(entries)
    const ids = unique(entries.flatMap((entry) => waypointIdOf(entry) ?? []))
    const [rows, listed, users] = yield* together(
      waypoints.all({ ids }),
      sources.all({ ids }),
      people.all({ ids: unique(entries.map(({ by }) => by)) }),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    const authors = new Map(users.map((each) => [each.id, each]))
    const listings = Map.groupBy(listed, ({ waypointId }) => waypointId)
    return entries.flatMap((entry) => {
      const event = eventOf(entry)
      const row = byId.get(waypointIdOf(entry) ?? 0)
      if (event === undefined || row === undefined) return []
      const { reason, comment, authority } = entry.fields
      const said = reason ?? (authority === 'operator' ? comment : undefined)
      return {
        id: entry.id,
        event,
        at: entry.at,
        by: entry.by,
        byName: authors.get(entry.by)?.name ?? '',
        byModerator: authors.get(entry.by)?.isModerator === 1,
        reason: typeof said === 'string' ? said : undefined,
        waypoint: {
          id: row.id,
          name: row.name,
          latitude: row.latitude,
          longitude: row.longitude,
          region: row.region ?? undefined,
          country: row.country ?? undefined,
          subdivision: row.subdivision ?? undefined,
          maintainer: row.maintainer ?? undefined,
          sources: (listings.get(row.id) ?? []).map(({ name }) => name),
          isRemoved: row.deletedAt !== null,
        },
      }
    })
  },
}
