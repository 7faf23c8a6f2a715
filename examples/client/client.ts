import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

/**
 * Adds a fountain, reads it back and changes it, with every path, parameter and response typed by the API's own document:
 *   OPENFOUNTAIN_TOKEN=… node client.ts http://127.0.0.1:3000
 * Types of another server: npx openapi-typescript http://127.0.0.1:3000/api/openapi -o api.d.ts
 */
const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env['OPENFOUNTAIN_TOKEN'] ?? ''}` }
const api = createClient<paths>({ baseUrl, headers })

const created = await api.POST('/api/waypoints', {
  body: { name: 'Cathedral', latitude: 55.7039, longitude: 13.1935, amenities: ['bottle-filler'] },
})
if (created.error) throw new Error(`${created.error.code}: ${created.error.error}`)

const read = await api.GET('/api/waypoints/{id}', { params: { path: { id: created.data.id } } })
if (read.error) throw new Error(`${read.error.code}: ${read.error.error}`)
const { waypoint, logs, license } = read.data
console.log(`${waypoint.id} ${waypoint.name} (${license}), ${logs.map(({ action }) => action).join(', ')}`)

// The entity tag says which state was read: the fountain changes only if nobody else changed it meanwhile.
const changed = await api.PATCH('/api/waypoints/{id}', {
  params: { path: { id: waypoint.id }, header: { 'If-Match': read.response.headers.get('etag') ?? '*' } },
  body: { description: 'In front of the main door' },
})
if (changed.response.status === 412) console.log('Somebody else was faster:', changed.error?.details)
else if (changed.error) throw new Error(`${changed.error.code}: ${changed.error.error}`)
else console.log(`${changed.data.name}: ${changed.data.description}`)
