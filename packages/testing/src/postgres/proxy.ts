import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { portOf } from '../listening.ts'

/** Decides how a proxy handles a client's bytes. */
export type Watch = (sent: Buffer) => 'pass' | 'cut before' | 'cut after'

export class Proxy {
  readonly #server: Server
  port = 0
  readonly #sockets = new Set<Socket>()
  watch: Watch = () => 'pass'
  change: (answer: Buffer) => Buffer = (answer) => answer
  isAway = false
  /** Delay of all data, in milliseconds. */
  delay = 0
  isSilent = false

  private constructor(server: Server, to: number) {
    this.#server = server
    server.on('connection', (client) => {
      if (this.isAway) client.destroy()
      else this.#join(client, connect(to, '127.0.0.1'))
    })
  }

  static async start(to: number): Promise<Proxy> {
    const server = createServer()
    const proxy = new Proxy(server, to)
    proxy.port = await portOf(server)
    return proxy
  }

  #sender(socket: Socket): (data: Buffer) => void {
    let before = Promise.resolve()
    let waiting = 0
    const send = (data: Buffer): void => {
      if (!socket.destroyed) socket.write(data)
    }
    const sendLater = async (data: Buffer, after: Promise<void>, delay: number): Promise<void> => {
      await Promise.all([after, wait(delay, undefined, { ref: false })])
      waiting -= 1
      send(data)
    }
    return (data) => {
      if (this.delay === 0 && waiting === 0) return send(data)
      waiting += 1
      before = sendLater(data, before, this.delay)
    }
  }

  #join(client: Socket, server: Socket): void {
    let isCut = false
    const [toClient, toServer] = [this.#sender(client), this.#sender(server)]
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    client.on('close', () => server.end())
    server.on('close', () => client.destroy())
    server.on('data', (answer) => {
      // The server has done it, and its response is lost.
      if (isCut) client.destroy()
      else if (!this.isSilent) toClient(this.change(answer))
    })
    client.on('data', (sent) => {
      if (this.isSilent) return
      const what = this.watch(sent)
      if (what === 'cut before') return void client.destroy()
      isCut ||= what === 'cut after'
      toServer(sent)
    })
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
