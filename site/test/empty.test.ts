import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { internalAddresses, pagesOf, tagged, textOf } from './built-site.ts'
import { writeFixture } from './fixture.ts'
import { exportSample, freshFolder } from './sample.ts'

describe('an empty registry', () => {
  it('builds a site that explains how to start', async () => {
    const out = join(await freshFolder(), 'site')
    const report = await buildSite({
      data: await exportSample({ waypoints: 0 }),
      out,
      languages: ['en', 'fr'],
    })
    expect(report).toMatchObject({ waypoints: 0, waypointPages: 0 })
    const pages = await pagesOf(out)
    const home = pages.find(({ path }) => path === '/')
    const words = home?.elements
      .filter(({ tagName }) => tagName === 'main')
      .map(textOf)
      .join('')
    expect(words).toContain('No fountains yet')
    expect(words).toContain('openfountain import')
    expect(words).toContain('openfountain site build')
    const paths = new Set(pages.map(({ path }) => path))
    const lost = pages.flatMap((page) =>
      internalAddresses(page, 'https://nowhere.example')
        .map((address) => new URL(address, `https://site.example${page.path}`).pathname)
        .filter((path) => path.endsWith('/') && !paths.has(path)),
    )
    expect(lost).toEqual([])
    expect(pages.filter((page) => tagged(page, 'h1').length !== 1).map(({ path }) => path)).toEqual([])
  })
})

describe('a build that fails', () => {
  it('leaves the earlier site as it was and nothing else behind', async () => {
    const folder = await freshFolder()
    const [data, out] = [join(folder, 'export'), join(folder, 'site')]
    await writeFixture(data, { waypoints: 3 })
    await buildSite({ data, out, languages: ['en'] })
    const before = await readdir(out)
    await rm(join(data, 'sources.json'))
    await expect(buildSite({ data, out, languages: ['en'] })).rejects.toThrow(
      /incomplete: sources\.json is missing/u,
    )
    expect(await readdir(out)).toEqual(before)
    expect((await readdir(dirname(out))).toSorted()).toEqual(['export', 'site'])
  })
})

describe('a limit', () => {
  it('gives pages to the most recently changed fountains and says where the others are', async () => {
    const folder = await freshFolder()
    const [data, out] = [join(folder, 'export'), join(folder, 'site')]
    await writeFixture(data)
    const report = await buildSite({ data, out, languages: ['en'], limit: 20 })
    expect(report).toMatchObject({ waypoints: 60, waypointPages: 20 })
    const pages = await pagesOf(out)
    expect(pages.filter(({ path }) => path.startsWith('/waypoint/'))).toHaveLength(20)
    const region = pages.filter(({ path }) => /^\/regions\/.+/u.test(path))
    expect(
      region.some(({ html }) => html.includes('Only the most recently changed fountains have a page')),
    ).toBe(true)
    const known = new Set(pages.map(({ path }) => path))
    const links = pages.flatMap((page) => internalAddresses(page, 'https://nowhere.example'))
    const lost = links.filter((link) => /^\/(?:waypoint|contributor)\//u.test(link) && !known.has(link))
    expect(lost).toEqual([])
  })
})
