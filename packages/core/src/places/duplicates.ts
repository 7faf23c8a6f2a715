import { duplicates } from '../rules.ts'
import type { NearDuplicate } from '../schemas/duplicate.ts'
import type { Waypoint } from '../schemas/waypoint.ts'
import { distanceMetres, type Place } from './geodesy.ts'
import { matchScore } from './match-score.ts'

interface MayBeDuplicate extends Place {
  readonly name?: string | undefined
  readonly amenities?: readonly string[] | null | undefined
}

export function around({ latitude, longitude }: Place, metres: number) {
  return { latitude, longitude, metres, limit: duplicates.compared } as const
}

const tenths = (metres: number): number => Math.round(metres * 10) / 10
const thousandths = (score: number): number => Math.round(score * 1000) / 1000

/** Compares waypoints around a place with a possible duplicate: the likeliest first, then the nearest, then by id. */
export function nearDuplicates(given: MayBeDuplicate, waypoints: readonly Waypoint[]): NearDuplicate[] {
  const { name = '', amenities } = given
  return waypoints
    .map((waypoint) => {
      const metres = distanceMetres(given, waypoint)
      const score = matchScore({ name, amenities: amenities ?? [] }, waypoint, metres)
      return { waypoint, metres: tenths(metres), score: thousandths(score) }
    })
    .toSorted(
      (one, other) =>
        other.score - one.score || one.metres - other.metres || one.waypoint.id - other.waypoint.id,
    )
}
