import { openRegistry, token } from '@openfountain/core'
import { fountains } from '../fountains.ts'

/** Creates waypoints with several concurrent clients, and prints the milliseconds. */
const [database = '', clients = '', count = ''] = process.argv.slice(2)
const registry = await openRegistry({ database })
const rows = fountains(Number(count), process.pid)[Symbol.iterator]()

async function client(): Promise<void> {
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    const { ref: _ref, ...input } = next.value
    await registry.waypoints.create(input, token())
  }
}

const from = performance.now()
await Promise.all(Array.from({ length: Number(clients) }, client))
console.log(performance.now() - from)
await registry.close()
