import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openRegistry } from '@openfountain/core'
import { createApp, guard, nodeListener } from '@openfountain/server'
import { limits } from './limits.ts'

/** The server under the soak, as `openfountain serve` makes it but with shorter timeouts, in a process of its own. */

/** Memory in bytes: resident, and the share of JavaScript. SQLite's caches are in the rest. */
export interface Memory {
  readonly resident: number
  readonly heap: number
  readonly buffers: number
}

/** The server's report of its health. */
export interface Health {
  readonly memory: Memory
  readonly connections: number
  /** Errors that it would have reported to its operator. */
  readonly failures: readonly string[]
}

const [database = ''] = process.argv.slice(2)
const failures: string[] = []
const registry = await openRegistry({ database })
const app = createApp(registry, {
  stallMilliseconds: limits.stall,
  // All clients of this run have one address.
  heavyWork: { perClient: 4, waitingPerClient: 16 },
  onFailure: ({ route, error }) => {
    failures.push(`${route ?? 'no route'}: ${error instanceof Error ? error.message : String(error)}`)
  },
})
const server = createServer({ connectionsCheckingInterval: 2000 }, nodeListener(app))
const { close } = guard(server, {
  headersTimeout: limits.headers,
  requestTimeout: limits.request,
  idleTimeout: limits.idle,
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.on('message', (order) => {
  if (order === 'end') {
    void close()
      .then(() => registry.close())
      .then(() => process.disconnect())
    return
  }
  server.getConnections((_error, connections) => {
    const { rss: resident, heapTotal: heap, arrayBuffers: buffers } = process.memoryUsage()
    const health: Health = { memory: { resident, heap, buffers }, connections, failures }
    process.send?.(health)
  })
})
// The parent has ended, or was killed.
process.on('disconnect', () => process.exit())
process.send?.({ port })
