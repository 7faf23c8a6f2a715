import type { StoredSubmission } from './submission.ts'

/** The result of a creation, so that an edit that knows only its key finds the fountain. */
export interface SubmissionResult {
  readonly key: string
  readonly by: string
  readonly id?: number
  readonly answer: unknown
  /** ISO 8601, UTC. */
  readonly at: string
}

/** The writes of a transaction. */
export interface StoreWrites<Result> {
  readonly put?: readonly StoredSubmission[]
  readonly remove?: readonly StoredSubmission[]
  readonly made?: readonly SubmissionResult[]
  readonly forget?: readonly SubmissionResult[]
  readonly result: Result
}

/** Submissions and results, in order of creation. */
export interface StoreContent {
  readonly submissions: readonly StoredSubmission[]
  readonly made: readonly SubmissionResult[]
}

/** The store of a site's submissions in this browser. */
export interface Store {
  read(): Promise<StoreContent>
  /** Reads all records, decides synchronously and writes, atomically across tabs. */
  transact<Result>(decide: (stored: StoreContent) => StoreWrites<Result>): Promise<Result>
}

/** The database name; several sites on one host differ by their path. */
export const outboxName = (base: string): string => `openfountain ${base} outbox`

/** The store of a site. The database is opened on first use; when it is unavailable, each call rejects. */
export function openStore(base: string): Store {
  let opened: Promise<IDBDatabase> | undefined
  const database = (): Promise<IDBDatabase> => {
    opened ??= open(outboxName(base), () => (opened = undefined)).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const run = async <Result>(
    mode: IDBTransactionMode,
    work: (stored: StoreContent, transaction: IDBTransaction) => Result,
  ): Promise<Result> => {
    const made = await database()
    return new Promise((resolve, reject) => {
      // Stored submissions must survive a phone whose battery runs out.
      const transaction = made.transaction(['acts', 'made'], mode, { durability: 'strict' })
      let result: { readonly value: Result } | undefined
      const [submissions, done] = [
        transaction.objectStore('acts').getAll(),
        transaction.objectStore('made').getAll(),
      ]
      done.addEventListener('success', () => {
        try {
          result = { value: work({ submissions: submissions.result, made: done.result }, transaction) }
        } catch (error) {
          transaction.abort()
          reject(error)
        }
      })
      transaction.addEventListener('complete', () => {
        if (result) resolve(result.value)
      })
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('The transaction was aborted')),
      )
    })
  }
  return {
    read: () => run('readonly', (stored) => stored),
    transact: (decide) =>
      run('readwrite', (stored, transaction) => {
        const { put = [], remove = [], made = [], forget = [], result } = decide(stored)
        const [submissions, done] = [transaction.objectStore('acts'), transaction.objectStore('made')]
        for (const { order } of remove) submissions.delete(order)
        for (const submission of put) submissions.put(submission)
        for (const { key } of forget) done.delete(key)
        for (const one of made) done.put(one)
        return result
      }),
  }
}

function open(name: string, closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('acts', { keyPath: 'order' })
      opening.result.createObjectStore('made', { keyPath: 'key' })
    })
    opening.addEventListener('success', () => {
      const database = opening.result
      database.addEventListener('close', closed)
      // This tab must not block another one that deletes the database.
      database.addEventListener('versionchange', () => {
        database.close()
        closed()
      })
      resolve(database)
    })
    opening.addEventListener('error', () =>
      reject(opening.error ?? new Error('The database cannot be opened')),
    )
  })
}
