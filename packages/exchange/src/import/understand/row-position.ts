import type { Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import { angleOf, geometryIn, pairOf } from './coordinates.ts'
import { representative, type Position } from '../read/geometry.ts'
import type { SourceRow } from '../read/source-row.ts'

/** Where a row says it is, in the file's own coordinate system, or why that is not understood. */
export function rowPosition(source: SourceRow, cells: Cells, columns: Columns): Position | string {
  if (
    source.geometry !== undefined &&
    (source.geometry !== null || columns.byRole.get('latitude')?.length === 0)
  ) {
    const found = representative(source.geometry)
    return 'reason' in found ? found.reason : found.position
  }
  const [latitude, longitude] = [cells.first('latitude'), cells.first('longitude')]
  if (latitude !== undefined && longitude !== undefined) {
    const [y, x] = [angleOf(latitude), angleOf(longitude)]
    if (y === undefined || x === undefined) {
      return `the coordinates "${String(latitude)}", "${String(longitude)}" are not understood`
    }
    return y.axis === 'longitude' || x.axis === 'latitude' ? [y.degrees, x.degrees] : [x.degrees, y.degrees]
  }
  const cell = cells.first('geometry')
  if (cell !== undefined) {
    const geometry = geometryIn(cell)
    if (geometry === undefined) return `the geometry "${String(cell).slice(0, 60)}" is not understood`
    const found = representative(geometry)
    return 'reason' in found ? found.reason : found.position
  }
  const pair = cells.first('position')
  if (pair === undefined) return 'has no coordinates'
  const found = pairOf(pair)
  if (found === undefined) return `the position "${String(pair).slice(0, 60)}" is not understood`
  return columns.longitudeFirst ? [found[0], found[1]] : [found[1], found[0]]
}
