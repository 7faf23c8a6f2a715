import { expect, it } from 'vitest'
import { defaultRules } from '@openfountain/core'
import { levelOf } from '@openfountain/core/rules'
import { levelTable } from '../src/build/levels.ts'
import { safeLink } from '../src/safe-link.ts'
import type { Month } from '../src/data/activity.ts'
import { contributorSlug } from '../src/data/contributors.ts'
import { lastNews } from '../src/data/news.ts'
import { neighbourhood } from '../src/data/neighbours.ts'
import { Waypoint } from '../src/data/records.ts'
import type { Region } from '../src/data/region.ts'
import { surveyOf } from '../src/data/survey.ts'
import { growthChart, monthlyChart } from '../src/drawing/charts.ts'
import { drawPlan } from '../src/drawing/plan.ts'

const dataTime = '2026-06-30T12:00:00.000Z'

const times = { created_at: dataTime, updated_at: dataTime, last_confirmed: dataTime.slice(0, 10) }
const common = { added_by: 'a', ...times, approved: true }
const waypoint = (id: number, latitude: number, longitude: number, more: object = {}): Waypoint =>
  Waypoint.parse({ ...common, id, name: `${id}`, latitude, longitude, verified: id % 2 === 0, ...more })

const here = waypoint(1, 70, 20)
const near = [here, waypoint(2, 70.005, 20), waypoint(3, 70, 20.01)]
const all = [...near, waypoint(4, 70, 20.2), waypoint(5, 71, 20)]

it('neighbours are the nearest by distance on the ground, also far north where degrees are narrow', () => {
  const found = neighbourhood(all)(here, 5)
  expect(found.map(({ waypoint: { id } }) => id)).toEqual([3, 2])
  expect(found[0]?.distanceMetres).toBeCloseTo(380, -1)
  expect(found[1]?.distanceMetres).toBeCloseTo(556, -1)
  expect(neighbourhood([])(here, 6)).toEqual([])
})

it('neighbours give water first, as far as their sources say', () => {
  const dry = Array.from({ length: 6 }, (_, place) => waypoint(place + 6, 70, 20.0001 * (1 + place * 1e-6)))
  const broken = dry.map((one) => ({ ...one, state: 'broken' as const }))
  const found = neighbourhood([here, ...broken, waypoint(2, 70.03, 20)])(here, 3)
  expect(found.map(({ waypoint: { id } }) => id)).toEqual([2, 6, 7])
})

it('neighbours are drawn in their true direction, none outside of the picture', () => {
  const { points, width, height } = drawPlan(neighbourhood(all)(here, 6))
  const signs = points.map(({ neighbour, x, y }) =>
    [neighbour.waypoint.id, Math.sign(x), Math.sign(y)].join(),
  )
  expect(signs).toEqual(expect.arrayContaining(['2,0,-1', '3,1,0']))
  for (const { x, y } of points) expect(Math.abs(x) <= width / 2 && Math.abs(y) <= height / 2).toBe(true)
})

it('charts over time are drawn of a single month too', () => {
  const size = { width: 760, height: 300 }
  const counts = { created: 1, edited: 1, flagged: 0, deleted: 0, reviewed: 2, waypoints: 10 }
  const only: Month[] = [{ month: '2024-02', ...counts }]
  const { line, x, y } = growthChart(only, size, String)
  const [from = NaN, bottom, top, to = NaN] = line.match(/[\d.]+/gu)?.map(Number) ?? []
  // A column as high as the value, over the month's name; not a slope that nothing was on.
  expect([bottom, (from + to) / 2]).toEqual([272, x[0]?.at])
  expect(top).toBeCloseTo((y.find(({ value }) => value === 10)?.at ?? NaN) - 0.5, 0)
  const widths = monthlyChart(only, size, String).bars.map(({ width }) => width)
  expect(Math.max(...widths)).toBeLessThanOrEqual(96)
})

const slugsOf = (regions: readonly (string | null)[]): string[] => {
  const rows = regions.map((region, index) => waypoint(index + 1, 0, 0, { region }))
  return surveyOf(rows, dataTime).regions.map(({ slug }) => slug)
}

it('a survey gives regions that look alike in an address different ones, plain ones in any script, with letters as the search folds them', () => {
  const slugs = slugsOf(['Zürich', 'Zurich', 'zurich!', '東京', '../..', null])
  expect(new Set(slugs).size).toBe(6)
  expect(slugs).toContain('elsewhere')
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u)
  expect(slugsOf(['Løkke', 'Łódź', 'Große Bäume']).toSorted()).toEqual(['grosse-baume', 'lodz', 'lokke'])
})

/** One line per region under its parent: name, address, waypoints, and waypoints in none of its parts. */
const asTree = (regions: readonly Region[]): string[] =>
  regions.flatMap(({ name, slug, waypoints, own, parts }) => [
    [name, slug, waypoints, ...(parts.length > 0 ? [own] : [])].join(' '),
    ...asTree(parts).map((line) => `  ${line}`),
  ])

it('a survey is a tree of countries, subdivisions and regions, in which what is given goes before what is derived', () => {
  const rome = { country: 'IT', subdivision: 'IT-62' }
  const all = [
    ...Array.from({ length: 9 }, () => ({ ...rome, region: 'Roma', place: 'Monti' })),
    { country: 'IT', region: 'Roma' },
    { ...rome, place: 'Trastevere' },
    { ...rome, place: 'Roma' },
    rome,
    { country: 'IT' },
    { country: 'FR', place: 'Roma' },
    { country: 'FR', region: 'Roma' },
    { country: 'FR', region: 'Trastevere' },
    { region: 'Roma' },
    { region: 'Atlantis' },
    { place: 'Mare' },
    {},
  ].map((more, index) => waypoint(index + 1, 41, 12, { ...more, verified: index % 2 === 0 }))
  const { roots, regions, named, regionOf } = surveyOf(all, dataTime)
  expect(asTree(roots)).toEqual([
    'IT it 15 1',
    '  IT-62 it-62 14 1',
    '    Roma roma 12',
    '    Trastevere trastevere-2 1',
    'FR fr 3 0',
    '  Roma roma-2 2',
    '  Trastevere trastevere 1',
    ' elsewhere 1',
    'Atlantis atlantis 1',
    'Mare mare 1',
  ])
  expect(named).toBe(6)
  for (const region of regions) {
    const isInside = (home: ReturnType<typeof regionOf>) => home === region || home?.within.includes(region)
    const inside = all.filter((one) => isInside(regionOf(one)))
    const counts = { waypoints: inside.length, verified: inside.filter((one) => one.verified).length }
    expect(region).toMatchObject(counts)
  }
})

it('a survey has at most five thousand regions that nobody named; the waypoints of the others are those of what they lie in', () => {
  const rows = [
    ...Array.from({ length: 5100 }, (_, id) =>
      waypoint(id, 41, 12, { country: 'IT', place: `Comune ${id}` }),
    ),
    ...Array.from({ length: 11 }, (_, id) =>
      waypoint(6000 + id, 41, 12, { country: 'IT', region: `Zona ${id}` }),
    ),
  ]
  const { roots, regions } = surveyOf(rows, dataTime)
  expect(regions.length).toBeLessThanOrEqual(5000)
  expect(regions.filter(({ name }) => name.startsWith('Zona'))).toHaveLength(11)
  const parts = regions.length - 1
  expect(roots[0]).toMatchObject({ waypoints: 5111, own: 5111 - parts, parts: { length: parts } })
})

it('a survey sorts fountains by how long ago they were confirmed', () => {
  const rows = [0, 31, 32, 180, 366, 700, 5000].map((days, index) => {
    const updated_at = new Date(Date.parse(dataTime) - days * 86_400_000).toISOString()
    return waypoint(index + 1, 0, 0, { last_confirmed: updated_at.slice(0, 10), updated_at })
  })
  rows.push(waypoint(9, 0, 0, { last_confirmed: undefined, sources: ['City of Lund'] }))
  expect(surveyOf(rows, dataTime).ages).toEqual({
    month: 2,
    quarter: 1,
    half: 1,
    year: 1,
    twoYears: 1,
    older: 1,
    unknown: 1,
  })
})

it('a survey takes what a source says of its own dates before the day of its listing, and no import for a confirmation', () => {
  const days = { last_confirmed: undefined, updated_at: '2026-11-20T00:00:00.000Z' }
  const listed = { ...days, source: 'City of Lund', last_listed: '2026-11-01' }
  const dated = { ...listed, source_updated: '2019-05-03' }
  const confirmed = { ...dated, last_confirmed: '2024-02-29' }
  const undated = { ...days, source: 'City of Lund' }
  const news = ['2026-11-20', '', '2026-11-01', '2019-05-03', '2024-02-29', '']
  expect([days, undated, listed, dated, confirmed, {}].map(lastNews)).toEqual(news)
})

it('levels begin where the rules of the registry say', () => {
  for (const { level, from } of levelTable(defaultRules)) {
    expect(levelOf(from)).toBe(level)
    if (from > 0) expect(levelOf(from - 1)).toBe(level - 1)
  }
})

it('addresses of contributors are plain words whatever the id', () => {
  expect(contributorSlug('person-1')).toBe('person-1')
  for (const id of ['..', 'a/b', 'ünal', '<script>', 'a'.repeat(100), ''])
    expect(contributorSlug(id)).toMatch(/^~[0-9a-f]{24}$/u)
  expect(contributorSlug('a/b')).not.toBe(contributorSlug('a/c'))
})

it('addresses that people gave lead only to http and https', () => {
  const [href, host] = ['https://photos.example/a.jpg', 'photos.example']
  expect(safeLink(href)).toEqual({ href, host })
  const others = ['javascript:alert(1)', 'data:text/html,x', '//photos.example/', 'photo.jpg', '', null]
  expect(others.map(safeLink)).toEqual(others.map(() => undefined))
})
