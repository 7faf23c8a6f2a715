import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'
import { afterwards } from './afterwards.ts'

export async function portOf(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

export async function listening(server: HttpServer, host?: string): Promise<number> {
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server, host)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
