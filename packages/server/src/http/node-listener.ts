import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeHttp1Handler } from 'srvx'
import { serve } from 'srvx/node'

/** Anything that handles web-standard requests, such as an app. */
export interface Fetching {
  fetch(request: Request): Response | Promise<Response>
}

/** Turns an app into a request listener of node:http, for `createServer(nodeListener(app))`. */
export function nodeListener(app: Fetching): (request: IncomingMessage, response: ServerResponse) => void {
  // The server itself never listens. Its handler does what `toNodeHandler` does, which takes longer for a read by id
  // because it also returns a promise of the end of each response.
  const { node } = serve({
    fetch: (request) => app.fetch(request),
    manual: true,
    port: 0,
    hostname: '127.0.0.1',
    gracefulShutdown: false,
    silent: true,
  })
  if (node === undefined) throw new Error('nodeListener needs Node')
  const handle = node.handler as NodeHttp1Handler
  let knownHost = ''
  return (request, response) => {
    const { host } = request.headers
    if (host !== undefined && host !== knownHost) {
      if (URL.canParse(`http://${host}`)) knownHost = host
      // srvx throws, and so sends an empty 500, when it has to parse a URL with a host such as `example:99999`.
      else request.headers.host = noHost
    }
    void handle(request, response)
  }
}

/** Stands for a Host header that cannot be one; no origin matches it (RFC 2606, section 2). */
const noHost = 'host.invalid'
