import { connect } from 'node:net'

/**
 * Requests over a plain socket: a fraction of the cost of node:http's client, so that the server dominates the
 * measurement.
 */
export interface Conversation {
  /** The bytes of the next request; undefined ends it. */
  readonly next: () => string | undefined
  /** The required status of every response. */
  readonly status: number
  /** Called with each response's time, in milliseconds. */
  readonly onResponse: (milliseconds: number) => void
}

/** Sends one request after the other on one connection. Rejects at the first response with another status. */
export function converse(port: number, { next, status, onResponse }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let wanted = -1
    let received: Buffer = Buffer.alloc(0)
    const ask = (): void => {
      const request = next()
      if (request === undefined) {
        socket.removeAllListeners('close')
        socket.destroy()
        resolve()
        return
      }
      sent = performance.now()
      wanted = -1
      received = Buffer.alloc(0)
      socket.write(request)
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (wanted < 0) {
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = received.toString('latin1', 0, end)
        if (!head.startsWith(`HTTP/1.1 ${status}`)) return reject(new Error(head.split('\r\n', 1)[0]))
        wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
      }
      if (received.length < wanted) return
      onResponse(performance.now() - sent)
      ask()
    })
  })
}
