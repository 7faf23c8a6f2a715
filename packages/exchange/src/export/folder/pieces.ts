import { join } from 'node:path'
import { readSealed, writeSealed } from '@openfountain/core/internal'

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
 * come out the same. Each is read by an export of the same program and options alone, and as it was written; what else a piece
 * follows from (records, credits, terms) has to be in its digest.
 */
export class Pieces {
  readonly #options: PiecesOptions

  constructor(options: PiecesOptions) {
    this.#options = options
  }

  /** The path of a file of the earlier export; undefined where there is none. */
  earlierFile(file: string): string | undefined {
    const { earlier, set = '' } = this.#options
    return earlier === undefined ? undefined : join(earlier, set, file)
  }

  /** What `keep` was given by the earlier export; undefined where there is none, it is damaged, or of another program or other options. */
  async earlier(name: string): Promise<Buffer | undefined> {
    const { from, basis } = this.#options
    return from === undefined ? undefined : readSealed(join(from, this.#named(name)), basis)
  }

  /** Keeps bytes under a name, such as that of a file. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    const { to, basis } = this.#options
    await writeSealed(join(to, this.#named(name)), basis, [bytes])
  }

  /** Licences' folders have no two dots in a row. */
  #named(name: string): string {
    const { set } = this.#options
    return set === undefined ? name : `${set}..${name}`
  }
}
