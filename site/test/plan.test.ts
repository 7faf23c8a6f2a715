import { expect, it } from 'vitest'
import { beyondText, largeFilesText, planSite, usualLimits, type PlanFacts } from '../src/build/plan.ts'

const town: PlanFacts = {
  wanted: undefined,
  waypoints: 900,
  regions: [500, 300, 100],
  people: 40,
  languages: 5,
  downloads: { files: 25, bytes: 4_000_000 },
  map: { files: 2200, bytes: 3_000_000 },
  pictures: 1,
}
const large: PlanFacts = {
  ...town,
  waypoints: 200_000,
  regions: Array.from({ length: 3775 }, (_, index) => 20 + (index % 66)),
  people: 500,
  downloads: { files: 25, bytes: 820_000_000 },
  map: { files: 5500, bytes: 60_000_000 },
  pictures: 300,
}

it('a plan gives every fountain of a town a page, and its regions one in each language', () => {
  const plan = planSite(town)
  expect(plan).toMatchObject({ waypointPages: 900, regionLanguages: 'every', people: 40, beyond: [] })
  expect(plan.parts.regions.files).toBeGreaterThanOrEqual(15)
})

it('a plan stays within the files and the bytes that usual hosts take, and makes no page where downloads alone pass them', () => {
  const plan = planSite(large)
  expect(plan).toMatchObject({ beyond: [], regionLanguages: 'one', parts: { regions: { files: 3775 } } })
  expect(plan.waypointPages).toBeGreaterThan(3000)
  const small = planSite({ ...large, downloads: { files: 0, bytes: 0 } })
  expect(small.files).toBeGreaterThan(usualLimits.files * 0.95)
  expect(small.files).toBeLessThanOrEqual(usualLimits.files)
  expect(small.waypointPages).toBeGreaterThan(7000)
  const downloads = { files: 25, bytes: 2e9 }
  expect(planSite({ ...large, downloads })).toMatchObject({ waypointPages: 0, beyond: ['bytes'] })
})

it('a plan with a number of pages makes as many as were asked for, says which limits it passes, and what helps', () => {
  const made = [0, 7000, Infinity].map((wanted) => planSite({ ...large, wanted }))
  expect(made.map(({ waypointPages }) => waypointPages)).toEqual([0, 7000, 200_000])
  const plan = made[2] ?? planSite(large)
  expect(plan.beyond).toEqual(['files', 'bytes'])
  expect(beyondText(plan)).toMatch(
    /^The site has 2\d\d,\d{3} files with \d,\d{3} MB; .* take 20,000 files and 1,000 MB/u,
  )
})

it('files of an export are said to be too large for a host from one byte above its limit on, with what helps', () => {
  const file = (name: string, mebibytes: number, more = 0) => ({ name, bytes: mebibytes * 2 ** 20 + more })
  expect(largeFilesText([file('waypoints.csv', 25), file('waypoints.gpx', 1)])).toBeUndefined()
  const csv = file('waypoints.csv', 25, 1)
  const message = largeFilesText([csv, file('waypoints.geojson', 100), file('waypoints.kml', 100, 1)])
  const named = 'waypoints.csv, waypoints.geojson, waypoints.kml'
  expect(message).toContain(`Cloudflare Pages takes no file of more than 25 MiB (${named})`)
  expect(message).toMatch(/GitHub takes no file of more than 100 MiB \(waypoints\.kml\).*--formats/su)
})
