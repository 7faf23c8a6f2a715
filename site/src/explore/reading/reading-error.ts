/**
 * The reason of a reading error: the file changed, the host does not send it, or it is not the expected Parquet file.
 */
export type ReadingProblem = 'CHANGED' | 'NOT_SENT' | 'DAMAGED'

export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly code: ReadingProblem

  constructor(code: ReadingProblem, reason = '') {
    super(reason)
    this.code = code
  }
}
