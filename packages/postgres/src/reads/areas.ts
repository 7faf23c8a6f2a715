import { boundingBoxOf, type BoundingBox } from '@openfountain/core/engine'
import { build, type Statements } from '../connection/statement.ts'

/** Reads bounding boxes. */
export function areaReads(statements: Statements) {
  const active = statements.prepare(() =>
    build
      .selectFrom('areas')
      .selectAll()
      .where('deletedAt', 'is', null)
      .where('active', '=', 1)
      .orderBy('id'),
  )
  return {
    active: async (): Promise<BoundingBox[]> => (await active.all()).map(boundingBoxOf),
  }
}
