import { to } from 'pg-copy-streams'
import { escapeLiteral } from 'pg'
import { type CopiedTable, type CopySource, type Moment, type Value } from '@openfountain/core/engine'
import { migrate } from '../connection/migrating.ts'
import { storageError, sessionError } from '../connection/failure.ts'
import type { Session } from '../connection/session.ts'
import { Sessions } from '../connection/sessions.ts'
import { settingsOf } from '../connection/settings.ts'

const quoted = (name: string): string => `"${name}"`

/** Values have one form only, whatever the database is set to. */
export const oneForm =
  'set extra_float_digits = 1; set bytea_output = hex; set standard_conforming_strings = on'

/** A value of a key in a statement; keys are texts and whole numbers. */
const literal = (value: Value): string =>
  typeof value === 'number' ? String(value) : escapeLiteral(String(value))

/** Reads the rows of a table as lines, ordered by its key. @param after a key */
export async function* linesOfTable(
  session: Session,
  { name, columns, key }: CopiedTable,
  {
    after,
    omitted = [],
  }: { readonly after?: readonly Value[] | undefined; readonly omitted?: readonly string[] } = {},
): AsyncGenerator<Buffer> {
  const selected = columns.map((column) => (omitted.includes(column.name) ? 'null' : quoted(column.name)))
  const order = key.map(quoted).join(', ')
  const beyond = after === undefined ? '' : `where (${order}) > (${after.map(literal).join(', ')})`
  const stream = session.client.query(
    to(`copy (select ${selected.join(', ')} from ${quoted(name)} ${beyond} order by ${order}) to stdout`),
  )
  try {
    for await (const piece of stream) yield piece as Buffer
  } catch (error) {
    throw storageError(sessionError(error))
  }
}

export interface SourceOptions {
  /**
   * Whether to leave out what is about accounts and what only moderators see: secrets, reports and e-mail addresses. Exports
   * need none of it. Default false.
   */
  readonly isPublic?: boolean | undefined
}

/** The registry of a database as it is now, read in one transaction. */
export class PostgresSource implements CopySource {
  readonly moment: Moment
  readonly #session: Session
  readonly #isPublic: boolean
  readonly #end: () => Promise<void>

  private constructor(session: Session, moment: Moment, isPublic: boolean, end: () => Promise<void>) {
    this.#session = session
    this.moment = moment
    this.#isPublic = isPublic
    this.#end = end
  }

  /** @param end called when it is closed */
  static async open(
    sessions: Sessions,
    { isPublic = false }: SourceOptions = {},
    end: () => Promise<void> = () => Promise.resolve(),
  ): Promise<PostgresSource> {
    const session = await sessions.patiently(() => sessions.open('long'))
    try {
      await session.command(`${oneForm}; begin isolation level repeatable read, read only`)
      const [moment] = await session.query<Moment>('select "origin", "revision" from "state"', [])
      if (moment === undefined) throw new Error('the row of the table state is missing')
      return new PostgresSource(session, moment, isPublic, end)
    } catch (error) {
      session.destroy()
      throw storageError(error)
    }
  }

  async count({ name, isPrivate }: CopiedTable): Promise<number> {
    if (this.#isPublic && isPrivate === true) return 0
    const [row] = await this.#session.query<{ n: number }>(`select count(*) as "n" from ${quoted(name)}`, [])
    return row?.n ?? 0
  }

  async *lines(table: CopiedTable, after?: readonly Value[]): AsyncGenerator<Buffer> {
    if (this.#isPublic && table.isPrivate === true) return
    yield* linesOfTable(this.#session, table, { after, omitted: this.#isPublic ? ['email'] : [] })
  }

  async close(): Promise<void> {
    this.#session.destroy()
    await this.#end()
  }
}

/**
 * Opens the registry of a database for copying it. Others may read and write it meanwhile.
 *
 * @throws RegistryError as `openPostgres`
 */
export async function openPostgresSource(url: string): Promise<CopySource> {
  const sessions = new Sessions({ ...settingsOf(url), acceptsStandby: true })
  try {
    await sessions.patiently(async () => migrate(await sessions.writer(), { readOnly: true }))
    return await PostgresSource.open(sessions, {}, () => sessions.close())
  } catch (error) {
    await sessions.close()
    throw error
  }
}
