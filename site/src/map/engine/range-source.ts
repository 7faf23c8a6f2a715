import type { RangeResponse, Source } from 'pmtiles'
import type { StreetConfig } from '../data/config.ts'
import { landHeadBytes } from '../data/land.ts'

/** The first request of PMTiles readers: this many bytes, which include header and root directory. */
const readerHeadBytes = 16_384

/** The bundled base map. */
export const landSource = (url: string): RangeSource => new RangeSource(url, landHeadBytes, true)

/** The files of the streets, which are requested at once. */
export const streetFiles = ({ archive, style }: StreetConfig) => ({
  archive: new RangeSource(archive),
  style: fetch(style).catch(() => undefined),
})
export type StreetFiles = ReturnType<typeof streetFiles>

/** The header's position of the root directory's offset and length: 64-bit, little-endian. */
const [rootOffsetAt, rootLengthAt] = [8, 16] as const

/** Reads parts of a file by range requests; the first, as short as can be, while the map's engine is still loading. */
export class RangeSource implements Source {
  readonly #url: string
  readonly #firstBytes: number
  readonly #mayBeWhole: boolean
  #head: Promise<ArrayBuffer> | undefined

  /** @param firstBytes hold header and root directory of most archives @param mayBeWhole where the host has no range requests */
  constructor(url: string, firstBytes = 4_096, mayBeWhole = false) {
    this.#url = url
    this.#firstBytes = firstBytes
    this.#mayBeWhole = mayBeWhole
    this.#keptHead().catch(() => undefined)
  }

  getKey(): string {
    return this.#url
  }

  /** @throws {Error} also when the host does not support range requests */
  async getBytes(offset: number, length: number, signal?: AbortSignal): Promise<RangeResponse> {
    const head = await this.#keptHead()
    if (offset + length <= head.byteLength || (offset === 0 && length === readerHeadBytes))
      return { data: head.slice(offset, offset + length) }
    return { data: await this.#fetch(offset, length, signal) }
  }

  /** The beginning of the file, which is requested again after a failure. */
  #keptHead(): Promise<ArrayBuffer> {
    this.#head ??= this.#readHead()
    this.#head.catch(() => (this.#head = undefined))
    return this.#head
  }

  async #readHead(): Promise<ArrayBuffer> {
    const first = await this.#fetch(0, this.#firstBytes)
    if (first.byteLength !== this.#firstBytes) return first
    const header = new DataView(first)
    const end =
      Number(header.getBigUint64(rootOffsetAt, true)) + Number(header.getBigUint64(rootLengthAt, true))
    if (end <= first.byteLength || end > readerHeadBytes) return first
    const rest = await this.#fetch(this.#firstBytes, end - this.#firstBytes)
    return new Blob([first, rest]).arrayBuffer()
  }

  async #fetch(offset: number, length: number, signal?: AbortSignal): Promise<ArrayBuffer> {
    const range = `bytes=${offset}-${offset + length - 1}`
    const response = await fetch(this.#url, { headers: { range }, signal: signal ?? null })
    if (response.status === 206) return response.arrayBuffer()
    if (response.status === 200 && this.#mayBeWhole) {
      const whole = await response.arrayBuffer()
      return offset === 0 ? whole : whole.slice(offset, offset + length)
    }
    await response.body?.cancel()
    throw new Error(`${this.#url} returned ${response.status} for a part of it`)
  }
}
