/** @module-tag long */
import { appendFile, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { exportRegistry, exportState, type RegistryExportOptions } from '@openfountain/exchange'
import { buildSite, siteFiles, type SiteOptions, type SiteReport, type SiteWarning } from '../src/index.ts'
import { filesOf } from '@openfountain/testing/site/built-site'
import { writeStreetTiles } from './map/street-tiles.ts'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'

const seed = Number(process.env['OPENFOUNTAIN_SEED'] ?? Date.now() % 1_000_000)

function randomFrom(start: number): (most: number) => number {
  let state = start
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const random = randomFrom(seed)
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** The names of the files that two folders do not have alike. */
async function differences(one: string, other: string): Promise<string[]> {
  const names = new Set([...(await filesOf(one)), ...(await filesOf(other))])
  const different: string[] = []
  for (const name of names) {
    const [a, b] = await Promise.all(
      [one, other].map((folder) => readFile(join(folder, name)).catch(() => undefined)),
    )
    if (!a || !b || !a.equals(b)) different.push(name)
  }
  return different
}

const people = ['ada', 'bela', 'chen']

/** What the clocks of registries show, which goes on an hour with each look. */
let now = 0

async function openSmall(): Promise<Registry> {
  now = Date.parse('2026-03-01T08:00:00Z')
  const registry = await openRegistry({
    database: ':memory:',
    name: 'Lindenau Fountains',
    author: 'Lindenau Water Friends',
    clock: () => new Date((now += 3_600_000)),
    places: ({ latitude }) =>
      latitude < 55.71
        ? { country: 'SE', subdivision: 'SE-M', name: 'Lindenau' }
        : latitude < 55.72
          ? { country: 'DK' }
          : undefined,
  })
  for (const id of people) await registry.users.create({ id, name: `Walker ${id}`, xp: 2000 })
  for (let index = 0; index < 40; index += 1) await add(registry)
  return registry
}

const add = (registry: Registry) =>
  registry.waypoints.create(
    {
      name: pick([`Fountain ${random(1000)}`, `Tap, Mill Lane ${random(50)}`]),
      latitude: 55.7 + random(4000) / 100_000,
      longitude: 13.2 + random(4000) / 100_000,
      ...(random(3) > 0 && { region: `Quarter ${random(4)}` }),
      amenities: ['tap'],
    },
    user(pick(people)),
  )

/** By somebody new: a person reviews a fountain once. */
async function review(registry: Registry, bubblerId: number): Promise<void> {
  const { id } = await registry.users.create({ name: `Visitor ${random(1000)}`, xp: 2000 })
  await registry.reviews.create({ bubblerId, rating: 1 + random(5), comment: 'Cold.' }, user(id))
}

/** Removes words of somebody for good, also from the log. */
async function redact(registry: Registry): Promise<void> {
  const { logs } = await registry.changes.list()
  const named = logs.filter(({ action, changes }) => action === 'created' && 'name' in changes)
  await registry.changes.redact(pick(named).id, { fields: ['name'], reason: 'A number' })
}

/** Finds other places around fountains, which is in no entry of the log. */
const assignPlaces = (registry: Registry) =>
  registry.waypoints.assignPlaces(({ latitude }) =>
    latitude < 55.715
      ? { country: 'SE', subdivision: 'SE-M', name: `Village ${random(3)}` }
      : { country: 'NO' },
  )

/** One of everything that people do. */
async function change(registry: Registry): Promise<void> {
  const all = await registry.waypoints.list()
  const { id } = pick(all)
  const by = user(pick(people))
  const changes: readonly (() => Promise<unknown>)[] = [
    () => add(registry),
    () => registry.waypoints.update(id, { name: `Renamed ${random(1000)}` }, by),
    () => registry.waypoints.update(id, { latitude: 55.7 + random(4000) / 100_000 }, by),
    () => registry.waypoints.update(id, { region: `Quarter ${random(5)}` }, by),
    () => registry.waypoints.update(id, { verified: true, approved: true }, token()),
    () => registry.waypoints.delete(id, token()),
    () => review(registry, id),
    () => registry.users.update(pick(people), { name: `Walker ${random(1000)}` }),
    () =>
      registry.waypoints.merge(
        id,
        { into: pick(all.filter((one) => one.id !== id)).id, reason: 'The same' },
        token(),
      ),
  ]
  await pick(changes)()
}

/** A registry, and what publishes it as the command does. */
async function published() {
  const registry = await openSmall()
  onTestFinished(() => registry.close())
  const folder = await freshFolder()
  let written = 0
  const build = async (
    out: string,
    content: Omit<RegistryExportOptions, 'out'> = {},
    more: Partial<SiteOptions> = {},
  ) => {
    const warnings: SiteWarning[] = []
    const report = await buildSite({
      async data(empty) {
        written += 1
        await exportRegistry(registry, { ...content, out: empty })
      },
      dataState: await exportState(registry, content),
      out,
      languages: ['en'],
      linked: true,
      onWarning: (warning) => warnings.push(warning),
      ...more,
    })
    return { ...report, warnings }
  }
  return { registry, folder, site: join(folder, 'site'), build, written: () => written }
}

describe(`a site that is built again (seed ${seed})`, () => {
  it('makes all pages anew when it has other options, other scripts, or a page is missing', async () => {
    const data = await exportSample()
    const folder = await freshFolder()
    const site = join(folder, 'site')
    const build = (title: string) => buildSite({ data, out: site, languages: ['en'], title })
    await build('Lindenau')
    const ofKinds = (await filesOf(site)).filter((file) =>
      /^(?:waypoint|contributor|regions\/.*)\/[^/]+\/index\.html$|^regions\/[^/]+\/index\.html$/u.test(file),
    )
    const { unchangedPages: all } = await build('Lindenau')
    expect(all).toBe(ofKinds.length)
    await rm(join(site, 'waypoint/1'), { recursive: true })
    expect((await build('Lindenau')).unchangedPages).toBe(all - 1)
    const renamed = await build('Fountains')
    expect(renamed.unchangedPages).toBe(0)
    await writeFile(join(site, '_astro/older.js'), '')
    const { pages, unchangedPages } = await build('Fountains')
    expect({ pages, unchangedPages }).toEqual({ pages: renamed.pages, unchangedPages: 0 })
    expect(await readFile(join(site, 'waypoint/1/index.html'), 'utf8')).toContain('Fountains')
  })

  it('follows what the registry declares of its custom fields', async () => {
    const folder = await freshFolder()
    const site = join(folder, 'site')
    const build = async (title: string, out = site) => {
      const registry = await openRegistry({
        database: join(folder, 'town.db'),
        name: 'Lindenau Fountains',
        clock: () => new Date('2026-03-01T08:00:00Z'),
        properties: { type: 'object', properties: { height: { type: 'number', title } } },
      })
      try {
        if ((await registry.head()).id === 0) {
          const place = { latitude: 55.7, longitude: 13.2, amenities: ['tap'] }
          await registry.waypoints.create({ name: 'Well', ...place, properties: { height: 1 } }, token())
        }
        return await buildSite({
          data: (empty) => exportRegistry(registry, { out: empty }).then(() => undefined),
          dataState: await exportState(registry, {}),
          out,
          languages: ['en'],
          linked: true,
          api: '/api',
        })
      } finally {
        await registry.close()
      }
    }
    await build('Height')
    expect(await build('Height')).toMatchObject({ unchangedSite: true })
    expect(await build('Tallness')).toMatchObject({ unchangedSite: false, unchangedPages: 0 })
    expect(await readFile(join(site, 'languages/en.json'), 'utf8')).toContain('[["height","Tallness"]]')
    await build('Tallness', join(folder, 'anew'))
    expect(await differences(site, join(folder, 'anew'))).toEqual([])
  })

  it.each([
    ['alone', { url: 'https://fountains.example' }],
    ['beside an API', { api: '/api' }],
  ])(
    '%s is byte for byte as one that is built from nothing, and takes over what is the same',
    async (_how, more) => {
      const registry = await openSmall()
      const folder = await freshFolder()
      const site = join(folder, 'site')
      const options = { languages: ['en', 'de'], title: 'Lindenau', ...more }
      const reports: SiteReport[] = []
      try {
        for (const changes of [0, 1, 4]) {
          for (let done = 0; done < changes; done += 1) await change(registry)
          if (changes === 4) {
            await redact(registry)
            await assignPlaces(registry)
            now += 86_400_000
          }
          const { folder: data } = await exportRegistry(registry, { out: join(folder, `export-${changes}`) })
          reports.push(await buildSite({ ...options, data, out: site }))
          const anew = join(folder, `anew-${changes}`)
          if (changes > 0) {
            await buildSite({ ...options, data, out: anew })
            expect(await differences(site, anew)).toEqual([])
          }
        }
        expect(reports[0]?.unchangedPages).toBe(0)
        expect(reports[1]?.unchangedPages).toBeGreaterThan(20)
        expect(reports[1]?.pages).toBe(
          (await filesOf(join(folder, 'anew-1'))).filter((file) => file.endsWith('.html')).length,
        )
      } finally {
        await registry.close()
      }
    },
  )

  it('takes its export over from the earlier site while what that is written from is the same', async () => {
    const { registry, folder, site, build, written } = await published()
    const more = { precompress: true, splitByLicense: true, formats: ['csv', ...siteFiles] }
    expect(await build(site, more)).toMatchObject({ unchangedData: false })
    const other = { title: 'Fountains' }
    expect(await build(site, more, other)).toMatchObject({ unchangedData: true, unchangedSite: false })
    expect(written()).toBe(1)
    await build(join(folder, 'anew'), more, other)
    expect(await differences(site, join(folder, 'anew'))).toEqual([])
    expect(written()).toBe(2)

    await rm(join(site, 'data/ODbL-1.0/waypoints.csv'))
    expect(await build(site, more, other)).toMatchObject({ unchangedData: false })
    expect(await differences(site, join(folder, 'anew'))).toEqual([])
    await change(registry)
    expect(await build(site, more)).toMatchObject({ unchangedData: false })
    expect(await build(site, { ...more, formats: siteFiles })).toMatchObject({ unchangedData: false })
    expect(await filesOf(site)).not.toContain('data/ODbL-1.0/waypoints.csv')
    expect(written()).toBe(5)
  })

  it('stays where it is while everything that it is built from is the same, and is built again after each change of that', async () => {
    const { registry, folder, site, build, written } = await published()
    const places = join(folder, 'places.csv')
    await writeFile(places, 'name,latitude,longitude\nMill Lane,55.7,13.2\n')
    const streets = join(folder, 'streets.pmtiles')
    await writeStreetTiles(streets, { maxZoom: 1, bounds: [-72, -42, -71, -41] })
    const more: Partial<SiteOptions> = { places, basemap: streets }
    const first = await build(site, {}, more)
    expect(first.warnings.map(({ code }) => code)).toEqual(['BASEMAP_ELSEWHERE'])
    const link = await readlink(site)
    await utimes(site, 0, 0)
    const again = await build(site, {}, more)
    expect((await stat(site)).mtimeMs).not.toBe(0)
    expect(again).toEqual({
      ...first,
      unchangedPages: first.pages,
      unchangedData: true,
      unchangedSite: true,
    })
    expect(await readlink(site)).toBe(link)
    expect(written()).toBe(1)
    await build(join(folder, 'anew'), {}, more)
    expect(await differences(site, join(folder, 'anew'))).toEqual([])

    const isBuilt = async (given: Partial<SiteOptions> = more) => {
      const before = await readlink(site)
      const { unchangedSite } = await build(site, {}, given)
      return !unchangedSite && (await readlink(site)) !== before
    }
    await rm(join(site, 'robots.txt'))
    expect(await isBuilt()).toBe(true)
    expect(await filesOf(site)).toContain('robots.txt')
    await writeFile(join(site, 'index.html'), 'Cut off')
    expect(await isBuilt()).toBe(true)
    await appendFile(places, 'Harbour,55.71,13.21\n')
    expect(await isBuilt()).toBe(true)
    await utimes(streets, 0, 0)
    expect(await isBuilt()).toBe(true)
    expect(await isBuilt({ ...more, pages: 3 })).toBe(true)
    expect(await isBuilt()).toBe(true)
    expect(await isBuilt()).toBe(false)
    await change(registry)
    expect(await isBuilt()).toBe(true)
  })
})

/** What a site keeps for the next build. */
const keptBeside = async (site: string): Promise<string> => `${join(site, '..', await readlink(site))}-kept`

it.each([
  ['is gone', (folder: string) => rm(folder, { recursive: true })],
  [
    'was cut',
    async (folder: string) => {
      for (const name of await filesOf(folder)) {
        const bytes = await readFile(join(folder, name))
        await writeFile(join(folder, name), bytes.subarray(0, bytes.length - 9))
      }
    },
  ],
  [
    'was changed',
    async (folder: string) => {
      for (const name of await filesOf(folder)) {
        const bytes = await readFile(join(folder, name))
        bytes.fill(' ', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20)
        await writeFile(join(folder, name), bytes)
      }
    },
  ],
])('a site is the same where what the earlier build kept %s', async (_what, spoil) => {
  const { registry, folder, site, build } = await published()
  await build(site)
  const kept = await keptBeside(site)
  expect(await filesOf(kept)).toEqual(
    expect.arrayContaining(['rows.ndjson', 'log.txt', 'cells.json', 'search.json']),
  )
  await spoil(kept)
  await change(registry)
  await build(site)
  const anew = join(folder, 'anew')
  await build(anew)
  expect(await differences(site, anew)).toEqual([])
  expect(await filesOf(`${site}/..`)).not.toContain(kept)
})

it('pieces of the search that a change does not meet are the same files again', async () => {
  const { registry, site, build } = await published()
  await build(site)
  const inodes = async () => {
    const names = (await filesOf(join(site, 'search'))).filter((name) => name !== 'index.json')
    const found = names.map(async (name) => [name, (await stat(join(site, 'search', name))).ino] as const)
    return new Map(await Promise.all(found))
  }
  const before = await inodes()
  await registry.waypoints.create({ name: 'Quellnymphe', latitude: 55.7, longitude: 13.2 }, token())
  await build(site)
  const after = await inodes()
  const same = [...after].filter(([name, inode]) => before.get(name) === inode)
  expect(same.length).toBeGreaterThan(0)
  expect(same.length).toBeLessThan(after.size)
})
