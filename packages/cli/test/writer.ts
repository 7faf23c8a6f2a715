/**
 * Writes to a registry as fast as it can until it is killed, and tells each write once the registry answered it. The
 * tests bundle this file and run it as processes of their own.
 */
import { writeSync } from 'node:fs'
import { openRegistry, token, user } from '@openfountain/core'

const [database = '', name = '', only] = process.argv.slice(2)
const registry = await openRegistry({ database })

/** A pipe takes a short line in one piece, before the next write begins. */
function tell(word: string, id: number): void {
  writeSync(1, `${word} ${id}\n`)
}

const place = { latitude: 47, longitude: 8 }
const actor = user(name)
const most = only === undefined ? Number.POSITIVE_INFINITY : Number(only)

for (let round = 1; round <= most; round++) {
  const made = await registry.waypoints.create({ name: `${name} ${round}`, ...place }, actor)
  tell('created', made.id)
  const { id } = await registry.reviews.create({ bubblerId: made.id, rating: 4, comment: `${round}` }, actor)
  tell('reviewed', id)
  await registry.waypoints.update(made.id, { description: `edited in round ${round}` }, actor)
  tell('edited', made.id)
  await registry.waypoints.update(made.id, { verified: true }, token())
  tell('verified', made.id)
  if (round % 5 === 0) {
    await registry.waypoints.delete(made.id, token())
    tell('deleted', made.id)
  }
  if (round % 7 === 0 && only === undefined) {
    const run = await registry.imports.start({ source: { name: `Source of ${name}`, license: 'CC0-1.0' } })
    const rows = Array.from({ length: 20 }, (_row, row) => ({
      row,
      ref: `${made.id}-${row}`,
      input: { name: `Imported ${row}`, ...place },
    }))
    for (const outcome of await run.apply(rows))
      if (outcome.waypointId !== undefined) tell('created', outcome.waypointId)
  }
}
await registry.close()
