import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeHttp1Handler } from 'srvx'
import { NodeRequest, type NodeResponse, sendNodeResponse, serve } from 'srvx/node'
import { WholeResponse } from './response.ts'

/** A handler of web-standard requests, such as an app. */
export interface Fetching {
  fetch(request: Request): Response | Promise<Response>
}

/** Turns an app into a request listener of node:http, for `createServer(nodeListener(app))`. */
export function nodeListener(app: Fetching): (request: IncomingMessage, response: ServerResponse) => void {
  // The server itself never listens; its handler is for request targets that are more than a path.
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
      // srvx throws, and so sends an empty 500, for a URL with a host such as `example:99999`.
      else request.headers.host = noHost
    }
    if (request.url?.startsWith('/') === true) void handlePath(app, request, response)
    else void handle(request, response)
  }
}

/** Replaces an invalid Host header; no origin matches it (RFC 2606, section 2). */
const noHost = 'host.invalid'

async function handlePath(app: Fetching, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const made = await app.fetch(new NodeRequest({ req: request, res: response }))
    const rest = made instanceof WholeResponse && isForNode(made) ? sendWhole(made, response) : made
    if (rest !== undefined) await sendNodeResponse(response, rest)
  } catch {
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end()
  }
}

const isForNode = (made: Response): made is NodeResponse => '_toNodeResponse' in made

/**
 * Sends head and body in one piece. srvx writes the body first and then ends the response, so that Node collects
 * several pieces, which is a tenth of the time of a short response (benchmark row by-id).
 *
 * @returns the response to send instead, when its body was accessed and so has become a stream
 */
function sendWhole(made: NodeResponse, response: ServerResponse): Response | undefined {
  const { status, statusText, headers, body } = made._toNodeResponse()
  if (body instanceof ReadableStream)
    return new Response(body, { status, statusText, headers: pairsOf(headers) })
  response.writeHead(status, headers).end(body)
  return undefined
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))
}
