import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Connections } from './http/connections.ts'
import { trustOf, type TrustProxy } from './http/trusted-proxies.ts'
import { limits } from './limits.ts'

/** Limits, times in milliseconds, so that clients that hang or send slowly cannot occupy the server's connections. */
export interface ListenerLimits {
  /** For sending all headers of a request. Default 10,000. */
  readonly headersTimeout?: number | undefined
  /** For sending the rest of a request after its headers. Default 30,000; an app waits 20,000 for a body that it reads. */
  readonly requestTimeout?: number | undefined
  /** Without a byte in either direction while a request is handled. Default 60,000. */
  readonly idleTimeout?: number | undefined
  /**
   * The least average speed, in bytes per second, at which a client must read a response once it is complete and only
   * waits for the client; it has `idleTimeout` more. 0 sets no limit. Default 1,024; lists have a limit of their own.
   */
  readonly slowestBytesPerSecond?: number | undefined
  /** Between two requests on one connection. Default 10,000. */
  readonly keepAliveTimeout?: number | undefined
  /** The most connections at the same time. Default 4,096. */
  readonly maxConnections?: number | undefined
  /**
   * The most connections of one client at the same time, an IPv6 client being its /64; those beyond get a 429 and are
   * closed. 0 sets no limit. Default 256.
   */
  readonly connectionsPerClient?: number | undefined
  /**
   * Reverse proxies, as in the options of the app: their connections are those of many clients, so that
   * `connectionsPerClient` does not hold for them. Default false.
   */
  readonly trustProxy?: TrustProxy | undefined
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
  // An idle socket is one whose peer neither sends nor reads: Node destroys it when nobody listens to 'timeout'.
  server.timeout = times.idleTimeout
  const isProxy = (address: string): boolean => trust?.(address, 0) === true
  new Connections(server, { ...times, perClient: connectionsPerClient, isProxy }).watch()
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
