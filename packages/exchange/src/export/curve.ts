import { zxyToTileId } from 'pmtiles'

/** The place on a Hilbert curve over longitude and latitude, in cells of about 1.2 kilometres. */
export function curveKey(longitude: number, latitude: number): number {
  const zoom = 14
  const cell = (share: number) => Math.min(Math.floor(share * 2 ** zoom), 2 ** zoom - 1)
  return zxyToTileId(zoom, cell((longitude + 180) / 360), cell((latitude + 90) / 180))
}

/** Room for an index below its key in one exact number, so that sorting needs no comparator. */
const indexRoom = 2 ** 24

/** The indices of keys by ascending key, equal ones in their order. */
export const orderOf = (keys: readonly number[]): Float64Array =>
  Float64Array.from(keys, (key, index) => key * indexRoom + index)
    .toSorted()
    .map((place) => place % indexRoom)
