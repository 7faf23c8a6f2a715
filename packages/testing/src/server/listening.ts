import { createServer, type Server } from 'node:http'
import {
  guard,
  type Fetching,
  type Guard,
  type ListenerLimits,
  nodeListener,
} from '../../../server/src/index.ts'

/** A guarded server that listens. */
export interface Listening {
  readonly server: Server
  readonly port: number
  readonly url: string
  readonly close: Guard['close']
}

/** Lets a server listen on a free port of 127.0.0.1, and returns the port. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

/** Serves an app with node:http on a free port of 127.0.0.1. */
export async function listenWith(app: Fetching, limits: ListenerLimits = {}): Promise<Listening> {
  const server = createServer(nodeListener(app))
  const { close } = guard(server, limits)
  const port = await portOf(server)
  return { server, port, url: `http://127.0.0.1:${port}`, close }
}
