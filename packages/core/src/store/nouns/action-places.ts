import { sql } from 'kysely'
import type { ChangeFilter, Paging } from '../answers.ts'
import { build, query, type Reading, together, whole } from '../sql/query.ts'

/** The entries of a full tile. */
const tileSize = 256

/** Actions of the whole log, counted from 0. */
interface Stretch {
  readonly start: number
  readonly end: number
}

const total = query(() => build.selectFrom('state').select('actions'))
const tiles = () => build.selectFrom('tiles').select(['place', 'actions']).where('level', '=', 0)
// The last full tile before the wanted action, from which few entries are left to skip.
const tileBefore = query(() =>
  tiles()
    .where('actions', '<=', whole('actions'))
    .orderBy('actions', 'desc')
    .orderBy('place', 'desc')
    .limit(sql.lit(1)),
)
const tileAt = query(() => tiles().where('place', '=', whole('place')))
const countTo = query(() =>
  build
    .selectFrom('entries')
    .where(sql<boolean>`entries.subject = 'waypoint'`)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('entries.id', '>', whole('from'))
    .where('entries.id', '<=', whole('to')),
)

/** The number of actions of the whole log, and of those up to an entry. */
function* counts(id: number): Reading<{ total: number; before: number }> {
  const tile = Math.floor(id / tileSize)
  const [state, upToTile, rest] = yield* together(
    total.get(),
    tileAt.get({ place: tile - 1 }),
    countTo.get({ from: tile * tileSize, to: id }),
  )
  return { total: state?.actions ?? 0, before: (upToTile?.actions ?? 0) + (rest?.n ?? 0) }
}

/** Where the actions on waypoints are among all entries, from the counts that full tiles have. */
export const actionPlaces = {
  /** The number of actions after an entry. */
  *after(id: number): Reading<number> {
    const { total, before } = yield* counts(id)
    return Math.max(0, total - before)
  },
  /** The start for reading the nth action, counted from 0: an entry, and a number of further actions to skip. */
  *of(nth: number): Reading<{ from: number; offset: number }> {
    const tile = yield* tileBefore.get({ actions: nth })
    return { from: tile === undefined ? 0 : (tile.place + 1) * tileSize, offset: nth - (tile?.actions ?? 0) }
  },
  /** Which actions a page of the whole log has. */
  *stretch({ order, after, limit, offset }: ChangeFilter & Paging): Reading<Stretch> {
    const { total, before } = yield* counts(after)
    if (order === 'asc') return { start: before + offset, end: Math.min(total, before + offset + limit) }
    const end = total - offset
    return { start: Math.max(before, end - limit), end }
  },
}
