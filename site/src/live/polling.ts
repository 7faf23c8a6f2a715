import { Busy } from './asking.ts'

/** The result of a request: whether there is news and the shortest interval, or the time to wait. */
export type Outcome =
  | { readonly hasNews: boolean; readonly leastSeconds?: number }
  | { readonly retryAfterSeconds: number }

export interface PollingOptions {
  /** Sends one request. An error is a failure: the next try is later. */
  ask(signal: AbortSignal): Promise<Outcome>
  /** The shortest time between two requests. Default 1. */
  readonly leastSeconds?: number
}

const requestTimeoutMilliseconds = 20_000

/** Each minute without news and without the visitor adds a second to the interval. */
const slowdown = 60
const mostSeconds = 30
const mostSecondsAfterFailures = 300
const leastSecondsSavingData = 60

/** Random jitter for pages that were opened at the same time. */
const spread = 0.1

/** How long to wait for the next request. */
export function pause({
  idleSeconds,
  failures,
  leastSeconds,
}: {
  /** Since the last news or the visitor's last action. */
  readonly idleSeconds: number
  /** In a row. */
  readonly failures: number
  readonly leastSeconds: number
}): number {
  if (failures > 0) return Math.max(leastSeconds, Math.min(mostSecondsAfterFailures, 2 ** failures))
  return Math.max(leastSeconds, Math.min(mostSeconds, idleSeconds / slowdown))
}

/**
 * Polls while the page is visible and there is a network: every second while there is news, up to every 30 seconds
 * without, with growing pauses after failures, and every minute when the visitor saves data.
 */
export function poll({ ask, leastSeconds = 1 }: PollingOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined
  let failures = 0
  let allowedSeconds = 0
  let activeAt = performance.now()

  const mayAsk = () => document.visibilityState === 'visible' && navigator.onLine
  const wait = (seconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), seconds * 1000 * (1 + Math.random() * spread))
  }
  const next = (): void => {
    const least = Math.max(leastSeconds, allowedSeconds, savesData() ? leastSecondsSavingData : 0)
    wait(pause({ idleSeconds: (performance.now() - activeAt) / 1000, failures, leastSeconds: least }))
  }
  const run = async (): Promise<void> => {
    if (asking || !mayAsk()) return
    asking = new AbortController()
    const { signal } = asking
    const timeout = setTimeout(() => asking?.abort(), requestTimeoutMilliseconds)
    try {
      const outcome = await ask(signal)
      failures = 0
      if ('retryAfterSeconds' in outcome) return wait(outcome.retryAfterSeconds)
      if (outcome.hasNews) activeAt = performance.now()
      allowedSeconds = outcome.leastSeconds ?? 0
      next()
    } catch (error) {
      if (error instanceof Busy) return wait(error.retryAfterSeconds)
      failures += 1
      next()
    } finally {
      clearTimeout(timeout)
      asking = undefined
    }
  }
  const resume = (): void => {
    activeAt = performance.now()
    if (!mayAsk()) return clearTimeout(timer)
    if (failures === 0) void run()
    else next()
  }
  document.addEventListener('visibilitychange', resume)
  addEventListener('offline', () => clearTimeout(timer))
  addEventListener('online', () => {
    failures = 0
    resume()
  })
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(
      type,
      () => {
        const wasIdle = performance.now() - activeAt > 2 * slowdown * 1000
        activeAt = performance.now()
        if (wasIdle && failures === 0 && !asking) next()
      },
      { passive: true },
    )
  void run()
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
