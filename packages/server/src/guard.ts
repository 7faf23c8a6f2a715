import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Connections } from './http/connections.ts'
import { trustOf, type TrustProxy } from './http/trusted-proxies.ts'
import { limits } from './limits.ts'

/** Limits, in milliseconds, against clients that hang or send slowly. */
export interface ListenerLimits {
  /** For sending all headers of a request. Default 10,000. */
  readonly headersTimeout?: number | undefined
  /** For sending the rest of a request after its headers. Default 30,000; an app waits 20,000 for a body that it reads. */
  readonly requestTimeout?: number | undefined
  /** Without a byte in either direction while a request is handled. Default 60,000. */
  readonly idleTimeout?: number | undefined
  /**
   * The minimum average speed, in bytes per second, for reading a response that is complete on the server;
   * `idleTimeout` is added to the allowed time. 0 sets no limit. Default 1,024; lists have a limit of their own.
   */
  readonly slowestBytesPerSecond?: number | undefined
  /** Between two requests on one connection. Default 10,000. */
  readonly keepAliveTimeout?: number | undefined
  /** The most connections at the same time. Default 4,096. */
  readonly maxConnections?: number | undefined
  /**
   * The most connections of one client at the same time; an IPv6 client is its /64. Further ones get a 429 and are
   * closed. 0 sets no limit. Default 256.
   */
  readonly connectionsPerClient?: number | undefined
  /**
   * Reverse proxies, as in the options of the app. They carry many clients, so `connectionsPerClient` does not apply to
   * them. Default false.
   */
  readonly trustProxy?: TrustProxy | undefined
}

export interface Guard {
  /** Whether the server is closing. */
  readonly closing: boolean
  /**
   * Closes the server: no new connections, then open requests may finish within the grace period. Calling it again
   * returns the same promise.
   *
   * @param graceMilliseconds default 10,000
   */
  close(graceMilliseconds?: number): Promise<void>
}

/**
 * Sets the limits on a node:http server, such as `createServer(nodeListener(app))`, and makes it closable.
 *
 * @throws OptionError trustProxy
 */
export function guard(server: Server, options: ListenerLimits = {}): Guard {
  const { trustProxy = false, ...given } = options
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  const all: typeof limits.listener = { ...limits.listener, ...Object.fromEntries(chosen) }
  const { connectionsPerClient, ...times } = all
  const trust = trustOf(trustProxy)
  server.headersTimeout = times.headersTimeout
  server.requestTimeout = times.requestTimeout
  server.keepAliveTimeout = times.keepAliveTimeout
  server.maxConnections = times.maxConnections
  // Node destroys a socket whose peer neither sends nor reads, unless somebody listens to 'timeout'.
  server.timeout = times.idleTimeout
  const isProxy = (address: string): boolean => trust?.(address, 0) === true
  new Connections(server, { ...times, perClient: connectionsPerClient, isProxy }).watch()
  let closed: Promise<void> | undefined
  return {
    get closing() {
      return closed !== undefined
    },
    close: (graceMilliseconds = 10_000) => (closed ??= end(server, graceMilliseconds)),
  }
}

function end(server: Server, graceMilliseconds: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
    // A connection that was busy when closing began turns idle once its response is sent.
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
