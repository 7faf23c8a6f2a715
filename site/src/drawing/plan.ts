/** A place in relation to another: metres to the east and to the north. */
export interface Offset {
  readonly east: number
  readonly north: number
  readonly distanceMetres: number
}

interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** Mean metres in a degree of latitude (IUGG mean radius, 6,371,008.8 m). */
export const metresInDegree = 111_195.08

/** Metres in a degree of longitude, as a share of those in a degree of latitude. */
export const squeezeAt = ({ latitude }: Place): number => Math.max(0.01, Math.cos((latitude * Math.PI) / 180))

/** On a plane around the first place: within 0.1% at 5 km. */
export function offset(of: Place, to: Place): Offset {
  const turn = to.longitude - of.longitude
  const degrees = Math.abs(turn) > 180 ? turn - Math.sign(turn) * 360 : turn
  const east = degrees * metresInDegree * squeezeAt(of)
  const north = (to.latitude - of.latitude) * metresInDegree
  return { east, north, distanceMetres: Math.hypot(east, north) }
}

/** A plan of a place at its origin, with the places around it: distance rings, true north up, no streets. */
export interface PlanDrawing<Neighbour = unknown> {
  readonly width: number
  readonly height: number
  readonly rings: readonly { readonly metres: number; readonly radius: number }[]
  readonly points: readonly { readonly x: number; readonly y: number; readonly neighbour: Neighbour }[]
}

const width = 640
const height = 400
const steps = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const

/** Draws a plan with all given neighbours. @param leastMetres half of its height at least */
export function drawPlan<Neighbour extends Offset>(
  neighbours: readonly Neighbour[],
  leastMetres = 120,
): PlanDrawing<Neighbour> {
  const reach = Math.max(leastMetres, ...neighbours.map(({ distanceMetres }) => distanceMetres))
  const pixelsPerMetre = (height / 2 - 24) / reach
  const rings = steps
    .filter((metres) => metres * pixelsPerMetre > 40 && metres * pixelsPerMetre < height / 2 - 12)
    .slice(-3)
    .map((metres) => ({ metres, radius: Math.round(metres * pixelsPerMetre) }))
  const points = neighbours.map((neighbour) => ({
    x: Math.round(neighbour.east * pixelsPerMetre) + 0,
    // Not minus zero.
    y: Math.round(-neighbour.north * pixelsPerMetre) + 0,
    neighbour,
  }))
  return { width, height, rings, points }
}
