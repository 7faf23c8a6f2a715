/** Resolves after the event loop has run its waiting work: timers, I/O and other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
