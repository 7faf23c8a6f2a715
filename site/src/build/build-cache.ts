import { hash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOrCopy, readSealed, writeSealed } from '@openfountain/core/internal'
import { linesIn } from '../data/blocks.ts'
import { digestProgram } from './digests.ts'

/** The folders of a build that its cache reads and writes. */
export interface CacheFolders {
  /** The site that is being written. */
  readonly folder: string
  /** The site that it replaces, and the file of its cache; absent where there is none. */
  readonly earlier?: string
  readonly from?: string
}

/** The contents of files, and facts that the build caches with them. */
export interface FileContents<Facts> {
  readonly texts: readonly string[]
  readonly facts: Facts
}

/**
 * What a build of the same program found before, by the digest of what it follows from: texts of one line, and files, which
 * are in the earlier site. With the cache or without, the result is the same.
 */
export class BuildCache {
  readonly #folders: CacheFolders
  /** Cached lines by their digest: the digest, then the text. */
  readonly #earlier: ReadonlyMap<string, Buffer>
  readonly #now: Buffer[] = []

  constructor(folders: CacheFolders, lines: readonly Buffer[] = []) {
    this.#folders = folders
    this.#earlier = new Map(lines.map((line) => [line.toString('latin1', 0, digestLength), line]))
  }

  static async open(folders: CacheFolders): Promise<BuildCache> {
    const { from } = folders
    const bytes = from === undefined ? undefined : await readSealed(from, await digestProgram())
    return new BuildCache(folders, bytes && linesIn({ bytes }))
  }

  /** The cached text of these inputs; undefined when the cache lacks it. */
  get(inputs: string | Uint8Array): string | undefined {
    const line = this.#earlier.get(digestOf(inputs))
    if (line === undefined) return undefined
    this.#now.push(line, lineEnd)
    return line.toString('utf8', digestLength)
  }

  /** Caches a text without line feeds. */
  add(inputs: string | Uint8Array, text: string): void {
    this.#now.push(Buffer.from(`${digestOf(inputs)}${text}`), lineEnd)
  }

  /**
   * Writes files that belong together, or reuses the earlier ones.
   *
   * @param paths below the site's folder, with `/`; in the order of the texts
   * @param inputs all inputs of the files, except the program
   */
  async put<Facts>(
    paths: readonly string[],
    inputs: string,
    make: () => FileContents<Facts>,
  ): Promise<Facts> {
    const all = `${paths.join('\n')}\n${inputs}`
    const known =
      this.#earlier.has(digestOf(all)) && (await this.#isReused(paths)) ? this.get(all) : undefined
    if (known !== undefined) return JSON.parse(known) as Facts
    const { texts, facts } = make()
    for (const [place, path] of paths.entries())
      await writeFile(join(this.#folders.folder, path), texts[place] ?? '', { flag: 'wx' })
    this.add(all, JSON.stringify(facts))
    return facts
  }

  async #isReused(paths: readonly string[]): Promise<boolean> {
    const { folder, earlier = '' } = this.#folders
    try {
      for (const path of paths) await linkOrCopy(join(earlier, path), join(folder, path))
      return true
    } catch {
      // A hard link to a file of the earlier site must not be written to.
      for (const path of paths) await rm(join(folder, path), { force: true })
      return false
    }
  }

  /** Writes what was found or added, for the next build, to a new file. */
  async write(to: string): Promise<void> {
    await writeSealed(to, await digestProgram(), this.#now)
  }
}

const lineEnd = Buffer.from('\n')
const digestLength = 43

const digestOf = (inputs: string | Uint8Array): string => hash('sha256', inputs, 'base64url')
