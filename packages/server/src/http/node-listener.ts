import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { partsOf } from './response.ts'

/** Anything that answers web-standard requests, such as an app. */
export interface Fetching {
  fetch(request: Request): Response | Promise<Response>
}

/**
 * Turns an app into a listener of node:http. It does what h3's `toNodeHandler` does, and sends an answer that is
 * whole already in one write, head and body together, which is most of the cost of a light read.
 */
export function nodeListener(app: Fetching): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const answered = app.fetch(new NodeRequest({ req: request, res: response }))
    // Only a peer that left while it was answered fails here; the app turns its own errors into answers.
    const leave = (): void => void response.destroy()
    if (answered instanceof Promise) {
      answered.then((answer) => send(response, answer)).catch(leave)
    } else {
      send(response, answered)?.catch(leave)
    }
  }
}

function send(response: ServerResponse, answered: Response): Promise<void> | undefined {
  const parts = partsOf(answered)
  if (parts === undefined) return sendNodeResponse(response, answered)
  response.writeHead(parts.status, parts.headers)
  response.end(parts.body)
  return undefined
}
