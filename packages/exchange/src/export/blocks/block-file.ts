import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { EarlierBlocks, Place } from './earlier-blocks.ts'
import { compressed, header, trailer } from './member.ts'

/** Blocks that wait to be written, while they are compressed in other threads. */
const mostWaiting = 4
/** Bytes up to which blocks that are neighbours in the earlier file are taken over at once. */
const mostAtOnce = 1 << 20

/** Blocks of an earlier file that are neighbours there. */
interface Neighbours {
  readonly from: EarlierBlocks
  readonly places: Place[]
}

/** A gzip member of blocks while it is written. */
export class BlockFile {
  /** Bytes of the compressed blocks so far, but for those that wait. */
  readonly lengths: number[] = []
  /** Bytes of blocks that were taken over. */
  takenOver = 0
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  readonly #waiting: (Promise<Uint8Array> | Neighbours)[] = []

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<BlockFile> {
    const file = new BlockFile(await open(path, 'wx'))
    await file.#write(header)
    return file
  }

  /** Adds a block that has to be compressed. */
  async add(text: Uint8Array): Promise<void> {
    const bytes = compressed(text)
    // Whoever waits for it hears of it.
    bytes.catch(() => undefined)
    this.#waiting.push(bytes)
    await this.#writeAllBut(mostWaiting)
  }

  /** Adds a block of an earlier file. */
  async take(from: EarlierBlocks, place: Place): Promise<void> {
    const latest = this.#waiting.at(-1)
    if (latest && 'places' in latest && isNext(latest, place)) latest.places.push(place)
    else this.#waiting.push({ from, places: [place] })
    await this.#writeAllBut(mostWaiting)
  }

  /**
   * Writes what waits and the end of the member.
   *
   * @param checksum the CRC-32 of the text
   * @param bytes of the text
   * @returns the SHA-256 of the file, hexadecimal
   */
  async end(checksum: number, bytes: number): Promise<string> {
    await this.#writeAllBut(0)
    await this.#write(trailer(checksum, bytes))
    return this.#hash.digest('hex')
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #writeAllBut(waiting: number): Promise<void> {
    while (this.#waiting.length > waiting) {
      const next = this.#waiting.shift()
      if (next instanceof Promise) {
        const bytes = await next
        this.lengths.push(bytes.length)
        await this.#write(bytes)
      } else if (next !== undefined) await this.#copy(next)
    }
  }

  async #copy({ from, places }: Neighbours): Promise<void> {
    const { at, length } = stretchOf(places)
    this.lengths.push(...places.map((place) => place.length))
    this.takenOver += length
    await this.#write(from.read({ at, length }))
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    await this.#file.writeFile(bytes)
  }
}

function stretchOf(places: readonly Place[]): Place {
  return { at: places[0]?.at ?? 0, length: places.reduce((sum, { length }) => sum + length, 0) }
}

function isNext({ places }: Neighbours, next: Place): boolean {
  const { at, length } = stretchOf(places)
  return at + length === next.at && length + next.length <= mostAtOnce
}
