import type { BoundingBox, BoundingBoxInput } from '../../../schemas/area.ts'
import { boundingBoxOf } from '../writing/rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Reads bounding boxes on one connection. */
export function areaReads(statements: Statements) {
  const live = () => build.selectFrom('areas').selectAll().where('deletedAt', 'is', null)
  const active = statements.prepare(() => live().where('active', '=', 1).orderBy('id'))
  const byId = statements.prepare(() => live().where('id', '=', param<number>('id')))
  return {
    /** Active bounding boxes by id. */
    active: (): BoundingBox[] => active.all().map(boundingBoxOf),
    /** A bounding box that is not deleted. */
    live(id: number): BoundingBox | undefined {
      const row = byId.get({ id })
      return row && boundingBoxOf(row)
    },
  }
}

/** Writes bounding boxes; inside the caller's transaction. */
export function areaWrites(statements: Statements) {
  const insert = statements.prepare(() =>
    build
      .insertInto('areas')
      .values({
        name: param('name'),
        description: param('description'),
        color: param('color'),
        coordinates: param('coordinates'),
        properties: param('properties'),
        active: param('active'),
        createdAt: param('at'),
        updatedAt: param('at'),
      })
      .returningAll(),
  )
  const softDelete = statements.prepare(() =>
    build
      .updateTable('areas')
      .set({ deletedAt: param('at'), updatedAt: param('at') })
      .where('id', '=', param<number>('id')),
  )

  return {
    insert(
      { name, description, color, coordinates, properties, active }: BoundingBoxInput,
      at: string,
    ): BoundingBox {
      const row = insert.get({
        name,
        description: description || null,
        color: color.toLowerCase(),
        coordinates: JSON.stringify(coordinates),
        properties: JSON.stringify(properties),
        active: active ? 1 : 0,
        at,
      })
      if (row === undefined) throw new Error('the database returned no row for an insert')
      return boundingBoxOf(row)
    },
    softDelete: (id: number, at: string) => softDelete.run({ id, at }),
  }
}
