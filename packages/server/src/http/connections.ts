import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './trusted-proxies.ts'

/** Times in milliseconds; 0 sets no limit. */
interface ConnectionLimits {
  /** For all headers of a request. */
  readonly headersTimeout: number
  /** For the rest of a request after its headers. */
  readonly requestTimeout: number
  /** Between two requests. */
  readonly keepAliveTimeout: number
  /** Without a byte in either direction. */
  readonly idleTimeout: number
  /**
   * The minimum average speed for reading the rest of a complete response; `idleTimeout` is added to the allowed time.
   * 0 sets no limit.
   */
  readonly slowestBytesPerSecond: number
  /** The most connections of one client at the same time; 0 sets no limit. */
  readonly perClient: number
  /** Whether an address is a proxy's, which carries many clients. */
  readonly isProxy: (address: string) => boolean
}

/** A connection and its newest request. */
interface Connection {
  /** Deadline of the client, in milliseconds of `performance.now()`. */
  deadline: number
  /** Whether the deadline is for reading the rest of a response. */
  reading?: boolean
  request?: IncomingMessage
  response?: ServerResponse
}

/** Events that Node emits instead of 'request'; for these requests Node alone limits the headers. */
const otherEvents = ['upgrade', 'connect', 'checkContinue', 'checkExpectation']

const longestSweep = 1000

const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`

/**
 * Limits connections per client, and the time for sending a request. Node's own time limit is checked only every 30
 * seconds by default, so a request could take twice as long.
 */
export class Connections {
  readonly #server: Server
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, Connection>()
  readonly #perClient = new Map<string, number>()
  #sweeping: NodeJS.Timeout | undefined

  constructor(server: Server, limits: ConnectionLimits) {
    this.#server = server
    this.#limits = limits
  }

  /** Starts limiting new connections. */
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
    const { perClient, isProxy } = this.#limits
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
