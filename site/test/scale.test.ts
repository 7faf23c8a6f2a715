/** @module-tag long */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildSite, type SitePlan } from '../src/index.ts'
import { jsonIn, textIn, newFolder } from '@openfountain/testing/folder'
import { filesOf } from '@openfountain/testing/site/built-site'
import { writeFixture } from '@openfountain/testing/site/made-folder'

const [waypoints, regions] = [2400, 1100]
const plans: SitePlan[] = []

const read = (path: string): string => textIn(out, path)

const data = join(newFolder(), 'export')
await writeFixture(data, { waypoints, regionsOfWorld: regions })
const out = join(data, '../site')
const onPlan = (plan: SitePlan) => void plans.push(plan)
const report = await buildSite({ data, out, url: 'https://world.example', pages: 60, onPlan })
const files = (await filesOf(out)).filter((file) => file !== '.openfountain-site')

// With the scripts, styles and tiles that every registry needs this leaves the first view below 365 kB.
it('a site of a thousand regions has a home page little larger than a town’s, and offers the largest regions to the filter from the map’s own file', () => {
  expect(gzipSync(read('index.html')).length).toBeLessThan(19_000)
  expect(gzipSync(read('map/places.json')).length).toBeLessThan(9000)
  expect(JSON.parse(read('map/places.json'))).toHaveLength(300)
  expect(read('index.html')).not.toContain('<option value="Waterside')
})

it('a site of a thousand regions gives a page to the fountains that changed last, to all regions, and a place on the map to the rest', async () => {
  expect(report).toMatchObject({ waypoints, waypointPages: 60 })
  const missing = 'Only the most recently changed fountains have a page of their own'
  expect(read('regions/waterside-district-1/index.html')).toContain(missing)
  expect((await stat(join(out, 'map/cells/ids-0.json'))).size).toBeGreaterThan(1000)
})

it('a site of a thousand regions tells before its pages are made how large it will be, and is as large', () => {
  expect(plans).toEqual([report.plan])
  expect(report.files).toBe(files.length)
  expect(report.plan.files / files.length).toBeCloseTo(1, 1)
  const share = report.plan.bytes / report.bytes
  expect(share > 0.8 && share < 1.3, `${share}`).toBe(true)
})

it('a site of a thousand regions has a page for each region once, to which all languages and the sitemap lead', () => {
  const ofRegions = files.filter((file) => /(?:^|\/)regions\/[^/]+\/index\.html$/u.test(file))
  expect(ofRegions).toHaveLength(regions + 3)
  expect(ofRegions.filter((file) => !file.startsWith('regions/'))).toEqual([])
  expect(read('de/regions/index.html')).toContain('href="/regions/waterside-district-1/"')
  const sitemap = read('sitemap-en.xml')
  expect(sitemap).toContain('<loc>https://world.example/regions/waterside-district-1/</loc>')
  expect(sitemap).not.toContain('/de/regions/waterside-district-1/')
})

it('a site of a thousand regions lists regions below their countries, named in each language, and leads back from each page', () => {
  expect(read('fr/regions/index.html')).toContain('>Nouvelle-Zélande<')
  expect(read('de/index.html')).toContain('>Neuseeland<')
  const country = read('regions/nz/index.html')
  expect(country).toContain('data-country="NZ">New Zealand<')
  expect(country.split('href="/regions/waterside-district-').length - 1).toBe(366)
  const ofWaypoints = files.filter((file) => file.startsWith('waypoint/'))
  const pages = ['regions/waterside-district-2/index.html', ...ofWaypoints].map(read)
  const trails = pages.flatMap((html) =>
    [...html.matchAll(/<script type="application\/ld\+json">([^<]*BreadcrumbList[^<]*)</gu)].map(
      ([, json = '']) =>
        (JSON.parse(json) as { itemListElement: { name: string; item?: string }[] }).itemListElement,
    ),
  )
  expect(trails).toHaveLength(pages.length)
  expect(trails[0]?.map(({ name, item }) => [name, item])).toEqual([
    ['New Zealand', 'https://world.example/regions/nz/'],
    ['Waterside District 2', undefined],
  ])
  expect(trails.slice(1).some((trail) => trail.length === 3)).toBe(true)
  expect(pages.join('')).toContain('data-country="NZ">New Zealand</bdi></a>')
})

it('a site of a thousand regions switches every label of such a page', () => {
  const built = files.filter((file) => file.startsWith('regions/')).map(read)
  const page = built.find((html) => html.includes('<table')) ?? ''
  const labels = ['name', 'offers', 'rating', 'confirmed'].map((key) => `data-t="regions.${key}"`)
  for (const part of ['data-pages="one"', 'data-count="fountains"', ...labels]) expect(page).toContain(part)
  expect(jsonIn(out, 'languages/de.json').strings['regions.name']).toBeTypeOf('string')
})
