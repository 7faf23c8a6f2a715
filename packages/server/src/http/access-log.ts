/**
 * One line of the access log. It has the declared route, never the path or the query that was sent, since those may
 * hold an e-mail address or a secret that somebody typed into a URL.
 */
export interface AccessEntry {
  readonly time: string
  /** Finds the error that belongs to a 500. */
  readonly requestId: string
  readonly method: string
  /** Such as `/api/waypoints/{id}`; `site` for files of the site; absent for paths that do not exist. */
  readonly route?: string
  readonly status: number
  /** Of the body as it was sent, compressed or not. */
  readonly bytes: number
  readonly milliseconds: number
  /** The address of the client, when the host of the app tells it. */
  readonly client?: string
}

export type AccessLog = (entry: AccessEntry) => void

/** Writes each entry as a line of JSON. */
export function jsonLines(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): AccessLog {
  return (entry) => void write(`${JSON.stringify(entry)}\n`)
}

/** A failure that the operator must hear of; the client knows its id alone. */
export interface Failure {
  readonly requestId: string
  readonly method: string
  readonly route: string | undefined
  readonly error: unknown
}

/** Writes a failure to standard error, the error with its stack. */
export function reportFailure(failure: Failure): void {
  const { requestId, method, route, error } = failure
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`request ${requestId} (${method} ${route ?? 'unknown path'}) failed: ${told}\n`)
}
