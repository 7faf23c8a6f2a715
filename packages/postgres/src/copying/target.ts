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
import { oneForm, pagesOfTable } from './source.ts'
import { quoted } from '../writing/writer.ts'

/** The lock of copies into the same database: the first one copies. */
const lock = 0x6f66_6370
const indexMemory = '256MB'

/** Columns of tables here besides the copied ones, as the ends of their lines. */
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
 * Objects made once all rows are there, which is faster: indexes and foreign keys of the registry's tables, as
 * statements. Foreign keys come last, since they need the tables that they refer to.
 */
const laterObjects = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "make",
    true as "isKey"
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    and conrelid = any ($1::regclass[])
  union all
  select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), false
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indrelid = any ($1::regclass[])
    and not exists (select from pg_constraint where conindid = i.indexrelid)
  order by "isKey", "make"`

/** A database that becomes a registry, in one transaction. @param later statements to execute once all rows are there */
function targetOn(sessions: Sessions, session: Session, later: readonly string[]): CopyTarget {
  const command = async (statement: string): Promise<void> => {
    try {
      await session.command(statement)
    } catch (error) {
      throw storageError(error)
    }
  }
  return {
    async fill(table, pages) {
      const { columns = [], endOf } = more[table.name] ?? {}
      const names = [...table.columns.map(({ name }) => name), ...columns].map(quoted).join(', ')
      const whole =
        endOf === undefined ? pages : extended(pages, (line) => `${line}\t${endOf(table, line)}\n`)
      const into = session.client.query(from(`copy ${quoted(table.name)} (${names}) from stdin`))
      let ofSource: { readonly error: unknown } | undefined
      const read = async function* () {
        try {
          yield* whole
        } catch (error) {
          ofSource = { error }
          throw error
        }
      }
      try {
        await pipeline(Readable.from(read()), into)
      } catch (error) {
        throw ofSource === undefined ? storageError(sessionError(error)) : ofSource.error
      }
    },
    async finish(onProgress) {
      for (const [index, statement] of later.entries()) {
        await command(statement)
        onProgress(index + 1, later.length)
      }
      await command('analyze')
    },
    pages: (table) => pagesOfTable(session, table),
    publish: () =>
      command(
        `set local synchronous_commit = on;
        create table "registry" ("id" smallint primary key check ("id" = 1), "schema" integer not null);
        insert into "registry" values (1, ${latest});
        commit`,
      ),
    async close() {
      // The database is free when this is over, for another copy.
      if (session.isOpen) await session.command('rollback').catch(() => undefined)
      await session.close()
      await sessions.close()
    },
  }
}

async function* extended(
  pages: AsyncIterable<Buffer>,
  lineOf: (line: string) => string,
): AsyncGenerator<Buffer> {
  for await (const page of pages) yield Buffer.from(linesOf(page).map(lineOf).join(''))
}

/** Makes the tables without indexes, foreign keys and rows. @returns statements that make indexes and keys */
async function prepare(session: Session): Promise<readonly string[]> {
  for (const statements of migrations) await session.command(statements().join(';\n'))
  const later = await session.query<{ drop: string; make: string }>(laterObjects, [
    made().flatMap(({ kind, name }) => (kind === 'table' ? [quoted(name)] : [])),
  ])
  await session.command(later.map(({ drop }) => drop).join(';\n'))
  await session.command('delete from "state"; delete from "users"; delete from "numbers"')
  return later.map(({ make }) => make)
}

/**
 * Opens a database without a registry for a copy. Until the copy is published, others see nothing of it, and wait when they
 * would make a registry there.
 *
 * @throws RegistryError INVALID_INPUT when there is a registry, STORAGE_BUSY while another copy into it runs, and as
 * `openPostgres`
 */
export async function openPostgresTarget(url: string): Promise<CopyTarget> {
  const sessions = new Sessions(settingsOf(url), { durability: 'relaxed' })
  try {
    const session = await sessions.patiently(() => sessions.open('long'))
    try {
      const [row] = await session.query<{ isMine: boolean }>(
        `select pg_try_advisory_lock(${lock}) as "isMine"`,
      )
      if (row?.isMine !== true)
        throw new RegistryError('STORAGE_BUSY', 'Another copy into this database is running')
      await session.command(`${oneForm}; set maintenance_work_mem = '${indexMemory}'; begin`)
      await session.query(`select pg_advisory_xact_lock(${migrationLock})`)
      const [found] = await session.query<{ isThere: boolean }>(
        `select to_regclass('"registry"') is not null as "isThere"`,
      )
      if (found?.isThere === true)
        throw invalidBecause(
          'to',
          'the database has a registry already; create another one with CREATE DATABASE',
        )
      return targetOn(sessions, session, await prepare(session))
    } catch (error) {
      session.destroy()
      throw error
    }
  } catch (error) {
    await sessions.close()
    throw sessions.refusal(storageError(error))
  }
}
