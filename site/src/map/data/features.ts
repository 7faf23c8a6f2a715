import type { Feature, FeatureCollection, Point } from 'geojson'
import type { MapGeoJSONFeature } from 'maplibre-gl'
import type { PlaceEntry } from '../build/places.ts'
import type { CellPoint, Fountain } from './cell.ts'
import { isInside } from '@openfountain/core/geodesy'
import { kindOf } from '@openfountain/core/vocabulary'
import { nameIn } from '../../naming.ts'
import type { Position } from '../page/position.ts'

export type Points = FeatureCollection<Point>

export interface Disc {
  readonly at: Position
  readonly fountains: number
  readonly unusable: number
}

export const noPoints: Points = { type: 'FeatureCollection', features: [] }

function point({ latitude, longitude }: Position, properties: Feature['properties'] = {}): Feature<Point> {
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties }
}

/** Fountains with the properties that layers and clicks need; own names are included where they are known. */
export function fountainFeatures(points: readonly (CellPoint | Fountain)[]): Points {
  return {
    type: 'FeatureCollection',
    features: points.map((fountain) =>
      point(fountain, {
        id: fountain.id,
        verified: fountain.verified,
        kind: kindOf(fountain.amenities) ?? 'water',
        state: fountain.state,
        access: fountain.access,
        drinkable: fountain.drinkable,
        ...('name' in fountain && fountain.name !== '' && { name: fountain.name }),
        at: `${fountain.latitude},${fountain.longitude}`,
      }),
    ),
  }
}

/** Cells whose fountains are not read: each a disc with its number, in the middle. */
export function discFeatures(discs: readonly Disc[]): Points['features'] {
  return discs
    .filter(({ fountains }) => fountains > 0)
    .map(({ at, fountains }) => point(at, { cluster: true, fountains }))
}

/** A suburb is this near to its city, in degrees, and has at most a fifth of its fountains. */
const suburb = 0.2

/** Names of regions in a language, for labels; `isPart` of one inside a larger one, and of its suburbs. */
export function placeFeatures(places: readonly PlaceEntry[], language: string): Points {
  return {
    type: 'FeatureCollection',
    features: places.map(([name, count, latitude, longitude, , , , , country, names], at) => {
      const isPart = places.slice(0, at).some(([, larger, , , west, south, east, north, around]) => {
        const beside = count * 5 <= larger ? suburb : 0
        const bounds = [west - beside, south - beside, east + beside, north + beside] as const
        return around === country && isInside(bounds, { latitude, longitude })
      })
      return point({ latitude, longitude }, { name: nameIn({ name, names }, language), count, isPart })
    }),
  }
}

export function markFeatures(position: Position | undefined): Points {
  return position ? { type: 'FeatureCollection', features: [point(position)] } : noPoints
}

/** The position of a feature; the exact one where the feature has it as a property. */
export function positionOf({
  geometry,
  properties,
}: Pick<MapGeoJSONFeature, 'geometry' | 'properties'>): Position {
  const at: unknown = properties['at']
  if (typeof at === 'string') {
    const [latitude = 0, longitude = 0] = at.split(',').map(Number)
    return { latitude, longitude }
  }
  const [longitude = 0, latitude = 0] = geometry.type === 'Point' ? geometry.coordinates : []
  return { latitude, longitude }
}

export function textOf(
  { properties }: Pick<MapGeoJSONFeature, 'properties'>,
  name: string,
): string | undefined {
  const value: unknown = properties[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
