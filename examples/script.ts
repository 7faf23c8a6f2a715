import { openRegistry, token } from '@openfountain/core'

/** Adds a fountain and lists the three nearest to the cathedral: node script.ts [fountains.db] */
const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db', author: 'City of Lund' })
await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
const near = { latitude: 55.7039, longitude: 13.1945 }
for (const { id, name } of await registry.waypoints.list({ near, limit: 3 })) console.log(id, name)
await registry.close()
