import type { Socket } from 'node:net'
import type { ServerResponse } from 'node:http'
import { nodeListener } from '@openfountain/server'
import type { LoggedEntry } from '@openfountain/core'
import { chromium } from 'playwright-core'
import { temporaryFolder } from '../registry.ts'
import { chromiumFlags, findChromium } from '../browser/chromium.ts'
import { complaintsOf } from '../browser/complaints.ts'
import { afterwards } from '../afterwards.ts'
import { accountStage } from './account-stage.ts'

export type Fault =
  | 'before'
  /** After the server's work, before any of the response arrives. */
  | 'after'
  | 'within'
  /** The server is busy for a second. */
  | 'busy'

export type ContributingStage = Awaited<ReturnType<typeof contributingStage>>

export async function contributingStage(
  site: string,
  given: {
    readonly database?: string
    readonly clock?: () => Date
    readonly passersBy?: boolean
    readonly contact?: string
    readonly openObservations?: boolean
  } = {},
) {
  const faults: Fault[] = []
  /** Writes that reached the server, `POST /api/waypoints`. */
  const writes: string[] = []
  let isCut = false
  const { passersBy = false, openObservations = false, contact, ...ofRegistry } = given
  const { clock } = ofRegistry
  const made = await accountStage(site, async () => ({ ...(clock && { clock }) }), ofRegistry, {
    passersBy,
    contact,
    openObservations,
    between(request, response, app) {
      const { method = '', url = '', socket } = request
      if (isCut && url.startsWith('/api')) return void socket.destroy()
      // A browser itself retries a request when a reused connection breaks.
      response.setHeader('connection', 'close')
      const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(method) && !url.startsWith('/api/auth')
      const fault = isWrite ? faults.shift() : undefined
      if (fault === 'before') return void socket.destroy()
      if (fault === 'busy') {
        request.resume()
        response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' })
        return void response.end('{"error":"Busy","code":"UNAVAILABLE","details":{}}')
      }
      if (isWrite) writes.push(`${method} ${url}`)
      const fetch = async (asked: Request) => lost(await app.fetch(asked), fault, response, socket)
      nodeListener({ fetch })(request, response)
    },
  })
  const { registry, origin } = made
  const person = async (name: string): Promise<string> => {
    const { users } = await registry.users.list()
    return (users.find((one) => one.name === name) ?? (await registry.users.create({ name, xp: 100 }))).id
  }
  return {
    ...made,
    faults,
    writes,
    cut: (value: boolean) => void (isCut = value),
    person,
    async link(name: string) {
      return `${origin}/sign-in/#${(await registry.accounts.link(await person(name))).secret}`
    },
    async entries() {
      const found: LoggedEntry[] = []
      for await (const entry of registry.changes.since(0)) if (entry.subject === 'waypoint') found.push(entry)
      return found
    },
  }
}

/** The answer of a server after its work, of which nothing or a half arrives. */
async function lost(
  answer: Response,
  fault: Fault | undefined,
  response: ServerResponse,
  socket: Socket,
): Promise<Response> {
  if (fault !== 'after' && fault !== 'within') return answer
  const body = Buffer.from(await answer.arrayBuffer())
  if (fault === 'after') socket.destroy()
  else {
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      'content-length': body.length,
    })
    response.write(body.subarray(0, body.length / 2), () => socket.destroy())
  }
  return new Promise<Response>(() => {})
}

export async function phone() {
  const folder = await temporaryFolder()
  const executablePath = await findChromium()
  return {
    async open() {
      const context = await chromium.launchPersistentContext(folder, {
        executablePath,
        args: chromiumFlags,
        locale: 'en-GB',
        viewport: { width: 390, height: 844 },
        hasTouch: true,
      })
      afterwards(() => context.close())
      const page = context.pages()[0] ?? (await context.newPage())
      return { page, context, complaints: complaintsOf(page) }
    },
  }
}
