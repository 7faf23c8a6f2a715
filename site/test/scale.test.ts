import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type SiteReport } from '../src/index.ts'
import { writeFixture } from './fixture.ts'
import { freshFolder } from './sample.ts'

const [waypoints, limit, regions] = [2400, 40, 800]
let out: string
let report: SiteReport

beforeAll(async () => {
  const folder = await freshFolder()
  await writeFixture(join(folder, 'export'), { waypoints, regionsOfWorld: regions })
  out = join(folder, 'site')
  report = await buildSite({ data: join(folder, 'export'), out, languages: ['en'], limit })
})

const compressed = async (path: string): Promise<number> => gzipSync(await readFile(join(out, path))).length

describe('a registry with hundreds of regions in all the world', () => {
  // With the scripts, styles and tiles that every registry needs this leaves the first view below 350 kB.
  it('has a home page little larger than a town’s', async () => {
    expect(await compressed('index.html')).toBeLessThan(19_000)
    expect(await compressed('map/places.json')).toBeLessThan(9000)
  })

  it('offers the largest regions to the filter from the map’s own file', async () => {
    const places: unknown = JSON.parse(await readFile(join(out, 'map/places.json'), 'utf8'))
    expect(places).toHaveLength(300)
    expect(await readFile(join(out, 'index.html'), 'utf8')).not.toContain('<option value="Waterside')
  })

  it('gives a page to the fountains that changed last, to all regions, and a place on the map to the rest', async () => {
    expect(report).toMatchObject({ waypoints, waypointPages: limit })
    const page = await readFile(join(out, 'regions/waterside-district-1/index.html'), 'utf8')
    expect(page).toContain('Only the most recently changed fountains have a page of their own')
    expect((await stat(join(out, 'map/cells/ids-0.json'))).size).toBeGreaterThan(1000)
  })
})
