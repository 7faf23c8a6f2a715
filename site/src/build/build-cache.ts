import { createHash, hash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOrCopy } from '@openfountain/core/internal'
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
  readonly texts: readonly (string | Uint8Array)[]
  readonly facts: Facts
}

/**
 * The files that a build of the same program made before, by the digest of their inputs: they are in the earlier site.
 * With the cache or without, the result is the same.
 */
export class BuildCache {
  readonly #folders: CacheFolders
  /** The facts of files by the digest of their inputs. */
  readonly #earlier: ReadonlyMap<string, unknown>
  readonly #now = new Map<string, unknown>()

  constructor(folders: CacheFolders, earlier: ReadonlyMap<string, unknown> = new Map()) {
    this.#folders = folders
    this.#earlier = earlier
  }

  static async open(folders: CacheFolders): Promise<BuildCache> {
    const { from } = folders
    const bytes = from === undefined ? undefined : await readSealed(from)
    return new BuildCache(folders, bytes && new Map(JSON.parse(bytes.toString())))
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
    make: () => FileContents<Facts> | Promise<FileContents<Facts>>,
  ): Promise<Facts> {
    const digest = hash('sha256', `${paths.join('\n')}\n${inputs}`, 'base64url')
    if (this.#earlier.has(digest) && (await this.#isReused(paths))) {
      const facts = this.#earlier.get(digest)
      this.#now.set(digest, facts)
      return facts as Facts
    }
    const { texts, facts } = await make()
    for (const [place, path] of paths.entries())
      await writeFile(join(this.#folders.folder, path), texts[place] ?? '', { flag: 'wx' })
    this.#now.set(digest, facts)
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

  /** Writes the used and the new entries to a new file, for the next build. */
  async write(to: string): Promise<void> {
    const bytes = Buffer.from(JSON.stringify([...this.#now]))
    await writeFile(to, [await sealOf(bytes), bytes], { flag: 'wx' })
  }
}

const sealBytes = 32

/** A digest of bytes and of the program that wrote them. */
const sealOf = async (bytes: Uint8Array): Promise<Buffer> =>
  createHash('sha256')
    .update(`${await digestProgram()}\n`)
    .update(bytes)
    .digest()

/** The bytes behind the seal of a file; undefined for a missing or changed file, or one of another program. */
async function readSealed(file: string): Promise<Buffer | undefined> {
  const found = await readFile(file).catch(() => undefined)
  const bytes = found?.subarray(sealBytes)
  return bytes && found?.subarray(0, sealBytes).equals(await sealOf(bytes)) ? bytes : undefined
}
