import { copyFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { openRegistry, token, type Registry, type Waypoint } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { createApp, nodeListener } from '@openfountain/server'
import { siteFolder } from '../../../cli/src/commands/serve.ts'
import { sampleProperties } from '../sample-values.ts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildSite } from '../../../../site/src/index.ts'
import { square } from './town.ts'
import { onceARun } from '../once.ts'
import { listening } from './listening.ts'
import { freshFolder } from './sample.ts'
import { afterwards } from '../afterwards.ts'

/** How many fountains the site was built with. */
export const builtTotal = 12

/** Where the fountains of the town are, by their ids from 1. */
export const spot = (id: number) => ({
  latitude: square.latitude + 0.0007 * (id - 1),
  longitude: square.longitude + 0.0009 * ((id * 5) % 7),
})

/** A clock that goes on by a second whenever it is read. */
function clock(): () => Date {
  let now = Date.parse('2026-01-05T08:00:00Z')
  return () => new Date((now += 1000))
}

/** A registry and the site that was built from it. */
export interface BuiltTown {
  readonly database: string
  readonly site: string
}

/** Builds the site of a town of twelve fountains, which goes on to change. */
export async function buildTown(
  options: Partial<Parameters<typeof buildSite>[0]> = {},
  prepare: (registry: Registry) => Promise<void> = async () => {},
  hasApi = true,
): Promise<BuiltTown> {
  const folder = await freshFolder()
  return fillTown(folder, options, prepare, hasApi)
}

/** The same town in all languages with an API, which is built once a run. */
export async function liveTown(): Promise<BuiltTown> {
  const folder = await onceARun('town that changes', (making) =>
    fillTown(making, { languages: ['en', 'de', 'es', 'fr', 'it'] }),
  )
  return { database: join(folder, 'town.db'), site: join(folder, 'site') }
}

async function fillTown(
  folder: string,
  options: Partial<Parameters<typeof buildSite>[0]>,
  prepare: (registry: Registry) => Promise<void> = async () => {},
  hasApi = true,
): Promise<BuiltTown> {
  const database = join(folder, 'town.db')
  const registry = await openRegistry({
    database,
    name: 'Lindenau Fountains',
    author: 'Lindenau',
    properties: sampleProperties,
    clock: clock(),
  })
  for (let id = 1; id <= builtTotal; id += 1) {
    const amenities = id % 2 === 0 ? ['tap'] : ['bubbler', 'wheelchair']
    await registry.waypoints.create(
      {
        name: `Fountain ${id}`,
        ...spot(id),
        amenities,
        region: 'Linden Quarter',
        description: 'Under a lime.',
      },
      token(),
    )
  }
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await prepare(registry)
  await registry.close()
  const site = join(folder, 'site')
  await buildSite({ data, out: site, ...(hasApi && { api: '/api' }), languages: ['en', 'de'], ...options })
  return { database, site }
}

/** A request for the log, with what was answered. */
export interface LogRequest {
  readonly after: number
  readonly status: number
  readonly ifNoneMatch: string | undefined
}

/** A server with its site, whose log is followed. */
export interface LiveStage {
  readonly registry: Registry
  readonly origin: string
  /** Every request for the log so far. */
  readonly log: LogRequest[]
  /** Answers requests of the API in place of the server, as long as it returns true. */
  interfere: (request: IncomingMessage, response: ServerResponse) => boolean
  add(input?: Partial<Waypoint>): Promise<Waypoint>
}

export async function liveStage(
  { database, site }: BuiltTown,
  options: Partial<Parameters<typeof createApp>[1]> = {},
): Promise<LiveStage> {
  const copy = join(await freshFolder(), 'copy.db')
  await copyFile(database, copy)
  const registry = await openRegistry({
    database: copy,
    name: 'Lindenau Fountains',
    author: 'Lindenau',
    properties: sampleProperties,
  })
  afterwards(() => registry.close())
  const app = createApp(registry, { site: await siteFolder(site, undefined), ...options })
  const listener = nodeListener(app)
  const log: LogRequest[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    if (pathname === '/api/changes')
      response.once('finish', () =>
        log.push({
          after: Number(searchParams.get('after')),
          status: response.statusCode,
          ifNoneMatch: request.headers['if-none-match'],
        }),
      )
    if (pathname.startsWith('/api') && stage.interfere(request, response)) return
    listener(request, response)
  })
  const port = await listening(server)
  let added = 0
  const stage: LiveStage = {
    registry,
    origin: `http://127.0.0.1:${port}`,
    log,
    interfere: () => false,
    add: (input = {}) => {
      added += 1
      const { latitude, longitude } = square
      return registry.waypoints.create(
        {
          name: `New ${added}`,
          latitude: latitude - 0.0007 * added,
          longitude,
          amenities: ['spring'],
          ...input,
        },
        token(),
      )
    },
  }
  return stage
}

/** The map from above, where all fountains of the town are in view. */
export const nearTown = `/?at=${square.latitude + 0.0035},${square.longitude},14`

/** Waits until pages have asked for the log so many times. */
export async function hasAsked({ log }: LiveStage, times = 1): Promise<void> {
  await expect.poll(() => log.length).toBeGreaterThanOrEqual(times)
}

/** The name of a fountain in the list beside the map. */
export const listed = (page: Page, name: string): Locator =>
  page.locator('#list .fountain-name').getByText(name, { exact: true })
