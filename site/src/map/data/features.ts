import type { Feature, FeatureCollection, Point } from 'geojson'
import type { MapGeoJSONFeature } from 'maplibre-gl'
import type { PlaceEntry } from '../build/places.ts'
import type { CellPoint, Fountain } from './cell.ts'
import { isInside } from '@openfountain/core/geodesy'
import { kindOf } from '@openfountain/core/vocabulary'
import { nameIn } from '../../naming.ts'
import type { Position } from '../page/position.ts'

/** Points of the map in MapLibre's format. */
export type Points = FeatureCollection<Point>

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

/** Names of regions in a language, for labels; `isPart` of one inside a larger one. */
export function placeFeatures(places: readonly PlaceEntry[], language: string): Points {
  return {
    type: 'FeatureCollection',
    features: places.map(([name, count, latitude, longitude, , , , , country, names], at) => {
      const isPart = places
        .slice(0, at)
        .some(
          ([, , , , west, south, east, north, around]) =>
            around === country && isInside([west, south, east, north], { latitude, longitude }),
        )
      return point({ latitude, longitude }, { name: nameIn({ name, names }, language), count, isPart })
    }),
  }
}

/** A single mark, or none. */
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

/** A text property of a feature; undefined without one. */
export function textOf(
  { properties }: Pick<MapGeoJSONFeature, 'properties'>,
  name: string,
): string | undefined {
  const value: unknown = properties[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
