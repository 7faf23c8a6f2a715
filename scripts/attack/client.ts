import { Agent as PlainAgent, request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { connect as plainConnect, type Socket } from 'node:net'
import { connect as secureConnect } from 'node:tls'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Conversation {
  readonly socket: Socket
  /** All data of the server until the connection ended. */
  readonly heard: Promise<string>
}

/** A client with its own address, where the machine has several. */
export class Client {
  readonly url: URL
  readonly address: string | undefined
  readonly #agent: PlainAgent | SecureAgent
  readonly #sockets = new Set<Socket>()

  constructor(url: URL, address: string | undefined) {
    this.url = url
    this.address = address
    const options = { keepAlive: true, maxSockets: 16 }
    this.#agent = this.#isSecure ? new SecureAgent(options) : new PlainAgent(options)
  }

  get #isSecure(): boolean {
    return this.url.protocol === 'https:'
  }

  /** The value of a Host header. */
  get host(): string {
    return this.url.host
  }

  /** Sends a request with its path unchanged. @throws Error when there is no response */
  ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> {
    const request = this.#isSecure ? secureRequest : plainRequest
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          hostname: this.url.hostname,
          port: this.#port,
          path,
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          agent: this.#agent,
          localAddress: this.address,
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
            }),
          )
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  }

  /** The status of a response; 0 without a response. */
  async statusOf(path: string, sent?: Sent): Promise<number> {
    return this.ask(path, sent).then(
      ({ status }) => status,
      () => 0,
    )
  }

  get #port(): number {
    return Number(this.url.port) || (this.#isSecure ? 443 : 80)
  }

  /** An idle connection. */
  open(): Socket {
    const { hostname: host } = this.url
    const socket = this.#isSecure
      ? secureConnect({ host, port: this.#port, servername: host })
      : plainConnect({
          host,
          port: this.#port,
          localAddress: this.address,
        })
    this.#sockets.add(socket)
    return socket.on('error', () => undefined)
  }

  /** A connection that sends a text and reads until the end. */
  converse(text: string): Conversation {
    const socket = this.open()
    let all = ''
    socket.setEncoding('latin1').on('data', (part: string) => (all += part))
    const heard = new Promise<string>((resolve) => {
      socket.on('close', () => resolve(all))
    })
    socket.write(text, 'latin1')
    return { socket, heard }
  }

  /** Ends all of its connections. */
  close(): void {
    this.#agent.destroy()
    for (const socket of this.#sockets) socket.destroy()
  }
}
