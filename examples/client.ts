import { createApiClient, dataOf } from '@openfountain/client'

/**
 * Adds a fountain, reads it back and changes it, with every path, parameter and response typed by the API's own document:
 *   OPENFOUNTAIN_TOKEN=… node client.ts http://127.0.0.1:3000
 */
const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const api = createApiClient({ baseUrl, token: process.env['OPENFOUNTAIN_TOKEN'] })

const created = dataOf(
  await api.POST('/api/waypoints', {
    body: { name: 'Cathedral', latitude: 55.7039, longitude: 13.1935, amenities: ['bottle-filler'] },
  }),
)

const read = await api.GET('/api/waypoints/{id}', { params: { path: { id: created.id } } })
const { waypoint, logs, license } = dataOf(read)
console.log(`${waypoint.id} ${waypoint.name} (${license}), ${logs.map(({ action }) => action).join(', ')}`)

// The entity tag says which state was read: the fountain changes only if nobody else changed it meanwhile.
const changed = await api.PATCH('/api/waypoints/{id}', {
  params: { path: { id: waypoint.id }, header: { 'If-Match': read.response.headers.get('etag') ?? '*' } },
  body: { description: 'In front of the main door' },
})
if (changed.error?.code === 'PRECONDITION_FAILED')
  console.log('Somebody else was faster:', changed.error.details.waypoint)
else {
  const { name, description } = dataOf(changed)
  console.log(`${name}: ${description}`)
}
