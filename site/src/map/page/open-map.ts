import type { FountainMap } from '../engine/fountain-map.ts'
import type { FountainMapOptions } from '../engine/map-events.ts'
import { RangeSource } from '../engine/range-source.ts'
import { afterFirstPaint } from './loading.ts'
import type { Toast } from '../../ui/toast.tsx'

/**
 * Loads the map after the page's first paint; undefined where the browser has no WebGL, which the toast says.
 *
 * @throws the errors of loading, after the toast has shown them
 */
export async function openMap({
  toast,
  ...options
}: Omit<FountainMapOptions, 'tiles'> & { readonly toast: Toast }): Promise<FountainMap | undefined> {
  const { base, tiles, version } = options.config
  const source =
    tiles && navigator.onLine
      ? new RangeSource(`${base}data/waypoints.pmtiles?v=${encodeURIComponent(version)}`)
      : undefined
  await afterFirstPaint()
  try {
    const { FountainMap: Engine } = await import('../engine/fountain-map.ts')
    return await Engine.open({ ...options, tiles: source })
  } catch (error) {
    toast.show(options.words.text(canDraw() ? 'map.failed' : 'map.noWebgl'), 0)
    if (canDraw()) throw error
    return undefined
  }
}

function canDraw(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}
