import { sql } from 'kysely'
import type { ChangeFilter } from '../../changes.ts'
import type { Paging } from '../../reads.ts'
import { few } from '../../few.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** The entries of a full tile. */
const tileSize = 256

/** How many entries of any kind a page may be read from. */
const fewRead = 4 * few

/** Actions of the whole log, counted from 0. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/** Where the actions on waypoints are among all entries, from the counts that full tiles have. */
export function actionPlaces(statements: Statements) {
  const totals = statements.prepare(() => build.selectFrom('state').select(['size', 'actions']))
  const tiles = () => build.selectFrom('tiles').select(['place', 'actions']).where('level', '=', 0)
  // The last full tile before the wanted action, from which few entries are left to skip.
  const tileBefore = statements.prepare(() =>
    tiles()
      .where('actions', '<=', param<number>('actions'))
      .orderBy('actions', 'desc')
      .orderBy('place', 'desc')
      .limit(sql.lit(1)),
  )
  const tileAt = statements.prepare(() => tiles().where('place', '=', param<number>('place')))
  const countTo = statements.prepare(() =>
    build
      .selectFrom('entries')
      .where(sql<boolean>`entries.subject = 'waypoint'`)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('entries.id', '>', param<number>('from'))
      .where('entries.id', '<=', param<number>('to')),
  )
  const all = (): number => totals.get()?.actions ?? 0

  /** The number of actions up to an entry. */
  function upTo(id: number): number {
    const tile = Math.floor(id / tileSize)
    const before = tile === 0 ? 0 : (tileAt.get({ place: tile - 1 })?.actions ?? 0)
    return before + (countTo.get({ from: tile * tileSize, to: id })?.n ?? 0)
  }

  return {
    /** The number of actions after an entry. */
    after: (id: number): number => Math.max(0, all() - upTo(id)),
    /** From where to read the nth action, counted from 0: after an entry, and after so many more actions. */
    of(nth: number): { from: number; offset: number } {
      const tile = tileBefore.get({ actions: nth })
      return {
        from: tile === undefined ? 0 : (tile.place + 1) * tileSize,
        offset: nth - (tile?.actions ?? 0),
      }
    },
    /** Which actions a page of the whole log has. */
    stretch({ order, after, limit, offset }: ChangeFilter & Paging): Stretch {
      const before = upTo(after)
      if (order === 'asc') return { start: before + offset, end: Math.min(all(), before + offset + limit) }
      const end = all() - offset
      return { start: Math.max(before, end - limit), end }
    },
    /** Whether few other entries are between some actions, so that all of them are read in one go. */
    isDense({ start, end }: Stretch): boolean {
      if (end <= start) return true
      const { size = 0 } = totals.get() ?? {}
      const from = tileBefore.get({ actions: start })?.place ?? -1
      const to = tileBefore.get({ actions: end - 1 })?.place ?? -1
      return Math.min(size, (to + 2) * tileSize) - (from + 1) * tileSize <= fewRead
    },
  }
}
