import type { PseudonymOf } from './decide/observation.ts'
import { keyedHashes } from './secrets.ts'
import type { Store } from './store/port.ts'

/** Keyed hashes of people, networks and ways to sign in, for one purpose, by the key of a registry. @internal */
export async function hashesFor(
  purpose: string,
  { read }: Pick<Store, 'read'>,
): Promise<(text: string) => string> {
  return keyedHashes(await read.state.placeKey(), purpose)
}

/** Pseudonyms for one waypoint each: readers of the log can count people there, but not follow them elsewhere. @internal */
export async function pseudonyms(store: Pick<Store, 'read'>): Promise<PseudonymOf> {
  const hashOf = await hashesFor('observer', store)
  return (userId, bubblerId) => hashOf(`${bubblerId} ${userId}`).slice(0, 32)
}
