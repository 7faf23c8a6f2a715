import type { BoundingBox, BoundingBoxInput } from '../../../schemas/area.ts'
import { boundingBoxOf } from '../writing/rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Bounding boxes on one connection. */
export function areaRows(statements: Statements) {
  const live = () => build.selectFrom('areas').selectAll().where('deletedAt', 'is', null)
  const active = statements.prepare(() => live().where('active', '=', 1).orderBy('id'))
  const byId = statements.prepare(() => live().where('id', '=', param<number>('id')))
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
  const bury = statements.prepare(() =>
    build
      .updateTable('areas')
      .set({ deletedAt: param('at'), updatedAt: param('at') })
      .where('id', '=', param<number>('id')),
  )

  return {
    active: (): BoundingBox[] => active.all().map(boundingBoxOf),
    live(id: number): BoundingBox | undefined {
      const row = byId.get({ id })
      return row && boundingBoxOf(row)
    },
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
    bury: (id: number, at: string) => bury.run({ id, at }),
  }
}
