import { randomBytes } from 'node:crypto'
import { erasuresOf, eraseAgain } from './erasing-again.ts'
import { listed, listText, type ErasedAgain } from './erasures.ts'
import { knownOptions } from './schemas/parse.ts'
import type { Shared } from './shared.ts'

/** How a registry that was restored continues the one that was there. */
export interface RepetitionOptions {
  /**
   * `renew` when entries may be lost, as after an older backup was restored: readers and mirrors notice by another origin.
   * `keep` when nothing is lost, or the origin was renewed already.
   */
  readonly origin: 'renew' | 'keep'
}

/** The result of repeating a list of erasures. */
export interface RepeatedErasures extends ErasedAgain {
  readonly originRenewed: boolean
  /** Where the texts still are, but go by themselves; absent when they are nowhere. */
  readonly leftovers?: readonly { readonly place: string; readonly remedy: string }[]
}

/** Lists of erasures, for erasing again in a restored older backup. They contain none of the erased text. */
export class Erasures {
  readonly #shared: Shared

  /** @internal Created by the registry. */
  constructor(shared: Shared) {
    this.#shared = shared
  }

  /**
   * All erasures up to now, as text: one line an erasure, with the entry's id, the field and a hash that reveals
   * nothing; people who have left, and reports, by hashes of their ids. Store it apart from the database.
   *
   * @param earlier lists to extend, such as the replaced one
   * @throws RegistryError INVALID_INPUT for another text
   */
  async list(earlier = ''): Promise<string> {
    const { store, erasures } = this.#shared
    const known = await erasuresOf(store.read)
    return listText([...listed(earlier), ...(erasures?.read() ?? []), ...known])
  }

  /**
   * Repeats erasures in a registry that was restored from an older backup: texts erased and people who left since the
   * backup. Entries of another history with the same ids are left alone.
   *
   * @param text a list, as `list` returns it, or the file beside a SQLite database
   * @throws RegistryError INVALID_INPUT for another text, STORAGE_NOT_ERASED `{ leftovers }` when copies of the texts
   * remain: repeat it then
   */
  async repeat(text: string, options: RepetitionOptions): Promise<RepeatedErasures> {
    const { origin } = knownOptions(options, ['origin'])
    const { store, erasures: list, report } = this.#shared
    const erasures = listed(text)
    await list?.addAll(erasures)
    const originRenewed = origin === 'renew'
    // First, so that the entries that follow are not mistaken for lost ones.
    if (originRenewed) await store.renewOrigin(randomBytes(16).toString('hex'))
    const { leftovers, ...again } = await eraseAgain(store, erasures)
    const { id: head } = await store.read.entries.head()
    if (originRenewed) report('registry.restored', { head })
    const passing = leftovers.map(({ place, remedy }) => ({ place, remedy }))
    return { ...again, originRenewed, ...(passing.length > 0 && { leftovers: passing }) }
  }
}
