import { onTestFinished } from 'vitest'

/** Closes a resource after the current test, in reverse order of registration. */
export function afterwards(close: () => unknown): void {
  onTestFinished(async () => {
    await close()
  })
}
