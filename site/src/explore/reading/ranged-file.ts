import { asyncBufferFromUrl, type AsyncBuffer } from 'hyparquet'

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

/** A file of the export, with its size at the time of the build. */
export interface ExploredFile {
  readonly url: string
  readonly bytes: number
}

/**
 * Opens a file of the site that is read in ranges, or whole where the host does not support them. Its reads throw a
 * ReadingError: `CHANGED` when the file changed since the build, `NOT_SENT` with the host's answer.
 *
 * @param onWhole called when the host sent the whole file for a range
 */
export function openRanges({ url, bytes }: ExploredFile, onWhole: () => void): Promise<AsyncBuffer> {
  let known: string | undefined
  return asyncBufferFromUrl({
    url,
    byteLength: bytes,
    async fetch(input, init) {
      const response = await fetch(input, init).catch((error: unknown) => {
        throw new ReadingError('NOT_SENT', error instanceof Error ? error.message : String(error))
      })
      const { status, headers } = response
      if (status === 416) throw new ReadingError('CHANGED')
      if (!response.ok) throw new ReadingError('NOT_SENT', `HTTP ${status}`)
      if (status === 200) {
        const whole = await response.arrayBuffer()
        if (whole.byteLength !== bytes) throw new ReadingError('CHANGED')
        onWhole()
        return new Response(whole)
      }
      const total = headers.get('content-range')?.split('/')[1] ?? '*'
      const version = headers.get('etag') ?? headers.get('last-modified') ?? ''
      known ??= version
      if ((total !== '*' && Number(total) !== bytes) || version !== known) throw new ReadingError('CHANGED')
      return response
    },
  })
}
