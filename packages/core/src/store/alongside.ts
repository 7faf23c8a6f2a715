import { AsyncLocalStorage } from 'node:async_hooks'
import type { Job } from '../decide/deciding.ts'
import { Repeated } from '../decide/once.ts'
import { invalidBecause } from '../errors.ts'
import { loggedEntry, type LoggedEntry } from '../log/entry.ts'
import type { Changeset, Outcome } from '../log/script.ts'
import type { Alongside } from './host-statements.ts'

interface Pending {
  readonly alongside: Alongside
  isTaken: boolean
}

/** The act whose first write has statements beside it. */
const acting = new AsyncLocalStorage<Pending>()

/** The statements that are running: a write that they made would wait for itself. */
const stating = new AsyncLocalStorage<{ isOver: boolean }>()

/**
 * Writes, with statements of the host in the transaction of the first write.
 *
 * @throws RegistryError INVALID_INPUT when nothing was to be written, and as `write`
 */
export async function whileAlongside<Result>(
  alongside: Alongside,
  write: () => Promise<Result>,
): Promise<Result> {
  const pending = { alongside, isTaken: false }
  try {
    const result = await acting.run(pending, write)
    if (!pending.isTaken)
      throw invalidBecause('write', 'nothing was to be written, so that the statements beside it did not run')
    return result
  } finally {
    pending.isTaken = true
  }
}

/** Runs statements of the host, during which nothing else can be written. */
export function whileStating<Result>(work: () => Result): Result {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  const result = stating.run(state, work)
  if (result instanceof Promise) result.then(end, end)
  else end()
  return result
}

/** @throws RegistryError INVALID_INPUT inside statements of the host, whose transaction the write would wait for */
export function mustNotBeStating(): void {
  if (stating.getStore()?.isOver === false)
    throw invalidBecause('statements', 'a statement beside a write must not call the registry')
}

/** The job with the statements that are to run beside it. */
export function withAlongside<Answer>(job: Job<Answer>): Job<Answer> {
  const pending = acting.getStore()
  if (pending === undefined || pending.isTaken) return job
  pending.isTaken = true
  return { decide: (at) => job.decide(at), alongside: pending.alongside }
}

/** @throws RegistryError INVALID_INPUT when statements are to run beside a write that is a batch of many */
export function mustNotBeAlongside(): void {
  const pending = acting.getStore()
  if (pending === undefined || pending.isTaken) return
  throw invalidBecause('write', 'it makes more than one transaction, so that no statements can be beside it')
}

/** The statements that belong to a transaction, once its write is decided: not to one that was refused, or made before. */
export function alongsideOf(
  jobs: readonly Job<unknown>[],
  [outcome]: readonly Outcome<unknown>[],
): Alongside | undefined {
  if (outcome?.ok !== true || outcome.answer instanceof Repeated) return undefined
  return jobs[0]?.alongside
}

/** What a write adds to the log, in its published form. */
export const entriesOf = ({ entries }: Changeset): LoggedEntry[] =>
  entries.map(({ entry, seed, leaf, hole }) => loggedEntry({ ...entry, seed, leaf, hole }))

/**
 * How many of the waiting writes, from the one at `from` on, share one transaction; one with statements of the host has it to
 * itself, since they may undo it.
 */
export function sharing(
  waiting: readonly { readonly job: Job<unknown> }[],
  from: number,
  most: number,
): number {
  const end = Math.min(waiting.length, from + most)
  for (let at = from; at < end; at++)
    if (waiting[at]?.job.alongside !== undefined) return Math.max(1, at - from)
  return end - from
}

/** Statements that would end the transaction, or change more than tables. */
const others =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(begin|start|commit|end|rollback|abort|savepoint|release|prepare|pragma|attach|detach|vacuum|analyze|set|reset|discard|copy)\b/i

/** @throws RegistryError INVALID_INPUT for a statement that would end the transaction or change the connection */
export function mustBeOfTables(text: string): void {
  const keyword = others.exec(text)?.[1]
  if (keyword !== undefined)
    throw invalidBecause('statements', `${keyword} cannot be among the statements of a transaction`)
}
