import type { Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import { angleOf, geometryIn, pairOf } from './coordinates.ts'
import { representative, type Representative } from '../read/geometry.ts'
import type { SourceRow } from '../read/source-row.ts'
import type { RefusedReason } from '../reasons.ts'

/** Where a row says it is, in the file's own coordinate system, or why that is not understood. */
export function rowPosition(source: SourceRow, cells: Cells, columns: Columns): Representative {
  if (
    source.geometry !== undefined &&
    (source.geometry !== null || columns.byRole.get('latitude')?.length === 0)
  ) {
    return representative(source.geometry)
  }
  const [latitude, longitude] = [cells.first('latitude'), cells.first('longitude')]
  if (latitude !== undefined && longitude !== undefined) {
    const [y, x] = [angleOf(latitude), angleOf(longitude)]
    if (y === undefined || x === undefined) {
      return refused({
        code: 'UNREADABLE_COORDINATES',
        latitude: String(latitude),
        longitude: String(longitude),
      })
    }
    const swapped = y.axis === 'longitude' || x.axis === 'latitude'
    return { position: swapped ? [y.degrees, x.degrees] : [x.degrees, y.degrees] }
  }
  const cell = cells.first('geometry')
  if (cell !== undefined) {
    const geometry = geometryIn(cell)
    if (geometry === undefined)
      return refused({ code: 'UNREADABLE_GEOMETRY', value: String(cell).slice(0, 60) })
    return representative(geometry)
  }
  const pair = cells.first('position')
  if (pair === undefined) return refused({ code: 'NO_POSITION' })
  const found = pairOf(pair)
  if (found === undefined) return refused({ code: 'UNREADABLE_POSITION', value: String(pair).slice(0, 60) })
  return { position: columns.longitudeFirst ? [found[0], found[1]] : [found[1], found[0]] }
}

function refused(reason: RefusedReason): Representative {
  return { reason }
}
