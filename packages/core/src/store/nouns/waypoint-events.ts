import { sql } from 'kysely'
import type { StoredEntry } from '../../log/entry.ts'
import { eventOf, type HappenedEvent } from '../../waypoint-events.ts'
import { shownName } from '../rows.ts'
import { build, differing, isAmong, query, type Reading, texts, together, wholes } from '../sql/query.ts'

const waypoints = query(() =>
  build
    .selectFrom('waypoints')
    .select(['id', 'latitude', 'longitude', 'country', 'subdivision', 'maintainer', 'deletedAt'])
    .select([shownName.as('name'), sql<string | null>`coalesce(region, "placeName")`.as('region')])
    .where(isAmong(sql.ref('id'), wholes('ids'))),
)
const sources = query(() =>
  build
    .selectFrom('records')
    .innerJoin('sources', 'sources.id', 'records.sourceId')
    .select(['waypointId', 'sources.name'])
    .where(isAmong(sql.ref('waypointId'), wholes('ids'))),
)
const people = query(() =>
  build
    .selectFrom('users')
    .select(['id', 'name', 'isModerator'])
    .where(isAmong(sql.ref('id'), texts('ids'))),
)
/** The waypoints of photos and of records, whose entries do not say it. */
const waypointsOf = {
  photo: query(() =>
    build
      .selectFrom('photos')
      .select(['id', 'bubblerId as waypoint'])
      .where(isAmong(sql.ref('id'), wholes('ids'))),
  ),
  record: query(() =>
    build
      .selectFrom('records')
      .select(['id', 'waypointId as waypoint'])
      .where(isAmong(sql.ref('id'), wholes('ids'))),
  ),
}

const contributors = query(() =>
  build
    .selectFrom('entries')
    .select(['subjectId', 'by'])
    .select(({ fn }) => fn.min('id').as('since'))
    .groupBy(['subjectId', 'by'])
    .where(sql<boolean>`subject = 'waypoint'`)
    .where('action', 'in', ['created', 'edited'])
    .where(
      differing({
        sqlite: isAmong(sql.ref('subjectId'), wholes('ids')),
        postgres: sql<boolean>`"subjectId" = any(cast(${wholes('ids')} as text[]))`,
      }),
    ),
)
const observers = query(() =>
  build
    .selectFrom('observers')
    .select(['id', 'userId'])
    .where(isAmong(sql.ref('id'), wholes('ids'))),
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
  /** The events that some entries are, in the same order. */
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
