import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  type AppOptions,
  guard,
  type Fetching,
  type ListenerLimits,
  nodeListener,
} from '../../../server/src/index.ts'
import { portOf } from '../listening.ts'
import { serving } from './stage.ts'

export async function listenWith(app: Fetching, limits: ListenerLimits = {}) {
  const server = createServer(nodeListener(app))
  const { close } = guard(server, limits)
  const port = await portOf(server)
  return { server, port, url: `http://127.0.0.1:${port}`, close }
}

/** Guards a server of an embedder until the test ends. @returns its port */
export function guarded(server: Server, limits: ListenerLimits): Promise<number> {
  const { close } = guard(server, limits)
  onTestFinished(() => close(0))
  return portOf(server)
}

export async function listening(limits: ListenerLimits = {}, options: AppOptions = {}) {
  const stage = await serving(options)
  const listener = await listenWith(stage.app, limits)
  onTestFinished(() => listener.close(0))
  return { stage, listener, ...listener }
}

export function conversation(port: number, text = '') {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
  const said = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(heard)).on('error', () => undefined)
  })
  onTestFinished(() => void socket.destroy())
  if (text !== '') socket.write(text)
  return { socket, said }
}
