import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Edition } from '../edition.ts'

/** Folders beside an export for what makes the next one quicker. Nothing needs them: without, all is made anew and comes out the same. */
export interface KeptFolders {
  /** What the earlier export left, with `to`; absent or empty where there is none. */
  readonly from?: string | undefined
  /** A folder that exists and is empty. */
  readonly to: string
}

export interface PiecesOptions extends KeptFolders {
  /** Another text for other options, rules and programs. */
  readonly basis: string
  /** The folder of the earlier export; default none. */
  readonly earlier?: string | undefined
  /** The folder in the export of the set of one licence; default none. */
  readonly set?: string | undefined
}

/**
 * What formats keep for the next export: places and digests of the pieces of their files, by which the next one takes pieces over that
 * come out the same. Each is read by an export of the same program, options and terms alone.
 */
export class Pieces {
  readonly #basis: Buffer
  readonly #options: PiecesOptions

  /**
   * @param edition whose publisher, licence and sources are a part of what the files follow from
   * @param more what else they follow from, but for records
   */
  constructor(
    options: PiecesOptions,
    { publisher, license, attributions, sources }: Edition,
    more: readonly unknown[],
  ) {
    const terms = sources.map(({ lastImport: _lastImport, waypoints: _waypoints, ...source }) => source)
    const about = [options.basis, publisher, license, attributions, terms, more]
    this.#basis = createHash('sha256').update(JSON.stringify(about)).digest()
    this.#options = options
  }

  /** The path of a file of the earlier export; undefined where there is none. */
  earlierFile(file: string): string | undefined {
    const { earlier, set = '' } = this.#options
    return earlier === undefined ? undefined : join(earlier, set, file)
  }

  /** What `keep` was given by the earlier export; undefined where there is none, or it is of another program, or of other terms. */
  async earlier(name: string): Promise<Buffer | undefined> {
    const { from } = this.#options
    if (from === undefined) return undefined
    const found = await readFile(join(from, this.#named(name))).catch(() => undefined)
    return found?.subarray(0, digestBytes).equals(this.#basis) ? found.subarray(digestBytes) : undefined
  }

  /** Keeps bytes under a name, such as that of a file. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    await writeFile(join(this.#options.to, this.#named(name)), [this.#basis, bytes], { flag: 'wx' })
  }

  /** Licences' folders have no two dots in a row. */
  #named(name: string): string {
    const { set } = this.#options
    return set === undefined ? name : `${set}..${name}`
  }
}

const digestBytes = 32
