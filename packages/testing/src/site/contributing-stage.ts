import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createApp, nodeListener } from '@openfountain/server'
import type { LoggedEntry } from '@openfountain/core'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { stage, type Stage } from '../accounts/stage.ts'
import { temporaryFolder } from '../registry.ts'
import { siteFolder } from '../../../cli/src/commands/serve.ts'
import { chromiumFlags, findChromium } from '../browser/chromium.ts'
import { complaintsOf } from '../browser/complaints.ts'
import { afterwards } from '../afterwards.ts'
import { listening } from './listening.ts'

export { complaintsOf }

/** Where a connection breaks. */
export type Fault =
  /** Before the server has the request. */
  | 'before'
  /** After the server has done it, before any of the response arrives. */
  | 'after'
  /** In the middle of the response. */
  | 'within'
  /** The server is busy for a second. */
  | 'busy'

/** A server with its site, behind a proxy that breaks connections. */
export interface ContributingStage extends Stage {
  readonly origin: string
  /** What happens to the next writes, one each; after them all go through. */
  readonly faults: Fault[]
  /** Writes that reached the server, `POST /api/waypoints`. */
  readonly writes: string[]
  /** Breaks every connection to the API, or no more. */
  cut(isCut: boolean): void
  /** The id of somebody who has XP enough for everything. */
  person(name: string): Promise<string>
  /** The address of a link with which somebody signs in. */
  link(name: string): Promise<string>
  /** The entries of the log about fountains. */
  entries(): Promise<LoggedEntry[]>
}

const isWrite = ({ method, url = '' }: IncomingMessage): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && !url.startsWith('/api/auth')

/**
 * @param site the folder of a site that was built with `api: '/api'`
 * @param given the registry's file, and a clock for it; default an empty registry in memory
 */
export async function contributingStage(
  site: string,
  given: {
    readonly database?: string
    readonly clock?: () => Date
    /** Whether people who are not signed in may report. */
    readonly openObservations?: boolean
  } = {},
): Promise<ContributingStage> {
  const faults: Fault[] = []
  const writes: string[] = []
  let isCut = false
  let upstream = 0
  const proxy = createServer((request, response) => {
    if (isCut && request.url?.startsWith('/api')) request.socket.destroy()
    else forward(request, response, upstream, isWrite(request) ? faults.shift() : undefined)
  })
  const origin = `http://localhost:${await listening(proxy, 'localhost')}`
  const { openObservations = false, ...registryOptions } = given
  const { clock } = registryOptions
  const made = await stage({ publicUrl: origin, ...(clock && { clock }) }, registryOptions)
  const app = nodeListener(
    createApp(made.registry, {
      accounts: made.ways,
      publicUrl: origin,
      site: await siteFolder(site, undefined),
      openObservations,
    }),
  )
  const server = createServer((request, response) => {
    if (isWrite(request)) writes.push(`${request.method} ${request.url}`)
    app(request, response)
  })
  upstream = await listening(server, 'localhost')
  const person = async (name: string): Promise<string> => {
    const { users } = await made.registry.users.list()
    return (users.find((one) => one.name === name) ?? (await made.registry.users.create({ name, xp: 100 })))
      .id
  }
  return {
    ...made,
    origin,
    faults,
    writes,
    cut: (value) => (isCut = value),
    person,
    async link(name) {
      return `${origin}/sign-in/#${(await made.registry.accounts.link(await person(name))).secret}`
    },
    async entries() {
      const found: LoggedEntry[] = []
      for await (const entry of made.registry.changes.since(0))
        if (entry.subject === 'waypoint') found.push(entry)
      return found
    },
  }
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Fault | undefined,
): void {
  if (fault === 'before') return void request.socket.destroy()
  if (fault === 'busy') {
    request.resume()
    response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' })
    return void response.end('{"error":"Busy","code":"UNAVAILABLE","details":{}}')
  }
  const { method, url, headers } = request
  const onward = httpRequest({ host: 'localhost', port, method, path: url, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const body = Buffer.concat(chunks)
      if (fault === 'after') return void request.socket.destroy()
      // A browser sends a request again by itself where a connection that it used before breaks.
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: 'close' })
      if (fault !== 'within') return void response.end(body)
      response.write(body.subarray(0, body.length / 2), () => request.socket.destroy())
    })
  })
  onward.on('error', () => request.socket.destroy())
  request.pipe(onward)
}

/** A browser whose profile outlives it. */
export interface Phone {
  /** Opens the browser, again with what it kept. */
  open(): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] }>
}

export async function phone(): Promise<Phone> {
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
