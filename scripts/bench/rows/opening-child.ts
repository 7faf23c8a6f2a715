import { openRegistry } from '@openfountain/core'

/** Opens a registry, asks it for a waypoint, and prints the milliseconds since the process started. */
const [database = ''] = process.argv.slice(2)
const registry = await openRegistry({ database })
await registry.waypoints.get(1)
console.log(performance.now())
await registry.close()
