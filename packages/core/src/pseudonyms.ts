import { createHmac } from 'node:crypto'
import type { PseudonymOf } from './decide/observation.ts'
import type { Store } from './store/port.ts'

/**
 * Pseudonyms of people in the log: each holds for one waypoint, so that whoever reads the log can count people there, and
 * follow nobody from one to another.
 */
export async function pseudonyms({ read }: Pick<Store, 'read'>): Promise<PseudonymOf> {
  const key = await read.state.placeKey()
  return (userId, bubblerId) =>
    createHmac('sha256', key).update(`observer ${bubblerId} ${userId}`).digest('hex').slice(0, 32)
}
