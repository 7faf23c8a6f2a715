import Flatbush from 'flatbush'
import { distanceMetres } from '@openfountain/core/internal'

/** A waypoint near a place. */
export interface Neighbour {
  readonly id: number
  /** Metres from the place. */
  readonly distance: number
}

/** Metres of a degree of latitude. */
const degreeMetres = 111_195

/** Finds the registry's waypoints around a place; it holds only ids and positions, 40 bytes for each. */
export class Neighbours {
  readonly #ids: Int32Array
  readonly #positions: Float64Array
  readonly #tree: Flatbush | undefined

  constructor(ids: Int32Array, positions: Float64Array, count: number) {
    this.#ids = ids
    this.#positions = positions
    if (count === 0) return
    const tree = new Flatbush(count, 16, Float32Array)
    for (let index = 0; index < count; index += 1) {
      tree.add(positions[index * 2] ?? 0, positions[index * 2 + 1] ?? 0)
    }
    tree.finish()
    this.#tree = tree
  }

  /** Reads the ids and positions of waypoints. */
  static async of(
    waypoints: AsyncIterable<{ readonly id: number; readonly latitude: number; readonly longitude: number }>,
  ): Promise<Neighbours> {
    let ids = new Int32Array(1024)
    let positions = new Float64Array(2048)
    let count = 0
    for await (const { id, latitude, longitude } of waypoints) {
      if (count === ids.length) {
        ids = doubled(ids, new Int32Array(count * 2))
        positions = doubled(positions, new Float64Array(count * 4))
      }
      ids[count] = id
      positions[count * 2] = longitude
      positions[count * 2 + 1] = latitude
      count += 1
    }
    return new Neighbours(ids, positions, count)
  }

  /** The waypoints within `metres` of a place, the nearest first. */
  near(longitude: number, latitude: number, metres: number): Neighbour[] {
    const tree = this.#tree
    if (tree === undefined) return []
    // The tree keeps single precision, of which a step at 180° is 1.7 m.
    const dy = (metres + 4) / degreeMetres
    const dx = Math.min(180, dy / Math.max(0.001, Math.cos((latitude * Math.PI) / 180)))
    const found: Neighbour[] = []
    for (const shift of longitude - dx < -180 ? [0, 360] : longitude + dx > 180 ? [0, -360] : [0]) {
      const x = longitude + shift
      for (const index of tree.search(x - dx, latitude - dy, x + dx, latitude + dy)) {
        const own = {
          longitude: this.#positions[index * 2] ?? 0,
          latitude: this.#positions[index * 2 + 1] ?? 0,
        }
        const distance = distanceMetres({ longitude, latitude }, own)
        if (distance <= metres) found.push({ id: this.#ids[index] ?? 0, distance })
      }
    }
    return found.toSorted((a, b) => a.distance - b.distance || a.id - b.id)
  }
}

function doubled<T extends Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from)
  return into
}
