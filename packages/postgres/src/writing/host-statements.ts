import { mustBeOfTables, type HostValue, type Outcome, type PostgresTables } from '@openfountain/core/engine'
import { isTransient, SessionLost, storageError } from '../connection/failure.ts'
import type { Session } from '../connection/session.ts'

/** The statements of the host in one transaction. */
class Statements implements PostgresTables {
  readonly #session: Session
  readonly #sent: Promise<unknown>[] = []
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
    // Texts of the host may differ each time: none is kept prepared.
    return this.#session.query<Row>(text, values, { forValues: true })
  }

  /** Waits for all answers. @throws what the first statement failed with, whoever caught it */
  async end(): Promise<void> {
    this.#isOver = true
    const answers = await Promise.allSettled(this.#sent)
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed !== undefined) throw failed.reason
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

/**
 * Runs statements of the host in the running transaction of a session. What they throw, or did where they caught it, undoes the
 * transaction.
 *
 * @returns how the write ended then; undefined when it may be committed
 * @throws SessionLost, DatabaseError after which the whole transaction is run again
 */
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
