import { onTestFinished } from 'vitest'

/** Has something ended after the test that runs, before what was begun earlier. */
export function afterwards(close: () => unknown): void {
  onTestFinished(async () => {
    await close()
  })
}
