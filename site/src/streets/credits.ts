import { openStreetMap } from '@openfountain/core/internal'
import type { SiteContext } from '../build/context.ts'

/** Whom a map names, and where that leads. */
export interface MapParty {
  readonly name: string
  readonly url: string
}

/** Who made the streets of a site's map, as they want to be named; nobody where there are none, or where the map itself names them. */
export function mapParties({ streets, style }: Pick<SiteContext, 'streets' | 'style'>): readonly MapParty[] {
  if (streets) return [openStreetMap, { name: 'Protomaps', url: 'https://protomaps.com/' }]
  if (!style?.isCredited) return []
  return [
    openStreetMap,
    { name: '© OpenMapTiles', url: 'https://www.openmaptiles.org/' },
    { name: 'OpenFreeMap', url: 'https://openfreemap.org/' },
  ]
}
