import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limits in milliseconds, so that clients that hang or send slowly cannot occupy the server's connections. */
export interface ListenerLimits {
  /** For sending all headers of a request. Default 10,000. */
  readonly headersTimeout?: number
  /** For sending a whole request. Default 30,000. */
  readonly requestTimeout?: number
  /** Without a byte in either direction while a request is handled. Default 60,000. */
  readonly idleTimeout?: number
  /** Between two requests on one connection. Default 10,000. */
  readonly keepAliveTimeout?: number
  /** The most connections at the same time. Default 4,096. */
  readonly maxConnections?: number
}

export interface Guard {
  /** Whether the server is closing. */
  readonly closing: boolean
  /**
   * Closes the server: it accepts nothing more, lets open requests finish within the grace period, then ends them.
   * Calling it again returns the same promise.
   *
   * @param graceMilliseconds default 10,000
   */
  close(graceMilliseconds?: number): Promise<void>
}

/** Sets the limits on a node:http server, such as `createServer(nodeListener(app))`, and makes it closable. */
export function guard(server: Server, limits: ListenerLimits = {}): Guard {
  server.headersTimeout = limits.headersTimeout ?? 10_000
  limitFirstHeaders(server, server.headersTimeout)
  server.requestTimeout = limits.requestTimeout ?? 30_000
  server.keepAliveTimeout = limits.keepAliveTimeout ?? 10_000
  server.maxConnections = limits.maxConnections ?? 4096
  // An idle socket is one whose peer neither sends nor reads: Node destroys it when nobody listens to 'timeout'.
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

/** Requests for which Node emits one of these events instead of 'request'; Node alone limits their headers. */
const otherEvents = ['upgrade', 'connect', 'checkContinue', 'checkExpectation']

/**
 * Ends connections that have not sent all headers of their first request in time. Node checks that too, but only every
 * 30 seconds by default.
 */
function limitFirstHeaders(server: Server, milliseconds: number): void {
  const timers = new WeakMap<Socket, NodeJS.Timeout>()
  const stopWaiting = (socket: Socket): void => clearTimeout(timers.get(socket))
  server.on('connection', (socket: Socket) => {
    const refuse = (): void => {
      if (otherEvents.some((event) => server.listenerCount(event) > 0)) return
      socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
    }
    timers.set(socket, setTimeout(refuse, milliseconds).unref())
    socket.once('close', () => stopWaiting(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage) => stopWaiting(socket))
}

function end(server: Server, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // A connection that was busy when closing began becomes idle, and can be closed, when its response is sent.
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
