import { type Detail, land } from '../map/build/landform.ts'
import { Landmass } from './landmass.ts'

/** The land of the earth in two levels of detail; Natural Earth, public domain. */
export interface Atlas {
  readonly coarse: Landmass
  readonly fine: Landmass
}

/** Reads the atlas that is installed with the site. */
export function readAtlas(): Atlas {
  return { coarse: landmass('110m'), fine: landmass('50m') }
}

function landmass(detail: Detail): Landmass {
  const rings = land(detail).geometry.coordinates.flat()
  // The last place of a ring is the first again.
  return new Landmass(rings.map((ring) => ring.slice(0, -1).flatMap(([x = 0, y = 0]) => [x, y])))
}
