import type { BoundingBox } from '../../../schemas/area.ts'
import { boundingBoxOf } from '../../rows.ts'
import { build, type Statements } from '../connection/statement.ts'

/** Reads bounding boxes on one connection. */
export function areaReads(statements: Statements) {
  const live = () => build.selectFrom('areas').selectAll().where('deletedAt', 'is', null)
  const active = statements.prepare(() => live().where('active', '=', 1).orderBy('id'))
  return {
    /** Active bounding boxes by id. */
    active: (): BoundingBox[] => active.all().map(boundingBoxOf),
  }
}
