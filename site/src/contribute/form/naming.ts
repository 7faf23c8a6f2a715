import { vocabulary } from '@openfountain/core/vocabulary'
import type { Position } from '../../map/page/position.ts'
import { positionText } from '../place/coordinates.ts'

/** The parts of a generated name. */
export interface NameParts {
  readonly amenities: readonly string[]
  readonly region?: string | undefined
  readonly position: Position
}

/** Words of the reader's language for it. */
export interface NameWords {
  /** The label of a fountain of unknown kind. */
  readonly fountain: string
  amenity(key: string): string
}

/**
 * A generated name for an unnamed fountain: its kind, and its region or its position.
 *
 * @example
 * const position = { latitude: 55.7, longitude: 13.2 }
 * const words = { fountain: 'Fountain', amenity: () => 'Tap' }
 * madeName({ amenities: ['tap'], region: 'Lund', position }, words) // 'Tap, Lund'
 */
export function madeName({ amenities, region, position }: NameParts, words: NameWords): string {
  const kind = Object.entries(vocabulary).find(
    ([key, { role }]) => role === 'kind' && amenities.includes(key),
  )
  const where = region?.trim()
  return `${kind ? words.amenity(kind[0]) : words.fountain}, ${where ? where : positionText(position)}`
}
