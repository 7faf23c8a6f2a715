import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { positionOf, textOf } from '../data/features.ts'
import { wrapLongitude, type Position } from './position.ts'
import { fountainLayerIds } from '../engine/fountain-layers.ts'
import { areaLayerId } from '../engine/layers.ts'

/** The target of a click; without any it was beside all of them. */
export interface Hit {
  readonly cluster?: { readonly at: Position; readonly source: string; readonly id: unknown }
  readonly fountain?: FountainPick
  readonly area?: AreaPick
  /** The place, where there is no fountain. */
  readonly at?: Position
}

export interface FountainPick extends Position {
  readonly id: number
  readonly name?: string | undefined
}

export interface AreaPick {
  readonly name: string
  readonly description: string
}

/** Touch tolerance: the nearest dot within this many pixels is selected. */
const reachPixels = 8

/** The target of a click on the map: the nearest fountain or cluster, else the area there. */
export function hitOf(map: MapLibreMap, { point, lngLat }: MapMouseEvent): Hit {
  const pixels = ({ latitude, longitude }: Position): number => {
    const { x, y } = map.project([longitude, latitude])
    return Math.hypot(x - point.x, y - point.y)
  }
  const [nearest] = map
    .queryRenderedFeatures(
      [
        [point.x - reachPixels, point.y - reachPixels],
        [point.x + reachPixels, point.y + reachPixels],
      ],
      { layers: fountainLayerIds.filter((id) => map.getLayer(id)) },
    )
    .map((feature) => ({ feature, at: positionOf(feature) }))
    .toSorted((a, b) => pixels(a.at) - pixels(b.at))
  if (nearest) {
    const { feature, at } = nearest
    const { cluster, cluster_id: clusterId, id } = feature.properties
    if (cluster === true) return { cluster: { at, source: feature.source, id: clusterId } }
    return { fountain: { id: Number(id), ...at, name: textOf(feature, 'name') } }
  }
  const [area] = map.queryRenderedFeatures(map.project(lngLat), { layers: [areaLayerId] })
  const at = { latitude: lngLat.lat, longitude: wrapLongitude(lngLat.lng) }
  if (!area) return { at }
  return { at, area: { name: textOf(area, 'name') ?? '', description: textOf(area, 'description') ?? '' } }
}
