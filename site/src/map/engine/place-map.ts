import { Map as MapLibreMap, setWorkerUrl } from '#engine'
import { PMTiles, ResolvedValueCache } from 'pmtiles'
import type { MapConfig } from '../data/config.ts'
import { boundsOfAll, type Position } from '../page/position.ts'
import { onColourChange, readColours } from './colours.ts'
import { baseLayers } from './layers.ts'
import { styleNow } from './overlay.ts'
import { serveTiles } from './protocols.ts'
import { landSource, streetFiles } from './range-source.ts'
import { openStreets } from './streets.ts'
import { corners } from './view.ts'
import { workerUrl } from './worker.ts'

export type BaseMap = Pick<MapConfig, 'land' | 'style' | 'streets'>

/** Where a spot is, in pixels of CSS from the corner of the map. */
export interface Pixel {
  readonly x: number
  readonly y: number
}

/** The one map of the page, which moves from place to place. */
let opened: Promise<MapLibreMap> | undefined

/** @throws when this browser cannot draw it */
async function open({ land, style, streets }: BaseMap): Promise<MapLibreMap> {
  setWorkerUrl(workerUrl)
  if (land !== undefined) serveTiles(new PMTiles(landSource(land), new ResolvedValueCache()), 'base')
  const drawn = streets && openStreets(streetFiles(streets)).catch(() => undefined)
  const container = document.createElement('div')
  container.className = 'place-map'
  const map = new MapLibreMap({
    container,
    style: styleNow({ style }),
    interactive: false,
    attributionControl: false,
    fadeDuration: 0,
    maxZoom: 19,
    pixelRatio: Math.min(2, devicePixelRatio),
  })
  await map.once('style.load')
  void drawn?.then((draw) => draw?.(map))
  onColourChange(() => {
    if (style) map.setStyle(styleNow({ style }))
    else
      for (const { id, paint = {} } of baseLayers(readColours()))
        for (const [property, value] of Object.entries(paint))
          map.setPaintProperty(id, property as 'fill-color', value as string)
  })
  return map
}

/** Shows positions, at most at street level; `placed` gets their pixels. @returns ends it @throws when this browser cannot draw a map */
export async function showPlaces(
  room: Element,
  base: BaseMap,
  positions: readonly Position[],
  placed: (pixels: readonly Pixel[]) => void,
): Promise<() => void> {
  opened ??= open(base)
  const map = await opened
  const bounds = boundsOfAll(positions)
  if (!room.isConnected || !bounds) return () => {}
  room.prepend(map.getContainer())
  map.resize()
  map.fitBounds(corners(bounds), { padding: 36, maxZoom: 16.5, animate: false })
  const place = (): void =>
    placed(positions.map(({ latitude, longitude }) => map.project([longitude, latitude])))
  place()
  map.on('resize', place)
  return () => void map.off('resize', place)
}
