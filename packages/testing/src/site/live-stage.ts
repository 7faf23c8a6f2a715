import { copyFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { openRegistry, token, type Waypoint } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { createApp, nodeListener } from '@openfountain/server'
import { siteFolder } from '../../../cli/src/commands/serve.ts'
import { sampleProperties } from '../sample-values.ts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildSite } from '../../../../site/src/index.ts'
import { square } from './town.ts'
import { onceARun } from '../once.ts'
import { listening } from '../listening.ts'
import { photosInMemory } from '../photos.ts'
import { tickingClock } from '../registry.ts'
import { afterwards } from '../afterwards.ts'
import { newFolder } from '../folder.ts'

export const builtTotal = 12

export const spot = (id: number) => ({
  latitude: square.latitude + 0.0007 * (id - 1),
  longitude: square.longitude + 0.0009 * ((id * 5) % 7),
})

const options = { name: 'Lindenau Fountains', author: 'Lindenau', properties: sampleProperties }

export type BuiltTown = Awaited<ReturnType<typeof liveTown>>

async function buildTown(folder: string): Promise<void> {
  const [database, site] = [join(folder, 'town.db'), join(folder, 'site')]
  const registry = await openRegistry({ ...options, database, clock: tickingClock('2026-01-05T08:00:01Z') })
  for (let id = 1; id <= builtTotal; id += 1) {
    const amenities = id % 2 === 0 ? ['tap'] : ['bubbler', 'wheelchair']
    const about = { amenities, region: 'Linden Quarter', description: 'Under a lime.' }
    await registry.waypoints.create({ name: `Fountain ${id}`, ...spot(id), ...about }, token())
  }
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
  await registry.close()
  await buildSite({ data, out: site, api: '/api', languages: ['en', 'de', 'es', 'fr', 'it'] })
}

export async function liveTown() {
  const folder = await onceARun('town that changes', buildTown)
  return { database: join(folder, 'town.db'), site: join(folder, 'site') }
}

export type LiveStage = Awaited<ReturnType<typeof liveStage>>

export async function liveStage({ database, site }: BuiltTown) {
  const copy = join(newFolder(), 'copy.db')
  await copyFile(database, copy)
  const registry = await openRegistry({ ...options, database: copy, photos: photosInMemory() })
  afterwards(() => registry.close())
  const app = createApp(registry, { site: await siteFolder(site, undefined) })
  const listener = nodeListener(app)
  const log: { readonly after: number; readonly status: number }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    if (pathname === '/api/changes')
      response.once('finish', () =>
        log.push({ after: Number(searchParams.get('after')), status: response.statusCode }),
      )
    if (pathname.startsWith('/api') && stage.interfere(request, response)) return
    listener(request, response)
  })
  const port = await listening(server)
  let added = 0
  const stage = {
    registry,
    origin: `http://127.0.0.1:${port}`,
    log,
    /** Answers API requests in place of the server, as long as it returns true. */
    interfere: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
    add: (input: Partial<Waypoint> = {}) => {
      added += 1
      const place = { ...square, latitude: square.latitude - 0.0007 * added }
      const fresh = { name: `New ${added}`, ...place, amenities: ['spring'], ...input }
      return registry.waypoints.create(fresh, token())
    },
  }
  return stage
}

export const nearTown = `/?at=${square.latitude + 0.0035},${square.longitude},14`

export async function hasAsked({ log }: LiveStage, times = 1): Promise<void> {
  await expect.poll(() => log.length).toBeGreaterThanOrEqual(times)
}

export const listed = (page: Page, name: string): Locator =>
  page.locator('#list .fountain-name').getByText(name, { exact: true })
