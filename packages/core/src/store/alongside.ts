import { AsyncLocalStorage } from 'node:async_hooks'
import type { Job } from '../decide/deciding.ts'
import { invalidBecause } from '../errors.ts'
import type { Alongside } from './host-statements.ts'

interface Pending {
  readonly alongside: Alongside
  isTaken: boolean
  /** Whether a second write was begun. */
  isTwice: boolean
  isOver: boolean
}

/** The act whose only write has statements beside it. */
const acting = new AsyncLocalStorage<Pending>()

/** The statements that are running: a write that they made would wait for itself. */
const stating = new AsyncLocalStorage<{ isOver: boolean }>()

/**
 * Writes, with statements of the host in the same transaction.
 *
 * @throws RegistryError INVALID_INPUT when nothing was to be written, for a second write, and as `write`
 */
export async function whileAlongside<Result>(
  alongside: Alongside,
  write: () => Promise<Result>,
): Promise<Result> {
  const pending: Pending = { alongside, isTaken: false, isTwice: false, isOver: false }
  try {
    const result = await acting.run(pending, write)
    if (!pending.isTaken)
      throw invalidBecause('write', 'nothing was to be written, so that the statements beside it did not run')
    return result
  } finally {
    pending.isOver = true
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

/** The act that is running, if any. */
function pendingAct(): Pending | undefined {
  const pending = acting.getStore()
  return pending?.isOver === true ? undefined : pending
}

/** Runs writes by the registry itself, such as an award of XP, outside the current act. */
export const apart = <Result>(work: () => Result): Result => acting.exit(work)

const secondWrite = () =>
  invalidBecause(
    'write',
    'it writes a second time, and statements are beside one write: what was written before stays, unless both began together. Call one method that writes',
  )

/** The job with the statements that are to run beside it. @throws RegistryError INVALID_INPUT for a second one */
export function withAlongside<Answer>(job: Job<Answer>): Job<Answer> {
  const pending = pendingAct()
  if (pending === undefined) return job
  mustBeFirst(pending)
  pending.isTaken = true
  const { alongside } = pending
  return {
    ...job,
    alongside: {
      sqlite(tables, entries) {
        mustBeOnly(pending)
        alongside.sqlite(tables, entries)
      },
      async postgres(tables, entries) {
        mustBeOnly(pending)
        await alongside.postgres(tables, entries)
      },
    },
  }
}

function mustBeFirst(pending: Pending): void {
  if (!pending.isTaken) return
  pending.isTwice = true
  throw secondWrite()
}

function mustBeOnly({ isTwice }: Pending): void {
  if (isTwice) throw secondWrite()
}

/** @throws RegistryError INVALID_INPUT when statements are to run beside a write that is a batch of many */
export function mustNotBeAlongside(): void {
  const pending = pendingAct()
  if (pending === undefined) return
  mustBeFirst(pending)
  throw invalidBecause('write', 'it makes more than one transaction, so that no statements can be beside it')
}

/**
 * Separators before the first word of a statement; comments only in the form that ends at the same place in both
 * engines.
 */
const gap = /[\s;]+|--[^\r\n]*\r?\n|\/\*[^*/]*(?:\*(?!\/)[^*/]*|\/(?!\*)[^*/]*)*\*\//y

/** Statements that would end the transaction, or change more than tables. */
const others: ReadonlySet<string> = new Set(
  'begin start commit end rollback abort savepoint release prepare pragma attach detach vacuum analyze set reset discard copy'.split(
    ' ',
  ),
)

/** @throws RegistryError INVALID_INPUT where the engines may see another word */
function firstWord(text: string): string {
  let start = 0
  for (gap.lastIndex = 0; gap.test(text);) start = gap.lastIndex
  const [word = ''] = /^(?:\w+|--|\/\*)?/.exec(text.slice(start, start + 20)) ?? []
  if (word === '--' || word === '/*')
    throw invalidBecause('statements', 'the comment before a statement is not ended, or has another in it')
  return word.toLowerCase()
}

/**
 * The first word of a statement, in small letters.
 *
 * @throws RegistryError INVALID_INPUT for a statement that would end the transaction or change the connection
 */
export function mustBeOfTables(text: string): string {
  const word = firstWord(text)
  if (others.has(word))
    throw invalidBecause('statements', `${word} cannot be among the statements of a transaction`)
  return word
}

/** The error for a statement that would change one of the registry's tables. */
export const notOfHost = (table: string) =>
  invalidBecause(
    'statements',
    `${JSON.stringify(table)} is the registry's, which alone changes it: call its methods. Tables of a program begin with host_`,
  )
