import type { Submission } from './submission.ts'

/** The result of a sent submission. A later edit that knows only the key of a creation finds its fountain by it. */
export interface SubmissionResult {
  readonly key: string
  readonly by: string
  readonly id?: number | undefined
  readonly answer: unknown
  /** ISO 8601, UTC. */
  readonly at: string
}

/** The submissions by their order, the oldest first, and the results by their keys. */
export interface StoreContent {
  readonly submissions: Map<number, Submission>
  readonly results: Map<string, SubmissionResult>
}

/**
 * The store of a site's submissions in this browser. The content is handed to a synchronous function; what that changes
 * is written, atomically across tabs.
 */
export type Store = <Result>(work: (content: StoreContent) => Result) => Promise<Result>

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
    const transaction = database.transaction(['acts', 'made'], 'readwrite', { durability: 'strict' })
    const finished = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Aborted')))
    })
    const tables = [transaction.objectStore('acts'), transaction.objectStore('made')] as const
    const [submissions, results] = await Promise.all([
      answerOf<Submission[]>(tables[0].getAll()),
      answerOf<SubmissionResult[]>(tables[1].getAll()),
    ])
    const content: StoreContent = {
      submissions: new Map(submissions.map((one) => [one.order, one])),
      results: new Map(results.map((one) => [one.key, one])),
    }
    const before = [new Map(content.submissions), new Map(content.results)] as const
    const result = work(content)
    write(tables[0], before[0], content.submissions)
    write(tables[1], before[1], content.results)
    await finished
    return result
  }
}

/** Writes what differs between two states of a table. */
function write<Key extends IDBValidKey>(
  table: IDBObjectStore,
  before: ReadonlyMap<Key, unknown>,
  now: ReadonlyMap<Key, unknown>,
): void {
  for (const key of before.keys()) if (!now.has(key)) table.delete(key)
  for (const [key, value] of now) if (before.get(key) !== value) table.put(value)
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
    opening.result.createObjectStore('made', { keyPath: 'key' })
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
