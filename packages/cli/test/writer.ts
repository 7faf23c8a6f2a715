import { writeSync } from 'node:fs'
import { openRegistry, token, user } from '@openfountain/core'

const [database = '', name = ''] = process.argv.slice(2)
const registry = await openRegistry({ database })

/** A pipe writes a short line atomically. */
const tell = (what: string, id: number): number => writeSync(1, `${what} ${id}\n`)

const place = { latitude: 47, longitude: 8 }

for (let round = 1; ; round++) {
  const { id } = await registry.waypoints.create({ name: `${name} ${round}`, ...place }, user(name))
  tell('created waypoint', id)
  const review = await registry.reviews.create({ bubblerId: id, rating: 4, comment: 'Cold' }, user(name))
  tell('created review', review.id)
  await registry.waypoints.update(id, { description: `edited in round ${round}` }, user(name))
  tell('edited waypoint', id)
  await registry.waypoints.update(id, { verified: true }, token())
  tell('verified waypoint', id)
  if (round % 5 === 0) {
    await registry.waypoints.delete(id, token())
    tell('deleted waypoint', id)
  }
  if (round % 7 === 0) {
    const run = await registry.imports.start({ source: { name: `Source of ${name}`, license: 'CC0-1.0' } })
    const input = { name: 'Imported', ...place }
    const rows = Array.from({ length: 20 }, (_, row) => ({ row, ref: `${id}-${row}`, input }))
    for (const { waypointId } of await run.apply(rows))
      if (waypointId !== undefined) tell('created waypoint', waypointId)
  }
}
