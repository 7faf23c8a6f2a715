import { sql } from 'kysely'
import {
  Frontier,
  logStateOf,
  storedEntryOf,
  type Head,
  type LogState,
  type Loss,
  type OpenHole,
  type StoredEntry,
  type TreeReads,
} from '@openfountain/core/engine'
import { build, text, whole, type Schema, type Statements } from '../connection/statement.ts'

const hexOf = (column: string) => sql<string>`encode(${sql.ref(column)}, 'hex')`

/** An entry of the table: its subject has a number, unless it is a user. */
export function entryOf(row: Schema['entries']): StoredEntry {
  return storedEntryOf({ ...row, subjectId: row.subject === 'user' ? row.subjectId : Number(row.subjectId) })
}

/** Reads the log and its tree: entries of all kinds. */
export function entryReads(statements: Statements) {
  const entries = () => build.selectFrom('entries').selectAll()
  const after = statements.prepare(() =>
    entries().where('id', '>', whole('after')).orderBy('id').limit(whole('limit')),
  )
  const byId = statements.prepare(() => entries().where('id', '=', whole('id')))
  // In the order of the index of users.
  const by = statements.prepare(() =>
    entries()
      .where('by', '=', text('userId'))
      .where(sql<boolean>`(subject, action, id) > (${text('subject')}, ${text('action')}, ${whole('id')})`)
      .orderBy('subject')
      .orderBy('action')
      .orderBy('id')
      .limit(whole('limit')),
  )
  // A partial index is used where its condition is written out.
  const about = statements.prepare(() =>
    entries()
      .where(sql<boolean>`subject <> 'waypoint'`)
      .where('subject', '=', 'user')
      .where('subjectId', '=', text('userId'))
      .where('id', '>', whole('after'))
      .orderBy('id')
      .limit(whole('limit')),
  )
  const state = statements.prepare(() =>
    build.selectFrom('state').selectAll().select(hexOf('peaks').as('hexPeaks')),
  )
  const head = statements.prepare(() =>
    build.selectFrom('state').select(['size', hexOf('peaks').as('peaks'), 'headAt', 'origin']),
  )
  const leaves = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select(hexOf('leaf').as('leaf'))
      .where('id', '>', whole('from'))
      .orderBy('id')
      .limit(whole('count')),
  )
  const tiles = statements.prepare(() =>
    build
      .selectFrom('tiles')
      .select(hexOf('root').as('root'))
      .where('level', '=', whole('level'))
      .where('place', '>=', whole('from'))
      .orderBy('place')
      .limit(whole('count')),
  )
  const time = statements.prepare(() =>
    build.selectFrom('entries').select('at').where('id', '=', whole('id')),
  )
  const lost = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select(['id', hexOf('leaf').as('leaf'), sql<string>`commitments`.as('commitments')])
      .where('seed', 'is', null)
      .orderBy('id'),
  )
  const holes = statements.written<Omit<OpenHole, 'isLast' | 'subjectId'> & { readonly subjectId: string }>(
    () => sql`select e.id, e.subject, e."subjectId", c.field from entries e
      cross join lateral json_object_keys(e.commitments::json) with ordinality as c (field, place)
      where e.seed is null and not exists (
        select 1 from entries r cross join lateral json_array_elements_text(r.fields::json -> 'names') as n (name)
          where r.subject <> 'waypoint' and r.subject = 'entry' and r."subjectId" = e.id::text and n.name = c.field)
      order by e.id, c.place`,
  )
  const later = (ofWaypoint: boolean) =>
    statements.shaped(`later entries: ${ofWaypoint}`, () =>
      build
        .selectFrom('entries')
        .select('fields')
        .where(ofWaypoint ? sql<boolean>`subject = 'waypoint'` : sql<boolean>`subject <> 'waypoint'`)
        .where('subject', '=', text<OpenHole['subject']>('subject'))
        .where('subjectId', '=', text('subjectId'))
        .where('id', '>', whole('id')),
    )

  const tree: TreeReads = {
    leaves: async (from, count) => (await leaves.all({ from, count })).map(({ leaf }) => leaf),
    tiles: async (level, from, count) => (await tiles.all({ level, from, count })).map(({ root }) => root),
  }

  async function known<Row>(row: Promise<Row | undefined>): Promise<Row> {
    const found = await row
    if (found === undefined) throw new Error('the row of the table state is missing')
    return found
  }

  return {
    tree,
    async head(): Promise<Head> {
      const { size, peaks, headAt } = await known(head.get())
      return {
        id: size,
        hash: new Frontier(size, peaks).root(),
        ...(headAt !== null && { timestamp: headAt }),
      }
    },
    origin: async (): Promise<string> => (await known(head.get())).origin,
    timeOf: async (id: number): Promise<string | undefined> => (await time.get({ id }))?.at,
    async get(id: number): Promise<StoredEntry | undefined> {
      const row = await byId.get({ id })
      return row && entryOf(row)
    },
    losses: async (): Promise<Loss[]> =>
      (await lost.all()).flatMap(({ id, leaf, commitments }) =>
        Object.keys(JSON.parse(commitments) as object).map((field) => ({ id, leaf, field })),
      ),
    after: async (id: number, limit: number): Promise<StoredEntry[]> =>
      (await after.all({ after: id, limit })).map(entryOf),
    by: async (
      userId: string,
      { subject, action, id }: { readonly subject: string; readonly action: string; readonly id: number },
      limit: number,
    ): Promise<StoredEntry[]> => (await by.all({ userId, subject, action, id, limit })).map(entryOf),
    aboutUser: async (userId: string, afterId: number, limit: number): Promise<StoredEntry[]> =>
      (await about.all({ userId, after: afterId, limit })).map(entryOf),
    async openHoles(): Promise<OpenHole[]> {
      const found = await holes.all()
      return Promise.all(
        found.map(async ({ id, subject, subjectId, field }): Promise<OpenHole> => {
          // Not in SQL: PostgreSQL reads no JSON that has a NUL in a text, as properties of areas may.
          const entriesLater = await later(subject === 'waypoint').all({ subject, subjectId, id })
          const isLast = !entriesLater.some(({ fields }) =>
            Object.hasOwn(JSON.parse(fields) as object, field),
          )
          return { id, subject, subjectId: subject === 'user' ? subjectId : Number(subjectId), field, isLast }
        }),
      )
    },
    async state(): Promise<Omit<LogState, 'totals'>> {
      const { hexPeaks, ...row } = await known(state.get())
      const { totals: _totals, ...rest } = logStateOf({ ...row, peaks: hexPeaks })
      return rest
    },
  }
}
