import { openRegistry } from '@openfountain/core'

/** Opens a registry, answers one read of each kind, and prints how many milliseconds that took. */
const [database = ''] = process.argv.slice(2)
const from = performance.now()
const registry = await openRegistry({ database })
const { totalWaypoints } = await registry.statistics()
await registry.waypoints.get(Math.ceil(totalWaypoints / 2))
await registry.waypoints.list({ near: { latitude: 47, longitude: 8 }, limit: 1 })
await registry.waypoints.search({ q: 'fountain', limit: 1 })
await registry.changes.recent({ limit: 1 })
console.log(performance.now() - from)
await registry.close()
