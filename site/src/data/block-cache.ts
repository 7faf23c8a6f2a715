import { hash } from 'node:crypto'
import { join } from 'node:path'
import { readSealed, writeSealed } from '@openfountain/core/internal'
import { digestProgram } from '../build/digests.ts'
import type { CacheFolders } from '../build/cache-folders.ts'
import { linesIn, type Block } from './blocks.ts'

/**
 * A cache of a file's blocks by digest: blocks that the earlier build of the same program found valid are not validated
 * again. Each has a text of the build.
 */
export class BlockCache {
  readonly #name: string
  /** Cached lines by their digest: the digest, then the text. */
  readonly #earlier: ReadonlyMap<string, Buffer>
  readonly #now: Buffer[] = []

  private constructor(name: string, lines: readonly Buffer[]) {
    this.#name = name
    this.#earlier = new Map(lines.map((line) => [line.toString('latin1', 0, digestLength), line]))
  }

  /** @param name of the cache file */
  static async open(name: string, { from }: Pick<CacheFolders, 'from'>): Promise<BlockCache> {
    const bytes = from === undefined ? undefined : await readSealed(join(from, name), await digestProgram())
    return new BlockCache(name, bytes === undefined ? [] : linesIn({ bytes }))
  }

  /** The cached text of a block with these lines; undefined when the cache lacks it. */
  get({ bytes }: Block): string | undefined {
    const line = this.#earlier.get(digestOf(bytes))
    if (line === undefined) return undefined
    this.#now.push(line, lineEnd)
    return line.toString('utf8', digestLength)
  }

  /** Caches a text without line feeds for a valid block. */
  add({ bytes }: Block, text: string): void {
    this.#now.push(Buffer.from(`${digestOf(bytes)}${text}`), lineEnd)
  }

  /** Writes the blocks that were found or added, for the next build. */
  async write({ to }: Pick<CacheFolders, 'to'>): Promise<void> {
    await writeSealed(join(to, this.#name), await digestProgram(), this.#now)
  }
}

const lineEnd = Buffer.from('\n')
const digestLength = 43

const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url')
