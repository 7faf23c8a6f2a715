import type { LayerSpecification, Map as MapLibreMap, VectorSourceSpecification } from 'maplibre-gl'
import type { StreetConfig } from '../data/config.ts'
import { isDark, onColourChange } from './colours.ts'
import { openTiles, serveTiles } from './protocols.ts'
import { RangeSource } from './range-source.ts'
import { districtLayerId, firstTownZoom, lowestLayerId, placeLayerId, townLayerId } from './layers.ts'

/** The file of the street layers, written by the build of the site. */
export interface StreetStyle {
  /** Its licence requires it in copies. */
  readonly notice: string
  readonly source: Required<Pick<VectorSourceSpecification, 'minzoom' | 'maxzoom' | 'bounds'>>
  /** Whether all fountains lie on the street map. */
  readonly isWhole: boolean
  readonly light: readonly LayerSpecification[]
  readonly dark: readonly LayerSpecification[]
}

export type DrawStreets = (map: MapLibreMap) => void

/** Reads the inputs of the street layers while the map is loading. @returns undefined when they are unavailable now */
export async function openStreets({ archive, style }: StreetConfig): Promise<DrawStreets | undefined> {
  const [opened, response] = await Promise.all([openTiles(new RangeSource(archive)), fetch(style)])
  if (!opened || !response.ok) return undefined
  const { source, isWhole, ...themes } = (await response.json()) as StreetStyle
  const layers = () => (isDark() ? themes.dark : themes.light)
  serveTiles(opened, 'streets')
  return (map) => {
    map.addSource('streets', { type: 'vector', tiles: ['streets://{z}/{x}/{y}'], ...source })
    for (const layer of layers()) {
      // Names are over the dots of fountains.
      map.addLayer(layer, map.getLayer(layer.type === 'symbol' ? placeLayerId : lowestLayerId)?.id)
    }
    if (isWhole && map.getLayer(placeLayerId)) {
      // The street map has its own labels of the same places.
      map.setLayerZoomRange(placeLayerId, 3, source.minzoom)
      if (map.getLayer(townLayerId)) map.setLayerZoomRange(townLayerId, firstTownZoom, source.minzoom)
      map.setLayoutProperty(districtLayerId, 'visibility', 'none')
    }
    onColourChange(() => {
      for (const { id, paint } of layers()) {
        for (const [property, value] of Object.entries(paint ?? {})) {
          map.setPaintProperty(id, property as 'fill-color', value as string)
        }
      }
    })
  }
}
