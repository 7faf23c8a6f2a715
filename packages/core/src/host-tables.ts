import type { Decided } from './decide/deciding.ts'
import { invalidBecause } from './errors.ts'
import { mustBeKnown } from './schemas/parse.ts'
import { whileAlongside, whileStating } from './store/write-queue.ts'
import type { Alongside, HostStatements } from './store/host-statements.ts'
import type { Store } from './store/port.ts'

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const
type Engine = keyof typeof engineNames

/** Tables of the program that embeds the registry, in its database. Their names begin with `host_`. */
export class HostTables {
  readonly #store: Store
  readonly #engine: Engine

  /** @internal Created by the registry. */
  constructor(store: Store, engine: Engine) {
    this.#store = store
    this.#engine = engine
  }

  /**
   * Runs statements of one's own in a transaction: to make tables, to read and to write them.
   *
   * @returns the result of the statements
   * @throws RegistryError INVALID_INPUT for statements that are not allowed, such as `commit` or a change of a
   * registry's table, STORAGE_BUSY and the like; errors of the statements; an error of the engine, with its code, for a
   * refusal by the database
   * @example
   * const create = 'create table if not exists host_keys (label text primary key, fountain integer)'
   * await registry.tables.transaction({ sqlite: (tables) => tables.query(create) })
   */
  async transaction<Result>(statements: HostStatements<Result>): Promise<Result> {
    const results: Result[] = []
    const job = {
      decide: nothing,
      alongside: this.#checked(statements, (result) => void results.push(result)),
    }
    await this.#store.write(job)
    // The last, where they ran a second time.
    return results.at(-1) as Result
  }

  /**
   * Makes a write of the registry and statements of one's own in one transaction: both are there, or neither. The
   * statements run after the write's own. When one of them fails, nothing is written, also when its error was caught.
   *
   * @param write calls one method that writes. Imports, mirroring and other methods with many transactions are not
   * possible
   * @returns the result of `write`
   * @throws RegistryError INVALID_INPUT when nothing was to be written, or a second time (what was written before
   * stays, unless both began together), and as `transaction`; errors of `write` and the statements
   * @example
   * await registry.tables.transaction({ sqlite: (own) => own.query('create table host_rounds (fountain integer)') })
   * const insert = 'insert into host_rounds values (?)'
   * await registry.tables.alongside(
   *   { sqlite: (own, [created]) => own.query(insert, [Number(created?.subjectId)]) },
   *   () => registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token()),
   * )
   */
  async alongside<Result>(
    statements: HostStatements<unknown>,
    write: () => Promise<Result>,
  ): Promise<Result> {
    return whileAlongside(
      this.#checked(statements, () => {}),
      write,
    )
  }

  #checked<Result>(given: HostStatements<Result>, onResult: (result: Result) => void): Alongside {
    mustBeKnown(given, ['sqlite', 'postgres'], 'statements')
    const name = engineNames[this.#engine]
    const { sqlite, postgres } = given
    if (given[this.#engine] === undefined)
      throw invalidBecause('statements', `the registry is on ${name}: give statements as ${this.#engine}`)
    if (this.#engine === 'sqlite' && sqlite?.constructor.name === 'AsyncFunction') throw isAsynchronous()
    return {
      sqlite(tables, entries) {
        const result = whileStating(() => sqlite?.(tables, entries) as Result)
        if (isPromise(result)) throw isAsynchronous()
        onResult(result)
      },
      async postgres(tables, entries) {
        onResult(await whileStating(async () => (await postgres?.(tables, entries)) as Result))
      },
    }
  }
}

function* nothing(): Decided<undefined> {
  yield []
  return { entries: [], by: '', answer: undefined }
}

function isPromise(result: unknown): boolean {
  if (!(result instanceof Promise)) return false
  // Its result is ignored: its transaction is undone.
  result.catch(() => undefined)
  return true
}

const isAsynchronous = () =>
  invalidBecause(
    'statements.sqlite',
    'statements on SQLite run at once: the function must not be async, and return no promise',
  )
