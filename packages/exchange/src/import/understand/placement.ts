import { coordinateSystem, possibleSystems, degrees, type CoordinateSystem } from './coordinate-systems.ts'
import type { Position } from '../read/geometry.ts'
import type { RefusedReason } from '../reasons.ts'

/** Where a row is, in degrees of WGS 84, or why that is not known. */
export type Placement = { readonly position: Position } | { readonly reason: RefusedReason }

/** Rows whose numbers contradict the declared coordinate system. */
export interface PlacementCounts {
  /** Rows read as degrees although metres were declared. */
  degreesBelieved: number
  /** Rows read as metres although degrees were declared. */
  metresBelieved: number
  /** Rows refused that would be on Earth with latitude and longitude exchanged. */
  swapWouldHelp: number
}

/** Metres around 0, 0 with only sea: numbers as small as this are degrees, whatever the declared system. */
const nullIsland = 200

/**
 * Turns coordinates into degrees. The declared system holds when the numbers can be of it; else the numbers are
 * believed when they are on Earth in exactly one other system; else the row is refused.
 *
 * @param declared the system that the file, the map or the caller declares; undefined when none does, which
 *   is degrees as RFC 7946 has it
 * @param alternative the system that the file declares when the caller gives another one
 */
export class Placing {
  readonly counts: PlacementCounts = { degreesBelieved: 0, metresBelieved: 0, swapWouldHelp: 0 }
  readonly #system: CoordinateSystem
  readonly #alternative: CoordinateSystem | undefined
  readonly #swap: boolean
  #mercator: CoordinateSystem | undefined

  constructor(
    declared: CoordinateSystem | undefined,
    { alternative, swap }: { readonly alternative: CoordinateSystem | undefined; readonly swap: boolean },
  ) {
    this.#system = declared ?? degrees
    this.#alternative = alternative
    this.#swap = swap
  }

  place([first, second]: Position): Placement {
    const given: Position = this.#swap ? [second, first] : [first, second]
    const [x, y] = given
    if (!Number.isFinite(x) || !Number.isFinite(y)) return { reason: { code: 'NOT_NUMBERS' } }
    if (x === 0 && y === 0) return { reason: { code: 'ZERO' } }
    return this.#system.degrees ? this.#fromDegrees(given) : this.#fromMetres(given)
  }

  #fromDegrees(given: Position): Placement {
    const [x, y] = given
    if (degrees.covers(given)) return { position: given }
    if (Math.abs(x) <= 90 && Math.abs(y) <= 180) {
      this.counts.swapWouldHelp += 1
      return { reason: { code: 'BEYOND_POLE', latitude: y } }
    }
    const other = this.#alternative
    if (other !== undefined && !other.degrees && other.covers(given)) return this.#believeMetres(other, given)
    const possible = possibleSystems(given)
    if (possible.length === 1 && possible[0] === 'EPSG:3857')
      return this.#believeMetres((this.#mercator ??= coordinateSystem('EPSG:3857')), given)
    return { reason: { code: 'NOT_DEGREES', x, y, possible } }
  }

  #believeMetres(system: CoordinateSystem, given: Position): Placement {
    const position = system.toDegrees(given)
    const [x, y] = given
    if (!degrees.covers(position)) return { reason: { code: 'NOT_ON_EARTH', x, y } }
    this.counts.metresBelieved += 1
    return { position }
  }

  #fromMetres(given: Position): Placement {
    const [x, y] = given
    const looksLikeDegrees = Math.abs(x) <= nullIsland && Math.abs(y) <= nullIsland
    if (!looksLikeDegrees && this.#system.covers(given)) {
      const position = this.#system.toDegrees(given)
      if (degrees.covers(position)) return { position }
    }
    if (degrees.covers(given)) {
      this.counts.degreesBelieved += 1
      return { position: given }
    }
    return { reason: { code: 'OUTSIDE_SYSTEM', x, y, crs: this.#system.name } }
  }
}
