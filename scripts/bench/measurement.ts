/** Repeated measurements. Only ratios within one run mean anything. */

/** The median of several measurements, with the quartiles. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The interpolated quantile of sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) }
}

/** Wall-clock milliseconds of an operation. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export interface Compared {
  readonly subject: Spread
  readonly yardstick: Spread
  /** Subject ÷ yardstick, pair by pair. */
  readonly ratio: Spread
}

/** The comparison of measured pairs. */
export function comparison(pairs: readonly { readonly a: number; readonly b: number }[]): Compared {
  return {
    subject: spreadOf(pairs.map(({ a }) => a)),
    yardstick: spreadOf(pairs.map(({ b }) => b)),
    ratio: spreadOf(pairs.map(({ a, b }) => a / b)),
  }
}

/** Measures A B A B …, so that other load of the machine affects both. The first pair is a warm-up and is left out. */
export async function alternate(
  subject: (round: number) => number | Promise<number>,
  yardstick: (round: number) => number | Promise<number>,
  rounds: number,
): Promise<Compared> {
  const pairs: { a: number; b: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const a = await subject(round)
    const b = await yardstick(round)
    if (round > 0) pairs.push({ a, b })
  }
  return comparison(pairs)
}
