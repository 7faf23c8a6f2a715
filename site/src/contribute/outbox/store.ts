import type { Done, Submission } from './submission.ts'

/** The submissions of this browser by their order, the oldest first. */
export type Stored = Map<number, Submission | Done>

/** The store of a site's submissions: a transaction over all of them, atomic across tabs. */
export type Store = <Result>(work: (stored: Stored) => Result) => Promise<Result>

export const unsent = (stored: Stored): Submission[] =>
  [...stored.values()].filter((one) => one.state !== 'done')

/** The database name; several sites on one host differ by their path. */
export const outboxName = (base: string): string => `openfountain ${base} outbox`

/** The store of a site. The database is opened on first use; when it is unavailable, each call rejects. */
export function openStore(base: string): Store {
  let opened: Promise<IDBDatabase> | undefined
  const forget = (): void => void (opened = undefined)
  return async (work) => {
    opened ??= openDatabase(outboxName(base), forget)
    opened.catch(forget)
    const database = await opened
    // Stored submissions must survive a phone whose battery runs out.
    const transaction = database.transaction('acts', 'readwrite', { durability: 'strict' })
    const finished = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Aborted')))
    })
    const table = transaction.objectStore('acts')
    const before: readonly (Submission | Done)[] = await answerOf(table.getAll())
    const stored: Stored = new Map(before.map((one) => [one.order, one]))
    const result = work(stored)
    for (const { order } of before) if (!stored.has(order)) table.delete(order)
    for (const one of stored.values()) if (!before.includes(one)) table.put(one)
    await finished
    return result
  }
}

const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The database failed')))
  })

/** @param closed called when the database can no longer be used */
async function openDatabase(name: string, closed: () => void): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1)
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore('acts', { keyPath: 'order' })
  })
  const database = await answerOf(opening)
  database.addEventListener('close', closed)
  // This tab must not block another one that deletes the database.
  database.addEventListener('versionchange', () => {
    database.close()
    closed()
  })
  return database
}
