import { Busy } from './asking.ts'

/** Seconds between two requests of a map or a desk that is in use. */
const oftenSeconds = 10
/** The same on other pages, after a failure, where the visitor saves data, and where nobody touches the page. */
const seldomSeconds = 60
const idleSeconds = 600

export function pause(of: {
  /** Whether the page is a map or a desk. */
  readonly isOften: boolean
  readonly idleSeconds: number
  readonly hasFailed: boolean
}): number {
  return of.isOften && of.idleSeconds < idleSeconds && !of.hasFailed ? oftenSeconds : seldomSeconds
}

/** Polls while the page is visible and there is a network: at once, when both come back, after own acts, and at intervals. */
export function poll(ask: (signal: AbortSignal) => Promise<void>, isOften = false): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = new AbortController()
  let isAsking = false
  let isWanted = false
  let hasFailed = false
  let busyUntil = 0
  let activeAt = performance.now()

  const wait = (seconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), seconds * 1000)
  }
  const idle = () => (performance.now() - activeAt) / 1000
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    isWanted = isAsking
    if (isAsking || document.visibilityState !== 'visible' || !navigator.onLine) return
    if (performance.now() < busyUntil) return wait((busyUntil - performance.now()) / 1000)
    isAsking = true
    stop = new AbortController()
    try {
      await ask(stop.signal)
      hasFailed = false
    } catch (error) {
      hasFailed = true
      if (error instanceof Busy) busyUntil = performance.now() + error.retryAfterSeconds * 1000
    }
    isAsking = false
    wait(isWanted ? 0 : pause({ isOften: isOften && !savesData(), idleSeconds: idle(), hasFailed }))
  }
  const resume = (): void => {
    if (document.visibilityState === 'hidden') stop.abort()
    activeAt = performance.now()
    void run()
  }
  for (const type of ['visibilitychange', 'openfountain:sent']) document.addEventListener(type, resume)
  addEventListener('online', resume)
  const touch = (): void => {
    if (idle() > idleSeconds) void run()
    activeAt = performance.now()
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, touch, { passive: true })
  void run()
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
