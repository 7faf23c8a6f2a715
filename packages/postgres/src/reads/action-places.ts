import { sql } from 'kysely'
import { few, type ChangeFilter, type Paging } from '@openfountain/core/engine'
import { build, whole, type Statements } from '../connection/statement.ts'

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
      .where('actions', '<=', whole('actions'))
      .orderBy('actions', 'desc')
      .orderBy('place', 'desc')
      .limit(sql.lit(1)),
  )
  const tileAt = statements.prepare(() => tiles().where('place', '=', whole('place')))
  const countTo = statements.prepare(() =>
    build
      .selectFrom('entries')
      .where(sql<boolean>`entries.subject = 'waypoint'`)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('entries.id', '>', whole('from'))
      .where('entries.id', '<=', whole('to')),
  )
  const all = async (): Promise<number> => (await totals.get())?.actions ?? 0

  /** The number of actions up to an entry. */
  async function upTo(id: number): Promise<number> {
    if (id === 0) return 0
    const tile = Math.floor(id / tileSize)
    const [before, rest] = await Promise.all([
      tile === 0 ? undefined : tileAt.get({ place: tile - 1 }),
      countTo.get({ from: tile * tileSize, to: id }),
    ])
    return (before?.actions ?? 0) + (rest?.n ?? 0)
  }

  return {
    /** The number of actions after an entry. */
    async after(id: number): Promise<number> {
      const [total, before] = await Promise.all([all(), upTo(id)])
      return Math.max(0, total - before)
    },
    /** From where to read the nth action, counted from 0: after an entry, and after so many more actions. */
    async of(nth: number): Promise<{ from: number; offset: number }> {
      const tile = await tileBefore.get({ actions: nth })
      return {
        from: tile === undefined ? 0 : (tile.place + 1) * tileSize,
        offset: nth - (tile?.actions ?? 0),
      }
    },
    /** Which actions a page of the whole log has. */
    async stretch({ order, after, limit, offset }: ChangeFilter & Paging): Promise<Stretch> {
      const [total, before] = await Promise.all([all(), upTo(after)])
      if (order === 'asc') return { start: before + offset, end: Math.min(total, before + offset + limit) }
      const end = total - offset
      return { start: Math.max(before, end - limit), end }
    },
    /** Whether few other entries are between some actions, so that all of them are read in one go. */
    async isDense({ start, end }: Stretch): Promise<boolean> {
      if (end <= start) return true
      const [state, first, last] = await Promise.all([
        totals.get(),
        tileBefore.get({ actions: start }),
        tileBefore.get({ actions: end - 1 }),
      ])
      const [from, to] = [first?.place ?? -1, last?.place ?? -1]
      return Math.min(state?.size ?? 0, (to + 2) * tileSize) - (from + 1) * tileSize <= fewRead
    },
  }
}
