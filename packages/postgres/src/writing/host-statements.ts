import {
  mustBeOfTables,
  notOfHost,
  type HostValue,
  type Outcome,
  type PostgresTables,
} from '@openfountain/core/engine'
import { tables as registryTables } from '../tables.ts'
import { isTransient, SessionLost, storageError } from '../connection/failure.ts'
import type { Session } from '../connection/session.ts'

/** The registry's tables: counts of rows changed by this transaction, and their definitions. */
const changesOf = `
  select name, json_build_array(
    c.oid, c.relfilenode, c.relnatts,
    pg_stat_get_xact_tuples_inserted(c.oid),
    pg_stat_get_xact_tuples_updated(c.oid),
    pg_stat_get_xact_tuples_deleted(c.oid),
    (select count(*) from pg_attribute where attrelid = c.oid and attisdropped),
    (select json_agg(indexrelid order by indexrelid) from pg_index where indrelid = c.oid),
    (select json_agg(json_build_array(tgname, tgenabled) order by oid) from pg_trigger where tgrelid = c.oid and not tgisinternal)
  )::text as state
  from unnest($1::text[]) name left join pg_class c on c.oid = to_regclass(quote_ident(name)) order by name`

interface TableState {
  readonly name: string
  readonly state: string
}

class Statements implements PostgresTables {
  readonly #session: Session
  readonly #sent: Promise<unknown>[] = []
  #before: Promise<TableState[]> | undefined
  #isOver = false

  constructor(session: Session) {
    this.#session = session
  }

  async query<Row>(text: string, values: readonly HostValue[] = []): Promise<Row[]> {
    if (this.#isOver) throw new Error('The transaction of these statements is over')
    const answer = this.#answer<Row>(text, values)
    this.#sent.push(answer)
    return answer
  }

  async #answer<Row>(text: string, values: readonly HostValue[]): Promise<Row[]> {
    mustBeOfTables(text)
    if (values.some((value) => typeof value === 'string' && value.includes('\0')))
      throw new Error('PostgreSQL keeps no U+0000 in a text')
    this.#before ??= this.#states()
    // Texts of the host may differ each time: they are not prepared.
    return this.#session.query<Row>(text, values, { forValues: true })
  }

  #states(): Promise<TableState[]> {
    const states = this.#session.query<TableState>(changesOf, [Object.keys(registryTables)])
    states.catch(() => undefined)
    this.#sent.push(states)
    return states
  }

  /** Waits for all answers. @throws the error of the first failed statement; RegistryError INVALID_INPUT for a registry's table */
  async end(): Promise<void> {
    this.#isOver = true
    const answers = await Promise.allSettled(this.#sent)
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    if (this.#before === undefined) return
    const [before, now] = await Promise.all([this.#before, this.#states()])
    const changed = before.find(({ state }, at) => state !== now[at]?.state)
    if (changed !== undefined) throw notOfHost(changed.name)
  }
}

async function run(session: Session, work: (tables: PostgresTables) => Promise<void>): Promise<void> {
  const statements = new Statements(session)
  try {
    await work(statements)
  } catch (error) {
    await statements.end().catch(() => undefined)
    throw error
  }
  await statements.end()
}

/** Runs statements of the host in the running transaction. @returns the refusal, if any @throws SessionLost, DatabaseError to repeat it */
export async function runAlongside(
  session: Session,
  work: (tables: PostgresTables) => Promise<void>,
): Promise<Outcome<never> | undefined> {
  try {
    await run(session, work)
    return undefined
  } catch (error) {
    if (error instanceof SessionLost || isTransient(error)) throw error
    await session.command('rollback')
    return { ok: false, error: storageError(error) }
  }
}
