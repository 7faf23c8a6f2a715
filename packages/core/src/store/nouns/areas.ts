import type { BoundingBox } from '../../schemas/area.ts'
import { boundingBoxOf } from '../rows.ts'
import { build, query, type Reading } from '../sql/query.ts'

const active = query(() =>
  build.selectFrom('areas').selectAll().where('deletedAt', 'is', null).where('active', '=', 1).orderBy('id'),
).map(boundingBoxOf)

export const areaReads = {
  active: (): Reading<BoundingBox[]> => active.all(),
}
