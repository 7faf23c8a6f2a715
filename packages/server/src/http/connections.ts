import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, trustOf, type TrustProxy } from './trusted-proxies.ts'
import { limits } from '../limits.ts'

/** All limits; 0 sets none. */
type Limits = { readonly [Name in keyof typeof limits.listener]: number } & {
  /** Whether an address is a proxy's, which carries many clients. */
  isProxy(address: string): boolean
}

interface Connection {
  /** Deadline of the client, in milliseconds of `performance.now()`. */
  deadline: number
  reading?: boolean
  request?: IncomingMessage
  response?: ServerResponse
}

/** Events that Node emits instead of 'request'; for these requests Node alone limits the headers. */
const otherEvents = ['upgrade', 'connect', 'checkContinue', 'checkExpectation']

const longestSweep = 1000

const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`

/** Limits connections per client, and the time for a request, which Node looks at every 30 seconds alone. */
class Connections {
  readonly #server: Server
  readonly #limits: Limits
  readonly #open = new Map<Socket, Connection>()
  readonly #perClient = new Map<string, number>()
  #sweeping: NodeJS.Timeout | undefined

  constructor(server: Server, limits: Limits) {
    this.#server = server
    this.#limits = limits
  }

  watch(): void {
    this.#server.on('connection', (socket: Socket) => this.#accept(socket))
    this.#server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(request.socket)
      if (connection === undefined) return
      connection.request = request
      connection.response = response
      connection.reading = false
      connection.deadline = performance.now() + (this.#limits.requestTimeout || Infinity)
    })
  }

  #accept(socket: Socket): void {
    const { remoteAddress } = socket
    if (remoteAddress !== undefined && !this.#count(socket, remoteAddress)) {
      socket.end(refusal('429 Too Many Requests'), () => socket.destroy())
      return
    }
    const { headersTimeout, requestTimeout } = this.#limits
    this.#open.set(socket, { deadline: performance.now() + (headersTimeout || Infinity) })
    socket.once('close', () => {
      this.#open.delete(socket)
      if (this.#open.size > 0) return
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
    })
    const every = Math.min(longestSweep, (headersTimeout || Infinity) / 4, (requestTimeout || Infinity) / 4)
    this.#sweeping ??= setInterval(() => this.#sweep(), every).unref()
  }

  /** Counts a connection until it closes. @returns false when the client has reached its limit */
  #count(socket: Socket, address: string): boolean {
    const { connectionsPerClient: perClient, isProxy } = this.#limits
    if (perClient === 0 || isProxy(address)) return true
    const network = networkOf(address)
    const count = this.#perClient.get(network) ?? 0
    if (count >= perClient) return false
    this.#perClient.set(network, count + 1)
    socket.once('close', () => {
      const left = (this.#perClient.get(network) ?? 1) - 1
      if (left === 0) this.#perClient.delete(network)
      else this.#perClient.set(network, left)
    })
    return true
  }

  #sweep(): void {
    const now = performance.now()
    const mayTakeOver = otherEvents.some((event) => this.#server.listenerCount(event) > 0)
    const { keepAliveTimeout, headersTimeout } = this.#limits
    for (const [socket, connection] of this.#open) {
      const { request, response } = connection
      if (request?.complete === true && response !== undefined) {
        if (response.writableFinished) {
          // Node closes idle connections; this one covers slow headers of the next request.
          delete connection.request
          delete connection.response
          connection.deadline = now + (keepAliveTimeout || Infinity) + (headersTimeout || Infinity)
        } else if (connection.reading === true) {
          if (now >= connection.deadline) socket.destroy()
        } else if (response.writableEnded) {
          connection.reading = true
          connection.deadline = now + this.#readingMilliseconds(socket.writableLength)
        }
      } else if (now >= connection.deadline && !(mayTakeOver && request === undefined)) {
        if (response?.headersSent === true) socket.destroy()
        else socket.end(refusal('408 Request Timeout'), () => socket.destroy())
      }
    }
  }

  /** The time for reading these bytes, which occupy memory until then. */
  #readingMilliseconds(bytes: number): number {
    const { idleTimeout, slowestBytesPerSecond } = this.#limits
    if (idleTimeout === 0 || slowestBytesPerSecond === 0) return Infinity
    return idleTimeout + (bytes / slowestBytesPerSecond) * 1000
  }
}

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
  /** The most connections of one client (IPv6: a /64); further ones get a 429. 0 sets no limit. Default 256. */
  readonly connectionsPerClient?: number | undefined
  /** Reverse proxies, to which `connectionsPerClient` does not apply. Default false. */
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

/** Sets limits on a node:http server, and makes it closable. @throws OptionError trustProxy */
export function guard(server: Server, options: ListenerLimits = {}): Guard {
  const { trustProxy = false, ...given } = options
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  const all: typeof limits.listener = { ...limits.listener, ...Object.fromEntries(chosen) }
  const trust = trustOf(trustProxy)
  server.headersTimeout = all.headersTimeout
  server.requestTimeout = all.requestTimeout
  server.keepAliveTimeout = all.keepAliveTimeout
  server.maxConnections = all.maxConnections
  // Node destroys a socket whose peer neither sends nor reads, unless somebody listens to 'timeout'.
  server.timeout = all.idleTimeout
  new Connections(server, { ...all, isProxy: (address) => trust?.(address, 0) === true }).watch()
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
