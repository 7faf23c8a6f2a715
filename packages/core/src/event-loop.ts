/** Resolves after the event loop has run what waits for it: timers, I/O and other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
