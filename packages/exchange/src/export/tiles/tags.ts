import { isMadeName } from '@openfountain/core/names'
import { kindOf } from '@openfountain/core/vocabulary'
import type { WaypointRecord } from '../snapshot.ts'
import type { Tags } from './vector-tile.ts'

/** The tags of a waypoint. A name that was made for it is none, and neither is a state that nobody knows. */
export function tagsOf(record: WaypointRecord): Tags & { readonly id: number } {
  const { id, name, verified, approved, state, drinkable, amenities, region, rating } = record
  const kind = kindOf(amenities)
  return {
    id,
    ...(!isMadeName(name) && { name }),
    verified,
    approved,
    ...(state !== 'unconfirmed' && { state }),
    ...(drinkable !== undefined && { drinkable }),
    ...(kind !== undefined && { kind }),
    ...(amenities.length > 0 && { amenities: amenities.join(';') }),
    ...(region !== undefined && { region }),
    ...(rating !== undefined && { rating }),
  }
}
