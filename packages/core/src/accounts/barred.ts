import { barredKeysBy } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** What stands for ways to sign in of those who left while they were blocked. */
export async function barredKeys({ read }: Store): Promise<(way: string) => string> {
  return barredKeysBy(await read.state.placeKey())
}
