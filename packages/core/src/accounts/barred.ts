import { barredKeysBy } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** Keys of the ways to sign in of people who left while they were blocked. */
export async function barredKeys({ read }: Store): Promise<(way: string) => string> {
  return barredKeysBy(await read.state.placeKey())
}
