import { hash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOrCopy, readSealed, writeSealed } from '@openfountain/core/internal'
import { digestProgram } from './digests.ts'
import type { Output } from './output.ts'

/** The contents of files, and facts that the build stores with them. */
export interface FileContents<Facts> {
  readonly texts: readonly string[]
  readonly facts: Facts
}

/** By the first file of a group: the digest of their inputs, and the facts stored with them. */
type Digests<Facts> = Readonly<Record<string, readonly [digest: string, facts: Facts]>>

/** Writes files of a site, or reuses earlier ones. */
export type FileWriter<Facts> = Pick<FileCache<Facts>, 'put'>

/**
 * A cache of a site's files by the digest of their inputs: unchanged files are reused from the earlier site of the same
 * program.
 */
export class FileCache<Facts> {
  readonly #output: Pick<Output, 'folder' | 'earlier' | 'cache'>
  readonly #name: string
  readonly #earlier: Digests<Facts>
  readonly #now: Record<string, Digests<Facts>[string]> = {}

  private constructor(
    output: Pick<Output, 'folder' | 'earlier' | 'cache'>,
    name: string,
    earlier: Digests<Facts>,
  ) {
    this.#output = output
    this.#name = name
    this.#earlier = earlier
  }

  /** @param name of the stored record of these files */
  static async open<Facts>(
    output: Pick<Output, 'folder' | 'earlier' | 'cache'>,
    name: string,
  ): Promise<FileCache<Facts>> {
    const { from } = output.cache
    const bytes = from === undefined ? undefined : await readSealed(join(from, name), await digestProgram())
    const earlier = bytes === undefined ? {} : (JSON.parse(bytes.toString('utf8')) as Digests<Facts>)
    return new FileCache(output, name, earlier)
  }

  /**
   * Writes files that belong together, or reuses the earlier ones.
   *
   * @param paths below the site's folder, with `/`; in the order of the texts
   * @param inputs all inputs of the files, except the program
   */
  async put(
    paths: readonly [string, ...string[]],
    inputs: string,
    make: () => FileContents<Facts>,
  ): Promise<Facts> {
    const [name] = paths
    const digest = hash('sha256', inputs, 'base64url')
    const [known, facts] = this.#earlier[name] ?? []
    if (known === digest && facts !== undefined && (await this.#isReused(paths))) {
      this.#now[name] = [digest, facts]
      return facts
    }
    const made = make()
    await writeTexts(this.#output.folder, paths, made.texts)
    this.#now[name] = [digest, made.facts]
    return made.facts
  }

  async #isReused(paths: readonly string[]): Promise<boolean> {
    const { folder, earlier } = this.#output
    try {
      for (const path of paths) await linkOrCopy(join(earlier, path), join(folder, path))
      return true
    } catch {
      // A hard link to a file of the earlier site must not be written to.
      for (const path of paths) await rm(join(folder, path), { force: true })
      return false
    }
  }

  /** Writes the digests for the next build. */
  async write(): Promise<void> {
    const path = join(this.#output.cache.to, this.#name)
    await writeSealed(path, await digestProgram(), [Buffer.from(JSON.stringify(this.#now))])
  }
}

/** Writes all of them. */
export const uncached = <Facts>(folder: string): FileWriter<Facts> => ({
  async put(paths, _inputs, make) {
    const { texts, facts } = make()
    await writeTexts(folder, paths, texts)
    return facts
  },
})

async function writeTexts(folder: string, paths: readonly string[], texts: readonly string[]): Promise<void> {
  for (const [place, path] of paths.entries())
    await writeFile(join(folder, path), texts[place] ?? '', { flag: 'wx' })
}
