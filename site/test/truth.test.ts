/** @module-tag browser */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, user } from '@openfountain/core'
import { exportRegistry, importFile } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { newPage } from '@openfountain/testing/browser/page'
import { jsonIn, newFolder } from '@openfountain/testing/folder'
import { pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { expect, it, afterAll } from 'vitest'
import { readRows } from '../src/explore/data.ts'
import { choose, facetOf } from '../src/explore/facets.ts'
import { nothingChosen } from '../src/explore/selection.ts'
import { buildSite } from '../src/index.ts'

// Pages, lists, counts, API and exports agree on the state of each fountain.

interface Known {
  readonly state: string
  readonly listed?: string
  readonly confirmed?: string
  readonly usable?: false
  readonly says: string
  readonly lastKnown: string
  /** In a list, where there is more to say than the name. */
  readonly short?: string
  /** The group of its last news in the statistics. */
  readonly age: string
}

const [listed, confirmed] = ['2026-10-01', '2026-11-02']
const [october, november] = ['October 1, 2026', 'November 2, 2026']
const fromCity = `City, listed on ${october}`
const dated = { listed, age: 'Up to three months', lastKnown: fromCity } as const
const own = { lastKnown: 'November 20, 2026', confirmed: '2026-11-20', age: 'Up to a month' } as const
const bySource = 'Out of order according to its source'

const fountains: Readonly<Record<string, Known>> = {
  Listed: { ...dated, state: 'unconfirmed', says: 'Not known whether it works' },
  Checked: {
    ...dated,
    state: 'works',
    confirmed,
    says: `Works: checked on ${november}`,
    short: 'Works',
    age: 'Up to a month',
    lastKnown: `${november} · ${fromCity}`,
  },
  Old: {
    ...dated,
    state: 'unconfirmed',
    confirmed: '2020-01-05',
    says: 'Last confirmed on January 5, 2020',
    age: 'More than two years',
    lastKnown: `January 5, 2020 · ${fromCity}`,
  },
  Broken: {
    ...dated,
    state: 'broken',
    usable: false,
    says: `${bySource}, on ${october}`,
    short: 'Out of order',
  },
  Private: {
    ...dated,
    state: 'unconfirmed',
    usable: false,
    says: 'Not known whether it works',
    short: 'Private',
  },
  Undrinkable: {
    ...dated,
    state: 'unconfirmed',
    usable: false,
    says: 'Not known whether it works',
    short: 'Not for drinking',
  },
  Undated: {
    state: 'unconfirmed',
    says: 'Not known whether it works',
    age: 'Date unknown',
    lastKnown: 'Club, date unknown',
  },
  Works: { ...own, state: 'works', says: 'Works: confirmed on November 20, 2026', short: 'Works' },
  Reported: {
    state: 'reported',
    says: 'A problem was reported on November 20, 2026',
    short: 'Problem reported',
    age: 'Up to a month',
    lastKnown: 'November 20, 2026',
  },
  Gone: {
    state: 'gone',
    usable: false,
    says: 'No longer there',
    short: 'Reported gone',
    age: 'Up to a month',
    lastKnown: 'November 20, 2026',
  },
  Off: {
    state: 'off',
    usable: false,
    says: 'Off for the season until',
    short: 'Off for the season',
    age: 'Up to a month',
    lastKnown: 'date unknown',
  },
}
const names = Object.keys(fountains)
const placeOf = (name: string) => ({ latitude: 55.7 + names.indexOf(name) / 500, longitude: 13.19 })

const ids = new Map<string, number>()

const folder = newFolder()
let now = Date.parse('2026-11-20T08:00:00Z')
const clock = () => new Date((now += 1000))
const registry = await openRegistry({ database: join(folder, 'all.db'), name: 'Lindenau Fountains', clock })
const table = async (source: string, lines: readonly string[], published?: string) => {
  const file = join(folder, `${source}.csv`)
  const rows = lines.map((line) => {
    const [name = '', ...cells] = line.split(',')
    const { latitude, longitude } = placeOf(name)
    return [name, name, latitude, longitude, ...cells].join(',')
  })
  await writeFile(file, ['ref,name,lat,lon,status,checked,access,drinkable', ...rows].join('\n'))
  const map = join(folder, 'map.json')
  const fields = Object.fromEntries(
    ['ref', 'name', 'status', 'checked', 'access', 'drinkable'].map((each) => [each, each]),
  )
  await writeFile(
    map,
    JSON.stringify({ fields: { ...fields, latitude: 'lat', longitude: 'lon' }, place: 'Linden' }),
  )
  await importFile(registry, {
    file,
    source: { name: source, license: 'ODbL-1.0' },
    map,
    keepAll: true,
    ...(published && { published }),
  })
}
const city = [
  'Listed,,,,',
  `Checked,works,${confirmed},,`,
  'Old,works,2020-01-05,,',
  'Broken,broken,,,',
  'Private,,,private,',
  'Undrinkable,,,,no',
]
await table('City', city, listed)
await table('Club', ['Undated,,,,'])
const people = await Promise.all(['Ada', 'Béla'].map((name) => registry.users.create({ name, xp: 5000 })))
const [ada, bela] = people.map(({ id }) => user(id))
if (!ada || !bela) throw new Error('There is nobody')
for (const name of ['Works', 'Reported', 'Gone', 'Off']) {
  const season = name === 'Off' ? { season: '04-01/10-31' } : {}
  await registry.waypoints.create({ name, region: 'Linden', ...placeOf(name), ...season }, ada)
}
for (const { id, name } of await registry.waypoints.list()) ids.set(name, id)
const seen = [
  ['Works', 'works', ada],
  ['Reported', 'broken', bela],
  ['Gone', 'gone', ada],
  ['Gone', 'gone', bela],
] as const
for (const [name, kind, actor] of seen)
  await registry.observations.create(
    { bubblerId: ids.get(name) ?? 0, kind, near: { ...placeOf(name), accuracy: 5 } },
    actor,
  )
const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export') })
const out = join(folder, 'site')
await buildSite({ data, out, languages: ['en'] })
const pages = await pagesOf(out)
const url = (await hostFolder(out)).url
afterAll(() => registry.close())

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()
const textIn = (path: string): string => plain(tagged(pageAt(pages, path), 'main').map(textOf).join(' '))
const dateOf = (day: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day))
const each = <Read>(read: (known: Known) => Read) =>
  Object.fromEntries(Object.entries(fountains).map(([name, known]) => [name, read(known)]))
const countsOf = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, (one) => one)].map(([value, all]) => [value, all.length]))
const stated = each(({ state, listed: day, confirmed: seen }) => [state, day, seen])

it('API and exports say the same state and days of each fountain, and their filters find as many', async () => {
  const app = createApp(registry)
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await (await app.fetch(new Request(`http://host/api/waypoints${path}`))).json()) as Record<
      string,
      unknown
    >
  const found = await Promise.all(
    names.map(async (name) => {
      const { status } = (await read(`/${ids.get(name)}`)) as { status: Record<string, unknown> }
      return [name, [status['state'], status['lastConfirmed']]] as const
    }),
  )
  expect(Object.fromEntries(found)).toEqual(each(({ state, confirmed: seen }) => [state, seen]))
  const ask = async (query: string) =>
    ((await read(query)) as { waypoints: { name: string }[] }).waypoints.map(({ name }) => name).toSorted()
  const { features } = jsonIn(data, 'waypoints.geojson') as {
    features: { properties: Record<string, unknown> }[]
  }
  expect(
    Object.fromEntries(
      features.map(({ properties: row }) => [
        row['name'],
        [row['state'], row['last_listed'], row['last_confirmed']],
      ]),
    ),
  ).toEqual(stated)
  for (const state of new Set(Object.values(fountains).map((known) => known.state)))
    expect(await ask(`?status=${state}`)).toEqual(
      names.filter((name) => fountains[name]?.state === state).toSorted(),
    )
  const usable = names.filter((name) => fountains[name]?.usable !== false).toSorted()
  expect(await ask('?usable=true')).toEqual(usable)
})

it('the page to explore data and the statistics count them likewise', async () => {
  const rows = await readRows([new URL('data/waypoints.ndjson.gz', url).href])
  const { counts } = choose(rows, [facetOf('state', rows)], nothingChosen)
  expect(Object.fromEntries(counts.state ?? [])).toEqual(
    countsOf(Object.values(fountains).map(({ state }) => state)),
  )
  const statistics = textIn('/statistics/')
  for (const [age, count] of Object.entries(countsOf(Object.values(fountains).map((known) => known.age))))
    expect(statistics).toContain(`${age}${count}`)
})

it('list, page and card say the same of each', async () => {
  const list = textIn('/regions/linden/')
  const page = await newPage()
  await page.clock.setFixedTime('2026-11-20T12:00:00Z')
  for (const [name, known] of Object.entries(fountains)) {
    const { says, lastKnown, short, confirmed: seen, listed: day } = known
    expect(list).toContain(`${name} ${short ?? ''}${seen ? dateOf(seen) : ''}`)
    const facts = textIn(`/waypoint/${ids.get(name)}/`)
    expect(facts).toContain(says)
    expect(facts).toContain(`Last known${lastKnown}`)
    expect(facts.includes('Last confirmed' + (seen ? dateOf(seen) : 'never')), name).toBe(seen !== undefined)
    expect(facts.includes(`Last listed${day ? dateOf(day) : 'never'}`), name).toBe(day !== undefined)
    await page.goto(`${url}?usable=0&fountain=${ids.get(name)}`)
    await page.locator('#card').getByRole('link', { name: 'Directions' }).waitFor()
    const card = plain(await page.locator('#card').innerText())
    expect(card).toContain(says.split(/ on |:/u)[0])
    expect(card).toContain(`Last known ${lastKnown}`)
  }
})
