import { openStreetMap } from '@openfountain/core/internal'
import type { SiteContext } from '../build/context.ts'

export interface MapParty {
  readonly name: string
  readonly url: string
}

/** The attribution of a site's street map; empty without streets, or where the map itself names its makers. */
export function mapParties({ streets, style }: Pick<SiteContext, 'streets' | 'style'>): readonly MapParty[] {
  if (streets) return [openStreetMap, { name: 'Protomaps', url: 'https://protomaps.com/' }]
  if (!style?.isCredited) return []
  return [
    openStreetMap,
    { name: '© OpenMapTiles', url: 'https://www.openmaptiles.org/' },
    { name: 'OpenFreeMap', url: 'https://openfreemap.org/' },
  ]
}
