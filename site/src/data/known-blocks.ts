import { hash } from 'node:crypto'
import { join } from 'node:path'
import { readSealed, writeSealed } from '@openfountain/core/internal'
import { digestProgram } from '../build/digests.ts'
import type { KeptFolders } from '../build/kept-folders.ts'
import { linesIn, type Block } from './blocks.ts'

/**
 * Blocks of a file whose lines the earlier build of the same program has found to match their schema, by their digests: they need
 * not be looked at again. With each, what the build keeps of it.
 */
export class KnownBlocks {
  readonly #name: string
  /** Lines of a digest and what is kept with it, by the digest. */
  readonly #earlier: ReadonlyMap<string, Buffer>
  readonly #now: Buffer[] = []

  private constructor(name: string, lines: readonly Buffer[]) {
    this.#name = name
    this.#earlier = new Map(lines.map((line) => [line.toString('latin1', 0, digestLength), line]))
  }

  /** @param name of what is kept */
  static async open(name: string, { from }: Pick<KeptFolders, 'from'>): Promise<KnownBlocks> {
    const bytes = from === undefined ? undefined : await readSealed(join(from, name), await digestProgram())
    return new KnownBlocks(name, bytes === undefined ? [] : linesIn({ bytes }))
  }

  /** What the earlier build kept of a block with these lines; undefined when it knew none. */
  known({ bytes }: Block): string | undefined {
    const line = this.#earlier.get(digestOf(bytes))
    if (line === undefined) return undefined
    this.#now.push(line, lineEnd)
    return line.toString('utf8', digestLength)
  }

  /** Keeps a text without line feeds of a block whose lines are valid. */
  keep({ bytes }: Block, text: string): void {
    this.#now.push(Buffer.from(`${digestOf(bytes)}${text}`), lineEnd)
  }

  /** Keeps what was known or kept for the next build. */
  async write({ to }: Pick<KeptFolders, 'to'>): Promise<void> {
    await writeSealed(join(to, this.#name), await digestProgram(), this.#now)
  }
}

const lineEnd = Buffer.from('\n')
const digestLength = 43

const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url')
