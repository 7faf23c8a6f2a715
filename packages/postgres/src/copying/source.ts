import { to } from 'pg-copy-streams'
import { pagesOf, type CopiedTable, type CopySource, type SnapshotNeeds } from '@openfountain/core/engine'
import { migrate } from '../connection/migrating.ts'
import { sessionError, storageError } from '../connection/failure.ts'
import type { Session } from '../connection/session.ts'
import { Sessions } from '../connection/sessions.ts'
import { settingsOf } from '../connection/settings.ts'
import { ownTables } from '../migrations/made.ts'
import { quoted } from '../writing/writer.ts'

/** Values have one form only, whatever the settings of the database. */
export const oneForm =
  'set extra_float_digits = 1; set bytea_output = hex; set standard_conforming_strings = on'

/** Reads the rows of a table in the order of its key, as pages of whole lines. */
export async function* pagesOfTable(
  session: Session,
  { name, columns, key }: CopiedTable,
  omitted: readonly string[] = [],
  chosen = '',
): AsyncGenerator<Buffer> {
  const selected = columns.map((column) => (omitted.includes(column.name) ? 'null' : quoted(column.name)))
  const order = key.map(quoted).join(', ')
  const stream = session.client.query(
    to(`copy (select ${selected.join(', ')} from ${quoted(name)} ${chosen} order by ${order}) to stdout`),
  )
  try {
    yield* pagesOf(stream as AsyncIterable<Buffer>)
  } catch (error) {
    throw storageError(sessionError(error))
  }
}

interface SourceOptions {
  /**
   * Whether to leave out private data of accounts and moderators: secrets, reports and e-mail addresses. Exports do not
   * need it. Default false.
   */
  readonly isPublic?: boolean | undefined
  /** Only the parts of records of waypoints. Default everything. */
  readonly records?: SnapshotNeeds['records']
}

/** The tables that records of waypoints are made of, with the column that says which waypoint a row is about. */
const ofRecords: Readonly<Record<string, string | undefined>> = {
  sources: undefined,
  // The day of a listing may be that of the run of an import.
  imports: undefined,
  waypoints: 'id',
  reviews: 'bubblerId',
  records: 'waypointId',
  observations: 'bubblerId',
  sightings: 'bubblerId',
  statuses: 'id',
  state: undefined,
}

/** The registry of a database as it is now, read in one transaction. @param end called when it is closed */
export async function sourceOn(
  sessions: Sessions,
  { isPublic = false, records }: SourceOptions = {},
  end: () => Promise<void> = () => Promise.resolve(),
): Promise<CopySource> {
  const session = await sessions.patiently(() => sessions.open('long'))
  try {
    // The transaction sees the database as it is at its first query.
    await session.command(`${oneForm}; begin isolation level repeatable read, read only; select from "state"`)
  } catch (error) {
    session.destroy()
    throw storageError(error)
  }
  return {
    async count({ name }) {
      // A copy that is only read needs no count.
      if (isPublic) return 0
      const counting = `select count(*) as "n" from ${quoted(name)}`
      const [row] = await session.query<{ n: number }>(counting)
      return row?.n ?? 0
    },
    async *pages(table) {
      if ((isPublic && table.isPrivate) || (records !== undefined && !(table.name in ofRecords))) return
      const column = ofRecords[table.name]
      const chosen =
        Array.isArray(records) && column !== undefined
          ? `where ${quoted(column)} = any('{${records.join(',')}}')`
          : ''
      yield* pagesOfTable(session, table, isPublic ? ['email'] : [], chosen)
    },
    async hostTables() {
      const rows = await session.query<{ name: string }>(
        `select relname as "name" from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
            and relname <> all ($1::text[])
          order by 1`,
        [ownTables()],
      )
      return rows.map(({ name }) => name)
    },
    async close() {
      session.destroy()
      await end()
    },
  }
}

/** Opens a registry for copying. Others can read and write it meanwhile. @throws RegistryError as `openPostgres` */
export async function openPostgresSource(url: string): Promise<CopySource> {
  const sessions = new Sessions({ ...settingsOf(url), acceptsStandby: true })
  try {
    await sessions.patiently(async () => migrate(await sessions.writer(), { readOnly: true }))
    return await sourceOn(sessions, {}, () => sessions.close())
  } catch (error) {
    await sessions.close()
    throw sessions.refusal(error)
  }
}
