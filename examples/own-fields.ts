import { openRegistry, token } from '@openfountain/core'
import { z } from 'zod'

/**
 * A waterworks keeps what it knows of its fountains, beside what everybody can add:
 *   node own-fields.ts [fountains.db or postgres://…]
 */
const properties = z.object({
  height: z.number().positive().max(5).meta({ title: 'Height of the spout, in metres' }),
  inventoryNumber: z.string().regex(/^L-\d+$/),
  material: z.enum(['steel', 'stone']),
  inspectedBy: z.array(z.string().max(80)).max(10),
})
const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db', properties })

const fountain = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
const given = { height: 0.9, inventoryNumber: 'L-7' }
const { id } = await registry.waypoints.create({ ...fountain, properties: given }, token())
// What is not named stays, and null removes one.
const patch = { inspectedBy: ['Ada'], height: null }
const changed = await registry.waypoints.update(id, { properties: patch }, token())
console.log(JSON.stringify(changed.properties))

// The fields have the types of the declaration; what a form sends is checked when it is written.
const sent = JSON.parse('{ "inventoryNumber": "7", "colour": "green" }') as typeof given
await registry.waypoints
  .update(id, { properties: sent }, token())
  .catch((error: unknown) => console.log(error instanceof Error ? error.message : error))

// The same in JSON Schema, which a file for openfountain serve --properties has.
console.log(Object.keys(registry.properties?.properties ?? {}).join(', '))
await registry.close()
