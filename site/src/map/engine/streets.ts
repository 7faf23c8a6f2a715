import type { LayerSpecification, Map as MapLibreMap, VectorSourceSpecification } from 'maplibre-gl'
import { isDark, onColourChange } from './colours.ts'
import { pauses } from '../page/loading.ts'
import { openTiles, serveTiles } from './protocols.ts'
import type { StreetFiles } from './range-source.ts'
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

type DrawStreets = (map: MapLibreMap) => Promise<void>
/** Reads the inputs of the street layers while the map is loading. @returns undefined when they are unavailable now */
export async function openStreets({ archive, style }: StreetFiles): Promise<DrawStreets | undefined> {
  const [opened, response] = await Promise.all([openTiles(archive), style])
  if (!opened || response?.ok !== true) return undefined
  const { source, isWhole, ...themes } = (await response.json()) as StreetStyle
  const layers = () => (isDark() ? themes.dark : themes.light)
  serveTiles(opened, 'streets')
  return async (map) => {
    const pause = pauses()
    map.addSource('streets', { type: 'vector', tiles: ['streets://{z}/{x}/{y}'], ...source })
    for (const layer of layers()) {
      await pause()
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
