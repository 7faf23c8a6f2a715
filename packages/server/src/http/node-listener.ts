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
  return (request, response) => void answer(app, request, response)
}

async function answer(app: Fetching, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answered = await app.fetch(new NodeRequest({ req: request, res: response }))
    const parts = partsOf(answered)
    if (parts === undefined) return await sendNodeResponse(response, answered)
    response.writeHead(parts.status, parts.headers)
    response.end(parts.body)
  } catch {
    // Only a peer that left while it was answered comes here; the app turns its own errors into answers.
    response.destroy()
  }
}
