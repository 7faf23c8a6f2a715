/** A rate limit: a number of uses at once, refilled evenly over a window of time. */
export interface Allowance {
  readonly times: number
  readonly windowSeconds: number
}

/** The rest of an allowance, with fractions, at a time in milliseconds. */
export interface Left {
  readonly left: number
  readonly at: number
}

export interface Taken {
  readonly isAllowed: boolean
  /** The rest, with fractions. */
  readonly left: number
  readonly retryAfterSeconds: number
  /** Seconds until all of it is left. */
  readonly resetSeconds: number
}

/** Takes one from an allowance at a time in milliseconds; where nothing was left before, all of it is. */
export function takeFrom({ times, windowSeconds }: Allowance, before: Left | undefined, now: number): Taken {
  const secondsFor = (missing: number): number => Math.ceil((missing * windowSeconds) / times)
  const refilled = before && before.left + (Math.max(0, now - before.at) * times) / (windowSeconds * 1000)
  const found = Math.min(times, refilled ?? times)
  const isAllowed = found >= 1
  const left = isAllowed ? found - 1 : found
  return {
    isAllowed,
    left,
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsFor(1 - found)),
    resetSeconds: secondsFor(times - left),
  }
}
