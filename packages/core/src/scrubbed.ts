import { lossOf } from './erasures.ts'
import { RegistryError } from './errors.ts'
import type { Shared } from './shared.ts'

/** Places where removed text remains until it disappears by itself. */
export type Passing = readonly { readonly place: string; readonly remedy: string }[]

/**
 * Lists erasures, and removes every trace of the erased texts from the database. @throws RegistryError
 * STORAGE_NOT_ERASED
 *
 * @internal
 */
export async function scrubbed({ store, erasures }: Shared): Promise<Passing> {
  const losses = await store.read.entries.losses()
  await erasures?.addAll(losses.map(lossOf))
  const leftovers = await store.scrub()
  if (leftovers.some(({ isPassing }) => isPassing !== true)) {
    const places = leftovers.map(({ place, remedy }) => `${place}: ${remedy}`)
    const message = `The text is removed from the registry, but is still held by ${places.join('; ')}`
    throw new RegistryError('STORAGE_NOT_ERASED', message, { leftovers: [...leftovers] })
  }
  return leftovers.map(({ place, remedy }) => ({ place, remedy }))
}
