/** @module-tag long */
import { appendFile, mkdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { exportRegistry, exportState, type RegistryExportOptions } from '@openfountain/exchange'
import { buildSite, siteFiles, type SiteOptions, type SiteWarning } from '../src/index.ts'
import { afterwards } from '@openfountain/testing/afterwards'
import { seed } from '@openfountain/testing/effort'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { filesOf } from '@openfountain/testing/site/built-site'
import { exportOf } from '@openfountain/testing/site/sites'
import { writeStreetTiles } from './map/street-tiles.ts'
import { newFolder } from '@openfountain/testing/folder'

async function town() {
  let now = Date.parse('2026-03-01T08:00:00Z')
  const registry = await openRegistry({
    database: ':memory:',
    name: 'Lindenau Fountains',
    clock: () => new Date(now),
    places: ({ latitude }) =>
      latitude < 55.8 ? { country: 'SE', subdivision: 'SE-M', name: 'Lindenau' } : undefined,
  })
  afterwards(() => registry.close())
  const history = new RandomHistory(seed)
  const change = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      now += 3_600_000
      await history.step(registry)
    }
  }
  for (let index = 0; index < 30; index += 1) await add(registry, index)
  const folder = newFolder()
  return { registry, folder, site: join(folder, 'site'), change }
}

const wellOf = (index: number) => {
  return { name: `Well ${index}`, latitude: 55.7 + index / 100, region: `Quarter ${index % 4}` }
}
const add = (registry: Registry, index = 0) =>
  registry.waypoints.create({ ...wellOf(index), longitude: 13.2 }, token())

type Content = Omit<RegistryExportOptions, 'out'>
type More = Partial<SiteOptions>

async function publish(registry: Registry, out: string, content: Content = {}, more: More = {}) {
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

async function expectAsNew(registry: Registry, site: string, ...options: [Content?, More?]) {
  const anew = join(newFolder(), 'anew')
  await publish(registry, anew, ...options)
  const different: string[] = []
  for (const name of new Set([...(await filesOf(site)), ...(await filesOf(anew))])) {
    const read = (folder: string) => readFile(join(folder, name)).catch(() => undefined)
    const [a, b] = [await read(site), await read(anew)]
    if (!a || !b || !a.equals(b)) different.push(name)
  }
  expect(different).toEqual([])
}

describe(`a site that is built again (seed ${seed})`, () => {
  it('makes all pages anew when it has other options, another program made them, or a page is missing', async () => {
    const [data, site] = [await exportOf('sample'), join(newFolder(), 'site')]
    const build = async (title: string) =>
      (await buildSite({ data, out: site, languages: ['en'], title })).unchangedPages
    await build('Lindenau')
    const all = await build('Lindenau')
    await rm(join(site, 'waypoint/1'), { recursive: true })
    expect([all > 50, await build('Lindenau'), await build('Fountains')]).toEqual([true, all - 1, 0])
    const marker = JSON.parse(await readFile(join(site, '.openfountain-site'), 'utf8'))
    await writeFile(join(site, '.openfountain-site'), JSON.stringify({ ...marker, program: 'older' }))
    expect(await build('Fountains')).toBe(0)
    expect(await readFile(join(site, 'waypoint/1/index.html'), 'utf8')).toContain('Fountains')
  })

  it('follows what the registry declares of its custom fields', async () => {
    const folder = newFolder()
    const site = join(folder, 'site')
    for (const title of ['Height', 'Tallness']) {
      const registry = await openRegistry({
        database: join(folder, 'town.db'),
        clock: () => new Date('2026-03-01T08:00:00Z'),
        properties: { type: 'object', properties: { height: { type: 'number', title } } },
      })
      if ((await registry.head()).id === 0) await add(registry)
      for (const unchangedSite of [false, true])
        expect(await publish(registry, site, {}, { api: '/api' })).toMatchObject({ unchangedSite })
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
      const { registry, site, change } = await town()
      await change(30)
      const more = { languages: ['en', 'de'], title: 'Lindenau', ...own }
      expect((await publish(registry, site, {}, more)).unchangedPages).toBe(0)
      await add(registry)
      expect((await publish(registry, site, {}, more)).unchangedPages).toBeGreaterThan(20)
      await expectAsNew(registry, site, {}, more)
      await change(20)
      const { logs } = await registry.changes.list()
      const named = logs.find(({ action, changes }) => action === 'created' && 'name' in changes)
      await registry.changes.redact(named?.id ?? 0, { fields: ['name'], reason: 'A number' })
      // Which is in no entry of the log.
      await registry.waypoints.assignPlaces(({ latitude }) =>
        latitude < 55.8
          ? { country: 'SE', name: `Village ${Math.floor(latitude * 50) % 3}` }
          : { country: 'NO' },
      )
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
    const table = (await filesOf(site)).find((name) => name.endsWith('waypoints.csv')) ?? ''
    await rm(join(site, table))
    expect(await isWritten(content)).toBe(true)
    await expectAsNew(registry, site, content, more)
    await add(registry)
    expect(await isWritten(content)).toBe(true)
    expect(await isWritten({ ...content, formats: siteFiles })).toBe(true)
    expect(await filesOf(site)).not.toContain(table)
  })

  it('stays where it is while everything that it is built from is the same, and is built again after each change of that', async () => {
    const { registry, folder, site } = await town()
    const [places, streets] = [join(folder, 'places.geojson'), join(folder, 'streets.pmtiles')]
    const lane = { properties: { name: 'Mill Lane' }, geometry: { coordinates: [13.2, 55.7] } }
    await writeFile(places, JSON.stringify({ features: [lane] }))
    await writeStreetTiles(streets, { maxZoom: 1, bounds: [-72, -42, -71, -41] })
    const more: More = { places, basemap: streets }
    const { isWritten: _isWritten, ...first } = await publish(registry, site, {}, more)
    expect(first.warnings.map(({ code }) => code)).toEqual(['BASEMAP_ELSEWHERE'])
    const link = await readlink(site)
    await utimes(site, 0, 0)
    const again = { unchangedPages: first.pages, unchangedData: true, unchangedSite: true, isWritten: false }
    expect(await publish(registry, site, {}, more)).toEqual({ ...first, ...again })
    expect([(await stat(site)).mtimeMs > 0, await readlink(site)]).toEqual([true, link])

    const isBuilt = async (given = more) => !(await publish(registry, site, {}, given)).unchangedSite
    for (const spoil of [
      () => rm(join(site, 'robots.txt')),
      () => writeFile(join(site, 'index.html'), 'Cut off'),
      () => appendFile(places, '\n'),
      () => utimes(streets, 0, 0),
      () => add(registry),
    ]) {
      await spoil()
      expect(await isBuilt(), String(spoil)).toBe(true)
    }
    expect([await isBuilt(), await isBuilt({ ...more, pages: 3 })]).toEqual([false, true])
    expect(await readlink(site)).not.toBe(link)
  })

  it('has the files that the operator adds, follows their changes, and stays where one is not usable', async () => {
    const { registry, folder, site } = await town()
    const extra = join(folder, 'extra')
    const put = async (name: string, text: string) => {
      await mkdir(join(extra, name, '..'), { recursive: true })
      await writeFile(join(extra, name), text)
    }
    await put('.well-known/security.txt', 'Contact: mailto:water@lund.example')
    await put('CNAME', 'fountains.lund.example')
    const build = async () => (await publish(registry, site, {}, { extra })).unchangedSite
    await expect(publish(registry, site, {}, { extra: folder })).rejects.toThrow('must be outside')
    expect([await build(), await build()]).toEqual([false, true])
    await put('CNAME', 'water.lund.example')
    await put('.htaccess', 'Options -Indexes')
    expect([await build(), await build()]).toEqual([false, true])
    const added = ['CNAME', '.htaccess', '.well-known/security.txt']
    const read = (name: string) => readFile(join(site, name), 'utf8')
    expect(await Promise.all(added.map(read))).toEqual(
      await Promise.all(added.map((name) => readFile(join(extra, name), 'utf8'))),
    )
    const refused: [string, () => Promise<unknown>][] = [
      ['.openfountain-site is a file of the site itself', () => put('.openfountain-site', '{}')],
      [
        'index.html is a file of the site itself',
        () => rm(join(extra, '.openfountain-site')).then(() => put('index.html', 'Mine')),
      ],
      ['is neither a file nor a folder', () => symlink('/etc/hostname', join(extra, 'link'))],
      ['cannot be read', () => rm(extra, { recursive: true })],
    ]
    for (const [problem, spoil] of refused) {
      await spoil()
      await expect(build()).rejects.toThrow(problem)
      expect(await read('CNAME')).toBe('water.lund.example')
    }
  })

  it('is the same where the marker of the earlier one is of something else, was cut or was changed', async () => {
    const { registry, site } = await town()
    await publish(registry, site)
    for (const spoilt of [
      () => Buffer.from('{}'),
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 9),
      (bytes: Buffer) => bytes.fill(' ', Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20),
    ]) {
      const marker = join(site, '.openfountain-site')
      await writeFile(marker, spoilt(await readFile(marker)))
      await add(registry)
      await publish(registry, site)
      await expectAsNew(registry, site)
    }
  })
})
