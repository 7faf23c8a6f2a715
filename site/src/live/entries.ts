/** A log entry about a fountain or a review; only the used fields are validated. */
export interface LiveEntry {
  readonly id: number
  /** ISO 8601 UTC. */
  readonly at: string
  readonly subject: string
  readonly subjectId: number | string
  readonly action: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly mergedInto?: number
  /** Id of who did it. */
  readonly by: string
  /** Ids of related entries and subjects, by relation, such as `restores` and `reverts`. */
  readonly links: Readonly<Record<string, unknown>> & { readonly mergedInto?: number }
}

/** A page of the log. */
export interface LogPage {
  readonly entries: readonly LiveEntry[]
  readonly head: { readonly id: number; readonly hash: string }
  /** Which line of history this is. */
  readonly origin: string
}

/** Most entries per request; a server that sends more is not followed. */
export const pageSize = 1000

/** The value as an object; undefined for other values. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u

function readEntry(value: unknown): LiveEntry | undefined {
  const given = record(value)
  const fields = record(given?.['fields'])
  if (!given || !fields) return undefined
  const { id, at, by, subject, subjectId, action } = given
  if (!isId(id) || typeof at !== 'string' || !time.test(at) || Number.isNaN(Date.parse(at))) return undefined
  if (typeof subject !== 'string' || typeof action !== 'string') return undefined
  if (typeof subjectId !== 'string' && !isId(subjectId)) return undefined
  const { mergedInto: into, ...links } = record(given['links']) ?? {}
  const merged = isId(into) && { mergedInto: into }
  return {
    id,
    at,
    subject,
    subjectId,
    action,
    fields,
    links: { ...links, ...merged },
    by: typeof by === 'string' ? by : '',
    ...merged,
  }
}

/**
 * Validates a response with a page of the log after an id.
 *
 * @throws {Error} when it is not valid
 */
export function readPage(value: unknown, after: number): LogPage {
  const given = record(value)
  const head = record(given?.['head'])
  const { changes, origin } = given ?? {}
  const { id, hash } = head ?? {}
  const isWhole =
    Array.isArray(changes) &&
    changes.length <= pageSize &&
    typeof origin === 'string' &&
    typeof hash === 'string' &&
    typeof id === 'number' &&
    Number.isSafeInteger(id)
  if (!isWhole) throw new Error('This is no page of the log')
  let last = after
  const entries = changes.map((one) => {
    const entry = readEntry(one)
    if (!entry || entry.id <= last || entry.id > id) throw new Error('This is no entry of the log')
    last = entry.id
    return entry
  })
  return { entries, head: { id, hash }, origin }
}
