/** @module-tag long */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSite, type SitePlan, type SiteReport } from '../src/index.ts'
import { filesOf } from '@openfountain/testing/site/built-site'
import { writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'

const [waypoints, pages, regions] = [2400, 40, 800]
let out: string
let report: SiteReport

beforeAll(async () => {
  const folder = await freshFolder()
  await writeFixture(join(folder, 'export'), { waypoints, regionsOfWorld: regions })
  out = join(folder, 'site')
  report = await buildSite({ data: join(folder, 'export'), out, languages: ['en'], pages })
})

const crowd = { waypoints: 2400, regions: 1100 }
const expected: SitePlan[] = []
let many: { out: string; report: SiteReport }

beforeAll(async () => {
  const folder = await freshFolder()
  await writeFixture(join(folder, 'export'), { waypoints: crowd.waypoints, regionsOfWorld: crowd.regions })
  const site = join(folder, 'site')
  const made = await buildSite({
    data: join(folder, 'export'),
    out: site,
    url: 'https://world.example',
    pages: 60,
    onPlan: (plan) => expected.push(plan),
  })
  many = { out: site, report: made }
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
    expect(report).toMatchObject({ waypoints, waypointPages: pages })
    const page = await readFile(join(out, 'regions/waterside-district-1/index.html'), 'utf8')
    expect(page).toContain('Only the most recently changed fountains have a page of their own')
    expect((await stat(join(out, 'map/cells/ids-0.json'))).size).toBeGreaterThan(1000)
  })
})

describe('a registry with more regions than a host takes pages of in each language', () => {
  it('tells before its pages are made how large it will be, and is as large', async () => {
    expect(expected).toEqual([many.report.plan])
    const files = (await filesOf(many.out)).filter((file) => file !== '.openfountain-site')
    expect(many.report.files).toBe(files.length)
    expect(many.report.plan.files / files.length).toBeCloseTo(1, 1)
    expect(many.report.plan.bytes / many.report.bytes).toBeGreaterThan(0.8)
    expect(many.report.plan.bytes / many.report.bytes).toBeLessThan(1.3)
  })

  it('has a page for each region once, to which all languages and the sitemap lead', async () => {
    const files = await filesOf(many.out)
    const ofRegions = files.filter((file) => /(?:^|\/)regions\/[^/]+\/index\.html$/u.test(file))
    expect(ofRegions).toHaveLength(crowd.regions + 2)
    expect(ofRegions.filter((file) => !file.startsWith('regions/'))).toEqual([])
    expect(await readFile(join(many.out, 'de/regions/index.html'), 'utf8')).toContain(
      'href="/regions/waterside-district-1/"',
    )
    const sitemap = await readFile(join(many.out, 'sitemap-1.xml'), 'utf8')
    expect(sitemap).toContain('<loc>https://world.example/regions/waterside-district-1/</loc>')
    expect(sitemap).not.toContain('/de/regions/waterside-district-1/')
  })

  it('lists regions below their countries, named in each language, and leads back from each page', async () => {
    const read = (path: string) => readFile(join(many.out, path), 'utf8')
    expect(await read('fr/regions/index.html')).toContain('>Nouvelle-Zélande<')
    expect(await read('de/index.html')).toContain('>Neuseeland<')
    const country = await read('regions/nz/index.html')
    expect(country).toContain('data-country="NZ">New Zealand<')
    expect(country.split('href="/regions/waterside-district-').length - 1).toBe(367)
    const waypoint = (await filesOf(many.out)).filter((file) => file.startsWith('waypoint/'))
    const pages = await Promise.all(['regions/waterside-district-2/index.html', ...waypoint].map(read))
    const trails = pages.flatMap((html) =>
      [...html.matchAll(/<script type="application\/ld\+json">([^<]*BreadcrumbList[^<]*)</gu)].map(
        ([, json = '']) =>
          (
            JSON.parse(json) as { itemListElement: { position: number; name: string; item?: string }[] }
          ).itemListElement.map(({ name, item }) => [name, item]),
      ),
    )
    expect(trails).toHaveLength(pages.length)
    expect(trails[0]).toEqual([
      ['New Zealand', 'https://world.example/regions/nz/'],
      ['Waterside District 2', undefined],
    ])
    expect(trails.slice(1).filter((trail) => trail.length === 3).length).toBeGreaterThan(0)
    expect(
      pages.filter((html) => html.includes('data-country="NZ">New Zealand</bdi></a>')).length,
    ).toBeGreaterThan(0)
  })

  it('switches every label of such a page', async () => {
    const files = (await filesOf(many.out)).filter((file) => file.startsWith('regions/'))
    const built = await Promise.all(files.map((file) => readFile(join(many.out, file), 'utf8')))
    const page = built.find((html) => html.includes('<table')) ?? ''
    expect(page).toContain('data-pages="one"')
    for (const key of ['regions.name', 'regions.offers', 'regions.rating', 'regions.confirmed'])
      expect(page).toContain(`data-t="${key}"`)
    expect(page).toContain('data-count="fountains"')
    const german: unknown = JSON.parse(await readFile(join(many.out, 'languages/de.json'), 'utf8'))
    expect(german).toMatchObject({ strings: { 'regions.name': expect.any(String) } })
  })
})
