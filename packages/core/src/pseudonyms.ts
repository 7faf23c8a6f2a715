import type { PseudonymOf } from './decide/observation.ts'
import { keyedHashes } from './secrets.ts'
import type { Store } from './store/port.ts'

/**
 * Pseudonyms of people in the log: each holds for one waypoint, so that whoever reads the log can count people there, and
 * follow nobody from one to another.
 */
export async function pseudonyms({ read }: Pick<Store, 'read'>): Promise<PseudonymOf> {
  const hashOf = keyedHashes(await read.state.placeKey(), 'observer')
  return (userId, bubblerId) => hashOf(`${bubblerId} ${userId}`).slice(0, 32)
}
