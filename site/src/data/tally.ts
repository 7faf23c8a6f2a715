import type { Bounds, Dot } from './region.ts'

/** Counts of waypoints, with the box around them, and some of them as dots. */
export class Tally {
  waypoints = 0
  verified = 0
  bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  readonly #mostDots: number
  #dots: Dot[] = []
  /** Every n-th waypoint is a dot; n doubles as needed. */
  #step = 1
  #seen = 0

  constructor(mostDots: number) {
    this.#mostDots = mostDots
  }

  get dots(): readonly Dot[] {
    return this.#dots
  }

  add({ longitude, latitude, verified }: { longitude: number; latitude: number; verified: boolean }): void {
    this.#count(1, verified ? 1 : 0, [longitude, latitude, longitude, latitude])
    this.#draw([longitude, latitude, verified])
  }

  /** Adds the waypoints of another tally. */
  include({ waypoints, verified, bounds, dots }: Tally): void {
    this.#count(waypoints, verified, bounds)
    for (const dot of dots) this.#draw(dot)
  }

  #count(waypoints: number, verified: number, [west, south, east, north]: Bounds): void {
    this.waypoints += waypoints
    this.verified += verified
    this.bounds = [
      Math.min(this.bounds[0], west),
      Math.min(this.bounds[1], south),
      Math.max(this.bounds[2], east),
      Math.max(this.bounds[3], north),
    ]
  }

  #draw(dot: Dot): void {
    if (this.#seen % this.#step === 0) this.#dots.push(dot)
    this.#seen += 1
    if (this.#dots.length <= this.#mostDots) return
    this.#dots = this.#dots.filter((_, index) => index % 2 === 0)
    this.#step *= 2
  }
}
