import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import {
  invalidBecause,
  linesOf,
  RegistryError,
  rowOf,
  type CopiedTable,
  type CopyTarget,
  type Moment,
  type OnProgress,
  type Reached,
  type Value,
} from '@openfountain/core/engine'
import { sessionError, storageError } from '../connection/failure.ts'
import { latest, lock as migrationLock } from '../connection/migrating.ts'
import type { Session } from '../connection/session.ts'
import { Sessions } from '../connection/sessions.ts'
import { settingsOf } from '../connection/settings.ts'
import { migrations } from '../migrations/index.ts'
import { made } from '../migrations/made.ts'
import { searchColumns } from '../search/columns.ts'
import { linesOfTable, oneForm } from './source.ts'

/** What two copies into the same database lock: the one who comes first copies. */
const lock = 0x6f66_6370
/** Memory for making indexes. */
const indexMemory = '256MB'

const quoted = (name: string): string => `"${name}"`

/** What tables have here besides the columns that are copied, as the ends of their lines. */
const more: Readonly<
  Record<
    string,
    { readonly columns: readonly string[]; readonly endOf: (table: CopiedTable, line: string) => string }
  >
> = {
  waypoints: { columns: ['searchText', 'searchTokens'], endOf: searchedEnd },
  state: { columns: ['indexedTo'], endOf: () => '0' },
}

const textEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function searchedEnd(table: CopiedTable, line: string): string {
  const row = rowOf(table, line)
  const of = (name: string): Value => row[table.columns.findIndex((column) => column.name === name)] ?? null
  if (of('deletedAt') !== null) return '\\N\t\\N'
  const text = (name: string): string | null => {
    const value = of(name)
    return typeof value === 'string' ? value : null
  }
  const { searchText, searchTokens } = searchColumns({
    foldedName: text('foldedName') ?? '',
    description: text('description'),
    region: text('region'),
  })
  return `${searchText.replaceAll(/[\\\n\r\t]/g, (each) => textEscapes[each] ?? each)}\t{${searchTokens.join(',')}}`
}

/**
 * What is made once all rows are there, which is faster: indexes and foreign keys of the registry's tables. As statements that
 * make them.
 */
const laterObjects = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "make"
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    and conrelid = any ($1::regclass[])
  union all
  select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indrelid = any ($1::regclass[])
    and not exists (select from pg_constraint where conindid = i.indexrelid)
  order by 1 desc`

/** A database that becomes a registry. Its table `copying` tells how far it is. */
export class PostgresTarget implements CopyTarget {
  readonly reached: ReadonlyMap<string, Reached>
  readonly #reached: Record<string, Reached>
  readonly #sessions: Sessions
  readonly #session: Session

  constructor(sessions: Sessions, session: Session, reached: Record<string, Reached>) {
    this.#sessions = sessions
    this.#session = session
    this.#reached = { ...reached }
    this.reached = new Map(Object.entries(reached))
  }

  async add(table: CopiedTable, page: Buffer, reached: Reached): Promise<void> {
    const { columns, endOf } = more[table.name] ?? { columns: [], endOf: undefined }
    const names = [...table.columns.map(({ name }) => name), ...columns].map(quoted).join(', ')
    const lines =
      endOf === undefined
        ? page
        : Buffer.from(
            linesOf(page)
              .map((line) => `${line}\t${endOf(table, line)}\n`)
              .join(''),
          )
    this.#reached[table.name] = reached
    await this.#atOnce(async () => {
      const into = this.#session.client.query(from(`copy ${quoted(table.name)} (${names}) from stdin`))
      try {
        await pipeline(Readable.from([lines]), into)
      } catch (error) {
        throw sessionError(error)
      }
      await this.#session.query('update "copying" set "reached" = $1', [JSON.stringify(this.#reached)])
    })
  }

  async #atOnce(work: () => Promise<void>): Promise<void> {
    const session = this.#session
    try {
      await session.command('begin')
      await work()
      await session.command('commit')
    } catch (error) {
      if (session.isOpen) await session.command('rollback')
      throw storageError(error)
    }
  }

  async finish(onProgress: OnProgress): Promise<void> {
    const session = this.#session
    const [row] = await session.query<{ later: string }>('select "later" from "copying"', [])
    const later = JSON.parse(row?.later ?? '[]') as string[]
    const total = later.length
    while (later.length > 0) {
      onProgress(total - later.length, total)
      const [statement = ''] = later.splice(0, 1)
      await this.#atOnce(async () => {
        await session.command(statement)
        await session.query('update "copying" set "later" = $1', [JSON.stringify(later)])
      })
    }
    await session.command('analyze')
    onProgress(total, total)
  }

  lines(table: CopiedTable): AsyncIterable<Buffer> {
    return linesOfTable(this.#session, table)
  }

  async publish(): Promise<void> {
    await this.#atOnce(() =>
      this.#session.command(
        `set local synchronous_commit = on;
        drop table "copying";
        create table "registry" ("id" smallint primary key check ("id" = 1), "schema" integer not null);
        insert into "registry" values (1, ${latest})`,
      ),
    )
  }

  async close(): Promise<void> {
    await this.#session.close()
    await this.#sessions.close()
  }
}

async function isThere(session: Session, table: string): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>(`select to_regclass($1) is not null as "found"`, [
    quoted(table),
  ])
  return row?.found === true
}

/** How far a copy of the same moment came that was interrupted; of another one, it is removed. */
async function before(session: Session, moment: Moment): Promise<Record<string, Reached> | undefined> {
  if (!(await isThere(session, 'copying'))) return undefined
  const [row] = await session.query<Moment & { reached: string }>('select * from "copying"', [])
  if (row?.origin === moment.origin && row.revision === moment.revision)
    return JSON.parse(row.reached) as Record<string, Reached>
  const drops = made().map(({ kind, name }) => `drop ${kind} if exists ${quoted(name)} cascade`)
  await session.command([...drops, 'drop table "copying"'].join('; '))
  return undefined
}

/** Makes the tables without indexes, foreign keys and rows. */
async function prepare(session: Session, { origin, revision }: Moment): Promise<void> {
  for (const statements of migrations) await session.command(statements().join(';\n'))
  const later = await session.query<{ drop: string; make: string }>(laterObjects, [
    made().flatMap(({ kind, name }) => (kind === 'table' ? [quoted(name)] : [])),
  ])
  await session.command(later.map(({ drop }) => drop).join(';\n'))
  await session.command(
    `delete from "state"; delete from "users"; delete from "numbers";
    create table "copying" ("origin" text, "revision" bigint, "reached" text, "later" text)`,
  )
  await session.query('insert into "copying" values ($1, $2, $3, $4)', [
    origin,
    revision,
    '{}',
    // Foreign keys last: they need what they refer to.
    JSON.stringify(later.map(({ make }) => make).toSorted((one, other) => rank(one) - rank(other))),
  ])
}

const rank = (statement: string): number => (statement.startsWith('alter') ? 1 : 0)

/**
 * Opens a database for a copy: one without a registry, or one in which a copy of the same moment was interrupted.
 *
 * @throws RegistryError INVALID_INPUT when there is a registry, STORAGE_BUSY while another copy into it runs, and as
 * `openPostgres`
 */
export async function openPostgresTarget(url: string, moment: Moment): Promise<CopyTarget> {
  const sessions = new Sessions(settingsOf(url), { durability: 'relaxed' })
  try {
    const session = await sessions.patiently(() => sessions.open('long'))
    try {
      const [row] = await session.query<{ isMine: boolean }>(
        `select pg_try_advisory_lock(${lock}) as "isMine"`,
        [],
      )
      if (row?.isMine !== true)
        throw new RegistryError('STORAGE_BUSY', 'Another copy into this database is running')
      await session.command(`${oneForm}; set maintenance_work_mem = '${indexMemory}'; begin`)
      await session.query(`select pg_advisory_xact_lock(${migrationLock})`, [])
      if (await isThere(session, 'registry'))
        throw invalidBecause(
          'to',
          'the database has a registry already; create another one with CREATE DATABASE',
        )
      const reached = await before(session, moment)
      if (reached === undefined) await prepare(session, moment)
      await session.command('commit')
      return new PostgresTarget(sessions, session, reached ?? {})
    } catch (error) {
      session.destroy()
      throw error
    }
  } catch (error) {
    await sessions.close()
    throw sessions.refusal(storageError(error))
  }
}
