import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Fetching, nodeListener } from './http/node-listener.ts'

/** Limits in milliseconds, so that clients that hang or trickle cannot hold the server's connections. */
export interface ListenerLimits {
  /** To send all headers of a request. Default 10,000. */
  readonly headersTimeout?: number
  /** To send a whole request. Default 30,000. */
  readonly requestTimeout?: number
  /** Without a byte either way while a request is answered. Default 60,000. */
  readonly idleTimeout?: number
  /** Between two requests on one connection. Default 10,000. */
  readonly keepAliveTimeout?: number
  /** Connections at a time. Default 4,096. */
  readonly maxConnections?: number
}

export interface Guard {
  /** Whether the server is closing. */
  readonly closing: boolean
  /**
   * Ends the server: accepts nothing more, lets open requests finish for the grace, then cuts them off. Calling it
   * again answers the same promise.
   *
   * @param graceMilliseconds default 10,000
   */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Puts the limits on a node:http server and makes it closable. For a server of somebody else's making; `serve`
 * does it by itself.
 */
export function guard(server: Server, limits: ListenerLimits = {}): Guard {
  server.headersTimeout = limits.headersTimeout ?? 10_000
  cutOffTheSlow(server, server.headersTimeout)
  server.requestTimeout = limits.requestTimeout ?? 30_000
  server.keepAliveTimeout = limits.keepAliveTimeout ?? 10_000
  server.maxConnections = limits.maxConnections ?? 4096
  // An idle socket is one whose peer neither sends nor takes: Node destroys it when nobody listens to 'timeout'.
  server.timeout = limits.idleTimeout ?? 60_000
  let closed: Promise<void> | undefined
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (closed !== undefined) response.setHeader('connection', 'close')
  })
  return {
    get closing() {
      return closed !== undefined
    },
    close: (graceMilliseconds = 10_000) => (closed ??= end(server, graceMilliseconds)),
  }
}

/** Requests that a host takes in these ways do not come as 'request'; their heads are left to Node. */
const otherWays = ['upgrade', 'connect', 'checkContinue', 'checkExpectation']

/**
 * Cuts off connections whose first request has no whole head in time. Node looks for them too, but only every 30
 * seconds unless its server was made otherwise.
 */
function cutOffTheSlow(server: Server, milliseconds: number): void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>()
  const stopWaiting = (socket: Socket): void => clearTimeout(waiting.get(socket))
  server.on('connection', (socket: Socket) => {
    const late = (): void => {
      if (otherWays.some((way) => server.listenerCount(way) > 0)) return
      socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
    }
    waiting.set(socket, setTimeout(late, milliseconds).unref())
    socket.once('close', () => stopWaiting(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage) => stopWaiting(socket))
}

function end(server: Server, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // A connection that was busy when the end began is idle, and to be closed, once its answer is out.
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    server.close((error) => {
      clearTimeout(cut)
      clearInterval(sweep)
      const notRunning = error !== undefined && 'code' in error && error.code === 'ERR_SERVER_NOT_RUNNING'
      if (error === undefined || notRunning) resolve()
      else reject(error)
    })
    server.closeIdleConnections()
  })
}

export interface ServeOptions extends ListenerLimits {
  /** Default 3000; 0 takes a free one. */
  readonly port?: number
  /** Default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
  /** How long open requests may take when the listener closes. Default 10,000. */
  readonly graceMilliseconds?: number
  /** Signals on which the listener closes by itself, such as `['SIGTERM', 'SIGINT']`. Default none. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Called after a signal closed the listener, to close what is below it. */
  readonly onClosed?: () => void | Promise<void>
}

/** A running server. */
export interface Listener {
  readonly server: Server
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string
  readonly port: number
  /** Ends it as `Guard.close` does. */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Listens with node:http, its limits set.
 *
 * @throws the error of node:net when the port is taken or the host is not this machine's
 */
export async function serve(app: Fetching, options: ServeOptions = {}): Promise<Listener> {
  const server = createServer({ connectionsCheckingInterval: 2000 }, nodeListener(app))
  const guarded = guard(server, options)
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 3000, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  const stop = new AbortController()
  const close = async (graceMilliseconds = options.graceMilliseconds): Promise<void> => {
    stop.abort()
    await guarded.close(graceMilliseconds)
  }
  for (const signal of options.signals ?? [])
    onSignal(signal, stop.signal, () => close().then(options.onClosed))
  return { server, port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close }
}

function onSignal(signal: NodeJS.Signals, over: AbortSignal, run: () => unknown): void {
  const listener = (): void => void run()
  process.once(signal, listener)
  over.addEventListener('abort', () => process.off(signal, listener), { once: true })
}
