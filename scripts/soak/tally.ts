/** Counts of responses by kind, and of errors. */
export class Tally {
  readonly #counts = new Map<string, number>()
  readonly problems: string[] = []
  #problemCount = 0

  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** Counts a problem, and stores the first hundred. */
  problem(text: string): void {
    this.#problemCount++
    if (this.problems.length < 100) this.problems.push(text)
  }

  get failed(): number {
    return this.#problemCount
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, each) => sum + each, 0)
  }

  /** One line for each kind, most frequent first. */
  lines(): string[] {
    return [...this.#counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, count]) => `  ${String(count).padStart(8)}  ${kind}`)
  }
}
