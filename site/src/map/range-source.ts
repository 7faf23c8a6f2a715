import type { RangeResponse, Source } from 'pmtiles'

/** The host gave the whole file where a part was asked for, so that tiles cannot be read from it. */
export class NoRangesError extends Error {
  override readonly name = 'NoRangesError'
}

/** Header and root directory of a PMTiles archive lie in the first 16 KiB. */
const headBytes = 16_384

/**
 * Reads parts of a file by HTTP range requests. The first part is asked for at once, while the map's engine is
 * still on its way.
 */
export class RangeSource implements Source {
  readonly #url: string
  readonly #head: Promise<ArrayBuffer>

  constructor(url: string) {
    this.#url = url
    this.#head = this.#fetch(0, headBytes)
    this.#head.catch(() => undefined)
  }

  getKey(): string {
    return this.#url
  }

  async getBytes(offset: number, length: number, signal?: AbortSignal): Promise<RangeResponse> {
    const head = await this.#head
    if (offset + length <= head.byteLength || (offset === 0 && length === headBytes)) {
      return { data: head.slice(offset, offset + length) }
    }
    return { data: await this.#fetch(offset, length, signal) }
  }

  async #fetch(offset: number, length: number, signal?: AbortSignal): Promise<ArrayBuffer> {
    const stop = new AbortController()
    const response = await fetch(this.#url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    })
    if (response.status === 206) return response.arrayBuffer()
    const whole = Number(response.headers.get('content-length') ?? Infinity)
    if (response.status === 200 && whole <= headBytes) {
      return (await response.arrayBuffer()).slice(offset, offset + length)
    }
    stop.abort()
    if (response.status === 200) throw new NoRangesError(`${this.#url} is not given in parts`)
    throw new Error(`${this.#url} answers ${response.status}`)
  }
}
