/** Why the data cannot be read: it is not what it was, the host does not send it, or it is no Parquet file as expected. */
export type ReadingProblem = 'CHANGED' | 'NOT_SENT' | 'DAMAGED'

export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly code: ReadingProblem

  constructor(code: ReadingProblem, reason = '') {
    super(reason)
    this.code = code
  }
}
