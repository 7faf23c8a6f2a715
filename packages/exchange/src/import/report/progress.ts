/** The progress of an import, reported ten times a second at most. */
export interface ImportProgress {
  /** `inspecting` reads the file to its end without importing, `importing` writes (or with a dry run decides). */
  readonly phase: 'inspecting' | 'importing'
  readonly rows: number
  /** Rows in all; known from the second phase on. */
  readonly total?: number
  /** Seconds since the phase began. */
  readonly seconds: number
}

/** Milliseconds between two reports. */
const pause = 100

/** Returns a function that reports rows, not more often than `pause` allows, and always the last one. */
export function throttled(
  phase: ImportProgress['phase'],
  onProgress: ((progress: ImportProgress) => void) | undefined,
  total?: number,
): (rows: number) => void {
  const began = performance.now()
  let last = began - pause
  return (rows) => {
    const now = performance.now()
    if (onProgress === undefined || (now - last < pause && rows !== total)) return
    last = now
    onProgress({ phase, rows, total, seconds: (now - began) / 1000 })
  }
}
