import { plain, text, type PageTemplate } from '@openfountain/core/internal'
import { kindOf } from '@openfountain/core/vocabulary'
import type { Tags } from './vector-tile.ts'

/** JSON of a waypoint, which its tags in tiles follow from. */
export const tagsRecord: PageTemplate['record'] = [
  '{"id":',
  plain('id'),
  ',"made":',
  plain('nameIsGenerated'),
  text('name'),
  ',"verified":',
  plain('verified'),
  ',"approved":',
  plain('approved'),
  text('state'),
  text('drinkable'),
  { ofAmenities },
  text('region'),
  { field: 'rating', form: 'as it is', before: ',"rating":' },
  '}',
]

function ofAmenities(amenities: readonly string[]): string {
  const kind = kindOf(amenities)
  const own = kind === undefined ? '' : `,"kind":${JSON.stringify(kind)}`
  return amenities.length === 0 ? '' : `${own},"amenities":${JSON.stringify(amenities.join(';'))}`
}

/** What `tagsRecord` is parsed to. */
interface TagsRecord {
  readonly id: number
  readonly made: boolean
  readonly name: string
  readonly verified: boolean
  readonly approved: boolean
  readonly state: string
  readonly drinkable?: string
  readonly kind?: string
  readonly amenities?: string
  readonly region?: string
  readonly rating?: number
}

/** The tags of a waypoint. A name that was made for it is none, and neither is a state that nobody knows. */
export function tagsIn(json: Buffer): Tags & { readonly id: number } {
  const record: TagsRecord = JSON.parse(json.toString())
  const { id, made, name, verified, approved, state, drinkable, kind, amenities, region, rating } = record
  return {
    id,
    ...(!made && { name }),
    verified,
    approved,
    ...(state !== 'unconfirmed' && { state }),
    ...(drinkable !== undefined && { drinkable }),
    ...(kind !== undefined && { kind }),
    ...(amenities !== undefined && { amenities }),
    ...(region !== undefined && { region }),
    ...(rating !== undefined && { rating }),
  }
}
