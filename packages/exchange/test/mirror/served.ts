import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { LoggedEntry, Registry } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server on a free port of 127.0.0.1, ended after the test. @returns its address */
export async function listening(listener: Listener): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      try {
        await listener(request, response)
      } catch {
        if (!response.headersSent) response.writeHead(500)
        response.end()
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

/** What an instance returns on the paths that a copy is made from. */
export async function answerOf(registry: Registry, url: URL): Promise<unknown> {
  const { pathname, searchParams } = url
  const number = (name: string) => Number(searchParams.get(name))
  switch (pathname) {
    case '/api/logs/head':
      return { head: await registry.changes.head(searchParams.has('size') ? number('size') : undefined) }
    case '/api/changes/consistency':
      return registry.changes.consistency(number('from'), number('to'))
    case '/api/changes':
      return {
        changes: await registry.changes.entries(number('after'), number('limit')),
        head: await registry.changes.head(),
        origin: await registry.changes.origin(),
        license: registry.license,
      }
    case '/api/users':
      return registry.users.list({ limit: number('limit'), offset: number('offset') })
    default:
      return { user: await registry.users.get(decodeURIComponent(pathname.slice('/api/users/'.length))) }
  }
}

/** Somebody between an instance and its copies. Each member may change an answer. */
export interface Lies {
  readonly changes?: (entries: LoggedEntry[], url: URL) => unknown[]
  readonly head?: (head: { id: number; hash: string }, url: URL) => unknown
  readonly proof?: (proof: string[]) => unknown
  readonly name?: (name: string, id: string) => unknown
}

/** An instance that lies. @returns its address, and the paths that were asked for */
export async function lying(registry: Registry, lies: Lies): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const url = await listening(async (request, response) => {
    const at = new URL(request.url ?? '/', 'http://127.0.0.1')
    asked.push(`${at.pathname}${at.search}`)
    const answer = (await answerOf(registry, at).catch(() => undefined)) as
      | {
          changes?: LoggedEntry[]
          head?: { id: number; hash: string }
          proof?: string[]
          user?: { name: string }
        }
      | undefined
    if (answer === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const told = {
      ...answer,
      ...(answer.changes && lies.changes && { changes: lies.changes(answer.changes, at) }),
      ...(answer.head && !answer.changes && lies.head && { head: lies.head(answer.head, at) }),
      ...(answer.proof && lies.proof && { proof: lies.proof(answer.proof) }),
      ...(answer.user &&
        lies.name && { user: { ...answer.user, name: lies.name(answer.user.name, at.pathname) } }),
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
  })
  return { url, asked }
}
