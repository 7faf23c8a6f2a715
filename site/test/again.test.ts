/** @module-tag long */
import { appendFile, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { exportRegistry, exportState, type RegistryExportOptions } from '@openfountain/exchange'
import { buildSite, siteFiles, type SiteOptions, type SiteWarning } from '../src/index.ts'
import { afterwards } from '@openfountain/testing/afterwards'
import { Chance } from '@openfountain/testing/chance'
import { seed } from '@openfountain/testing/effort'
import { filesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'
import { writeStreetTiles } from './map/street-tiles.ts'

const chance = new Chance(seed)
const people = ['ada', 'bela', 'chen']
const somebody = () => user(chance.pick(people))

/** What the clocks of registries show, which goes on an hour with each look. */
let now = 0

/** A registry of forty fountains, and a place for its site. */
async function town(): Promise<{ registry: Registry; folder: string; site: string }> {
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
  afterwards(() => registry.close())
  for (const id of people) await registry.users.create({ id, name: `Walker ${id}`, xp: 2000 })
  for (let index = 0; index < 40; index += 1) await add(registry)
  const folder = await freshFolder()
  return { registry, folder, site: join(folder, 'site') }
}

const add = (registry: Registry) =>
  registry.waypoints.create(
    {
      name: chance.pick([`Fountain ${chance.below(1000)}`, `Tap, Mill Lane ${chance.below(50)}`]),
      latitude: 55.7 + chance.below(4000) / 100_000,
      longitude: 13.2 + chance.below(4000) / 100_000,
      ...(chance.below(3) > 0 && { region: `Quarter ${chance.below(4)}` }),
      amenities: ['tap'],
    },
    somebody(),
  )

/** By somebody new: a person reviews a fountain once. */
async function review(registry: Registry, bubblerId: number): Promise<void> {
  const { id } = await registry.users.create({ name: `Visitor ${chance.below(1000)}`, xp: 2000 })
  await registry.reviews.create({ bubblerId, rating: 1 + chance.below(5), comment: 'Cold.' }, user(id))
}

/** One of everything that people do. */
async function change(registry: Registry): Promise<void> {
  const { waypoints, users } = registry
  const all = await waypoints.list()
  const { id } = chance.pick(all)
  const into = chance.pick(all.filter((one) => one.id !== id)).id
  const changes: readonly (() => Promise<unknown>)[] = [
    () => add(registry),
    () => waypoints.update(id, { name: `Renamed ${chance.below(1000)}` }, somebody()),
    () => waypoints.update(id, { latitude: 55.7 + chance.below(4000) / 100_000 }, somebody()),
    () => waypoints.update(id, { region: `Quarter ${chance.below(5)}` }, somebody()),
    () => waypoints.update(id, { verified: true, approved: true }, token()),
    () => waypoints.delete(id, token()),
    () => review(registry, id),
    () => users.update(chance.pick(people), { name: `Walker ${chance.below(1000)}` }),
    () => waypoints.merge(id, { into, reason: 'The same' }, token()),
  ]
  await chance.pick(changes)()
}

type Content = Omit<RegistryExportOptions, 'out'>

/** Publishes a registry as the command does. */
async function publish(
  registry: Registry,
  out: string,
  content: Content = {},
  more: Partial<SiteOptions> = {},
) {
  const warnings: SiteWarning[] = []
  let isWritten = false
  const report = await buildSite({
    async data(empty) {
      isWritten = true
      await exportRegistry(registry, { ...content, out: empty })
    },
    dataState: await exportState(registry, content),
    out,
    languages: ['en'],
    linked: true,
    onWarning: (warning) => warnings.push(warning),
    ...more,
  })
  return { ...report, warnings, isWritten }
}

/** A site is byte for byte as one that is built from nothing, which is returned. */
async function expectAsNew(
  registry: Registry,
  site: string,
  ...options: [Content?, Partial<SiteOptions>?]
): Promise<string> {
  const anew = join(await freshFolder(), 'anew')
  await publish(registry, anew, ...options)
  const different: string[] = []
  for (const name of new Set([...(await filesOf(site)), ...(await filesOf(anew))])) {
    const [a, b] = await Promise.all(
      [site, anew].map((folder) => readFile(join(folder, name)).catch(() => undefined)),
    )
    if (!a || !b || !a.equals(b)) different.push(name)
  }
  expect(different).toEqual([])
  return anew
}

describe(`a site that is built again (seed ${seed})`, () => {
  it('makes all pages anew when it has other options, other scripts, or a page is missing', async () => {
    const [data, site] = [await exportOf('sample'), join(await freshFolder(), 'site')]
    const build = (title: string) => buildSite({ data, out: site, languages: ['en'], title })
    await build('Lindenau')
    const ofKinds = (await filesOf(site)).filter((file) =>
      /^(?:waypoint|contributor|regions\/.*)\/[^/]+\/index\.html$|^regions\/[^/]+\/index\.html$/u.test(file),
    )
    await rm(join(site, 'waypoint/1'), { recursive: true })
    expect((await build('Lindenau')).unchangedPages).toBe(ofKinds.length - 1)
    expect((await build('Fountains')).unchangedPages).toBe(0)
    await writeFile(join(site, '_astro/older.js'), '')
    expect((await build('Fountains')).unchangedPages).toBe(0)
    expect(await readFile(join(site, 'waypoint/1/index.html'), 'utf8')).toContain('Fountains')
  })

  it('follows what the registry declares of its custom fields', async () => {
    const folder = await freshFolder()
    const site = join(folder, 'site')
    for (const [title, isNew] of [
      ['Height', true],
      ['Height', false],
      ['Tallness', true],
    ] as const) {
      const registry = await openRegistry({
        database: join(folder, 'town.db'),
        clock: () => new Date('2026-03-01T08:00:00Z'),
        properties: { type: 'object', properties: { height: { type: 'number', title } } },
      })
      if ((await registry.head()).id === 0)
        await registry.waypoints.create(
          { name: 'Well', latitude: 55.7, longitude: 13.2, properties: { height: 1 } },
          token(),
        )
      expect(await publish(registry, site, {}, { api: '/api' })).toMatchObject({ unchangedSite: !isNew })
      if (title === 'Tallness') await expectAsNew(registry, site, {}, { api: '/api' })
      await registry.close()
    }
    expect(await readFile(join(site, 'languages/en.json'), 'utf8')).toContain('[["height","Tallness"]]')
  })

  it.each([
    ['alone', { url: 'https://fountains.example' }],
    ['beside an API', { api: '/api' }],
  ])(
    '%s is byte for byte as one that is built from nothing, and takes over what is the same',
    async (_how, own) => {
      const { registry, site } = await town()
      const more = { languages: ['en', 'de'], title: 'Lindenau', ...own }
      expect((await publish(registry, site, {}, more)).unchangedPages).toBe(0)
      await change(registry)
      const { unchangedPages, pages } = await publish(registry, site, {}, more)
      expect(unchangedPages).toBeGreaterThan(20)
      const anew = await expectAsNew(registry, site, {}, more)
      expect((await filesOf(anew)).filter((file) => file.endsWith('.html'))).toHaveLength(pages)

      for (let done = 0; done < 4; done += 1) await change(registry)
      const { logs } = await registry.changes.list()
      const named = logs.filter(({ action, changes }) => action === 'created' && 'name' in changes)
      await registry.changes.redact(chance.pick(named).id, { fields: ['name'], reason: 'A number' })
      // Which is in no entry of the log.
      await registry.waypoints.assignPlaces(({ latitude }) =>
        latitude < 55.715
          ? { country: 'SE', subdivision: 'SE-M', name: `Village ${chance.below(3)}` }
          : { country: 'NO' },
      )
      now += 86_400_000
      await publish(registry, site, {}, more)
      await expectAsNew(registry, site, {}, more)
    },
  )

  it('takes its export over from the earlier site while what that is written from is the same', async () => {
    const { registry, site } = await town()
    const content = { precompress: true, splitByLicense: true, formats: ['csv', ...siteFiles] }
    await publish(registry, site, content)
    const more = { title: 'Fountains' }
    const renamed = await publish(registry, site, content, more)
    expect(renamed).toMatchObject({ unchangedData: true, unchangedSite: false, isWritten: false })
    await expectAsNew(registry, site, content, more)

    const isWritten = async (given: Content) => (await publish(registry, site, given, more)).isWritten
    await rm(join(site, 'data/ODbL-1.0/waypoints.csv'))
    expect(await isWritten(content)).toBe(true)
    await expectAsNew(registry, site, content, more)
    await change(registry)
    expect(await isWritten(content)).toBe(true)
    expect(await isWritten({ ...content, formats: siteFiles })).toBe(true)
    expect(await filesOf(site)).not.toContain('data/ODbL-1.0/waypoints.csv')
  })

  it('stays where it is while everything that it is built from is the same, and is built again after each change of that', async () => {
    const { registry, folder, site } = await town()
    const [places, streets] = [join(folder, 'places.csv'), join(folder, 'streets.pmtiles')]
    await writeFile(places, 'name,latitude,longitude\nMill Lane,55.7,13.2\n')
    await writeStreetTiles(streets, { maxZoom: 1, bounds: [-72, -42, -71, -41] })
    const more: Partial<SiteOptions> = { places, basemap: streets }
    const first = await publish(registry, site, {}, more)
    expect(first.warnings.map(({ code }) => code)).toEqual(['BASEMAP_ELSEWHERE'])
    const link = await readlink(site)
    await utimes(site, 0, 0)
    expect(await publish(registry, site, {}, more)).toEqual({
      ...first,
      unchangedPages: first.pages,
      unchangedData: true,
      unchangedSite: true,
      isWritten: false,
    })
    expect((await stat(site)).mtimeMs).not.toBe(0)
    expect(await readlink(site)).toBe(link)

    const isBuilt = async (given: Partial<SiteOptions> = more) => {
      const before = await readlink(site)
      const { unchangedSite } = await publish(registry, site, {}, given)
      return !unchangedSite && (await readlink(site)) !== before
    }
    for (const spoil of [
      () => rm(join(site, 'robots.txt')),
      () => writeFile(join(site, 'index.html'), 'Cut off'),
      () => appendFile(places, 'Harbour,55.71,13.21\n'),
      () => utimes(streets, 0, 0),
      () => change(registry),
    ]) {
      await spoil()
      expect(await isBuilt(), String(spoil)).toBe(true)
    }
    expect(await filesOf(site)).toContain('robots.txt')
    expect(await isBuilt()).toBe(false)
    expect(await isBuilt({ ...more, pages: 3 })).toBe(true)
  })

  it('is the same where what the earlier build kept is gone, was cut or was changed', async () => {
    const { registry, folder, site } = await town()
    await publish(registry, site)
    const alter = (altered: (bytes: Buffer) => Buffer) => async (kept: string) => {
      for (const name of await filesOf(kept))
        await writeFile(join(kept, name), altered(await readFile(join(kept, name))))
    }
    for (const spoil of [
      (kept: string) => rm(kept, { recursive: true }),
      alter((bytes) => bytes.subarray(0, bytes.length - 9)),
      alter((bytes) => bytes.fill(' ', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20)),
    ]) {
      const kept = `${join(folder, await readlink(site))}-kept`
      expect(await filesOf(kept)).toEqual(
        expect.arrayContaining(['rows.ndjson', 'log.txt', 'cells.json', 'search.json']),
      )
      await spoil(kept)
      await change(registry)
      await publish(registry, site)
      await expectAsNew(registry, site)
    }
  })
})
