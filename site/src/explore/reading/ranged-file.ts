import type { AsyncBuffer } from 'hyparquet'
import { ReadingError } from './reading-error.ts'

/** A file of the site that is read in ranges, or whole where the host does not support them. */
export class RangedFile implements AsyncBuffer {
  readonly byteLength: number
  readonly #url: string
  #whole: Promise<ArrayBuffer> | undefined
  #version: string | undefined

  /** @param bytes its length at the time of the build */
  constructor(url: string, bytes: number) {
    this.#url = url
    this.byteLength = bytes
  }

  /** Whether the host sent the whole file for a range request. */
  get isWhole(): boolean {
    return this.#whole !== undefined
  }

  /** @throws ReadingError `CHANGED` when the file changed since, `NOT_SENT` with the host's answer */
  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (this.#whole === undefined) {
      const response = await this.#ask(start, end)
      if (response.status === 206) {
        this.#check(response)
        return response.arrayBuffer()
      }
      // Concurrent range requests get the whole file, too; one copy is kept.
      if (this.#whole === undefined) this.#whole = this.#read(response)
      else await response.body?.cancel()
    }
    return (await this.#whole).slice(start, end)
  }

  async #ask(start: number, end: number): Promise<Response> {
    let response: Response
    try {
      response = await fetch(this.#url, { headers: { range: `bytes=${start}-${end - 1}` } })
    } catch (error) {
      throw new ReadingError('NOT_SENT', error instanceof Error ? error.message : String(error))
    }
    if (response.status === 416) throw new ReadingError('CHANGED')
    if (!response.ok) throw new ReadingError('NOT_SENT', `HTTP ${response.status}`)
    return response
  }

  #check({ headers }: Response): void {
    const total = headers.get('content-range')?.split('/')[1]
    const version = headers.get('etag') ?? headers.get('last-modified') ?? undefined
    this.#version ??= version
    if (
      (total !== undefined && total !== '*' && Number(total) !== this.byteLength) ||
      version !== this.#version
    )
      throw new ReadingError('CHANGED')
  }

  async #read(response: Response): Promise<ArrayBuffer> {
    const bytes = await response.arrayBuffer()
    if (bytes.byteLength !== this.byteLength) throw new ReadingError('CHANGED')
    return bytes
  }
}
