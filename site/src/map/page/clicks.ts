import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl'
import { positionOf, textOf } from '../data/features.ts'
import type { AreaPick, FountainPick } from '../engine/map-events.ts'
import type { Position } from './position.ts'
import { fountainLayerIds } from '../engine/fountain-layers.ts'
import { areaLayerId } from '../engine/layers.ts'

/** The target of a click. */
export type Hit =
  | { readonly kind: 'cluster'; readonly at: Position; readonly source: string; readonly clusterId: unknown }
  | { readonly kind: 'fountain'; readonly fountain: FountainPick }
  | { readonly kind: 'area'; readonly area: AreaPick }
  | { readonly kind: 'nothing' }

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
    if (cluster === true) return { kind: 'cluster', at, source: feature.source, clusterId }
    const name = textOf(feature, 'name')
    return { kind: 'fountain', fountain: { id: Number(id), ...at, name } }
  }
  const [area] = map.queryRenderedFeatures(map.project(lngLat), { layers: [areaLayerId] })
  if (!area) return { kind: 'nothing' }
  return {
    kind: 'area',
    area: { name: textOf(area, 'name') ?? '', description: textOf(area, 'description') ?? '' },
  }
}
