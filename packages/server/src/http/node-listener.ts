import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, type NodeResponse, sendNodeResponse } from 'srvx/node'
import { WholeResponse } from './response.ts'

/** A handler of web-standard requests, such as an app. */
export interface Fetching {
  fetch(request: Request): Response | Promise<Response>
}

/**
 * Turns an app into a request listener of node:http, for `createServer(nodeListener(app))`. h3's own, `toNodeHandler`,
 * lets errors of impossible hosts and targets end the process, and sends each response in two pieces.
 */
export function nodeListener(app: Fetching): (request: IncomingMessage, response: ServerResponse) => void {
  let knownHost = ''
  return (request, response) => {
    const { host } = request.headers
    if (host !== undefined && host !== knownHost) {
      if (URL.canParse(`http://${host}`)) knownHost = host
      // srvx throws for a URL with a host such as `example:99999`.
      else request.headers.host = noHost
    }
    if (isTarget(request.url)) void handle(app, request, response)
    else response.writeHead(400).end()
  }
}

/** Replaces an invalid Host header; no origin matches it (RFC 2606, section 2). */
const noHost = 'host.invalid'

/** Whether a request is for a path, for `*`, or for the address of a website (RFC 9112, section 3.2). */
const isTarget = (url = ''): boolean =>
  url.startsWith('/') || url === '*' || (/^https?:\/\//iu.test(url) && URL.canParse(url))

async function handle(app: Fetching, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const given = app.fetch(new NodeRequest({ req: request, res: response }))
    const made = given instanceof WholeResponse ? given : await given
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
