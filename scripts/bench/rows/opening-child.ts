import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openRegistry } from '@openfountain/core'
import { createApp, guard, nodeListener } from '@openfountain/server'

/** Opens a registry, serves it, is asked one question of each kind, and prints how many milliseconds that took. */
const [database = ''] = process.argv.slice(2)
const from = performance.now()
const registry = await openRegistry({ database })
const server = createServer(nodeListener(createApp(registry)))
const { close } = guard(server)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
for (const path of ['/1', '?near=47,8&limit=1', '/search?q=fountain&limit=1']) {
  const response = await fetch(`http://127.0.0.1:${port}/api/waypoints${path}`)
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`)
  await response.text()
}
console.log(performance.now() - from)
await close(0)
await registry.close()
