import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '')
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  try {
    const { type, data } = webhook.verify(body, request.headers as Record<string, string>) as Event
    // The same event may come again, with the same id.
    const id = String(request.headers['webhook-id'])
    if (!seen.has(id)) console.log(type, data.waypoint?.name ?? '')
    seen.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})
server.listen(Number(process.env['PORT'] ?? 8787), '127.0.0.1', () => console.error(server.address()))

interface Event {
  readonly type: string
  readonly data: { readonly waypoint?: { readonly name: string } }
}
