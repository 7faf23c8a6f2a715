/** @module-tag browser */
import { globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { token, user } from '@openfountain/core'
import { loggedFields } from '@openfountain/core/fields'
import { exportRegistry } from '@openfountain/exchange'
import { visitor } from '@openfountain/testing/site/account-stage'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { picture } from '@openfountain/testing/photos'
import { builtTotal, liveStage, liveTown, spot } from '@openfountain/testing/site/live-stage'
import { buildSite } from '../../src/index.ts'
import { expect, it } from 'vitest'

const town = await liveTown()

/** What an open page does not update, with the reason; the rest must equal a page that is built afterwards. */
const asBuilt: Readonly<Record<string, string>> = {
  '.surroundings': 'the plan and the fountains nearby are drawn at build; a fountain that moved shows none',
  '.row-way': 'distances are from the middle of the region as it was built',
  '.osm': 'tags of OpenStreetMap are derived by the registry',
  '.hash, .section.faint': 'the head of the log is that of the build',
}

/** Pages that are as they were built, those of the visitor's own account, and the desk, which asks for its lists. */
const builtPages = `
  about account contributions contributors data embedding explore following how-it-works leaderboard
  moderation moderation/acts my-fountains offline plates regions sign-in statistics`
  .trim()
  .split(/\s+/u)

it('an open page says the same as the page that is built afterwards, after changes of every kind, in two languages', async () => {
  const stage = await liveStage(town)
  const { registry } = stage
  const { waypoints } = registry
  const ada = user((await registry.users.create({ name: 'Ada Brook', xp: 200 })).id)
  const photo = (id: number, text: string, options = {}, by = ada) =>
    registry.photos.create(id, picture(text), options, by)
  const eve = user((await registry.users.create({ name: 'Eve Rill' })).id)
  const [hidden, deleted, described] = [await photo(2, 'a'), await photo(4, 'b'), await photo(6, 'c')]
  await photo(6, 'd')
  const waiting = await photo(7, 'e', {}, eve)
  const opened = await Promise.all(
    ['en-GB', 'de-CH'].map(async (locale) => {
      const { context } = await visitor({ locale })
      const prefix = locale === 'de-CH' ? '/de' : ''
      const paths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `/waypoint/${id}/`)
      const addresses = [...paths, `${prefix}/changes/`, `${prefix}/regions/linden-quarter/`]
      return Promise.all(
        addresses.map(async (path) => {
          const page = await context.newPage()
          await page.goto(`${stage.origin}${path}`)
          return { path, page, context, locale }
        }),
      )
    }),
  )
  await waypoints.update(1, { name: 'Renamed', description: 'By the gate.', amenities: ['tap', 'odd'] }, ada)
  await waypoints.update(1, { image: 'https://photos.example/1.jpg', maintainer: 'The town' }, ada)
  await waypoints.update(1, { openingHours: 'Mo-Fr 08:00-18:00', drinkable: 'no' }, ada)
  await waypoints.update(1, { access: 'customers' }, ada)
  await waypoints.update(1, { properties: { height: 0.7, inventoryNumber: 'A7' } }, token())
  await waypoints.update(2, { region: 'Harbour' }, ada)
  const { latitude, longitude } = spot(3)
  await waypoints.update(3, { latitude: latitude + 0.01, longitude: longitude + 0.01 }, ada)
  await waypoints.update(4, { verified: true, approved: true }, token())
  await waypoints.update(4, { description: null }, token())
  const review = await registry.reviews.create({ bubblerId: 5, rating: 4, comment: 'Cold.' }, ada)
  await registry.reviews.update(review.id, { comment: 'Cold and clear.' }, ada)
  await waypoints.update(6, { season: '04-01/10-31' }, ada)
  await waypoints.update(7, { name: '', nameIsMade: true }, ada)
  await registry.observations.create({ bubblerId: 7, kind: 'broken' }, ada)
  await waypoints.delete(8, token())
  await waypoints.restore(8, { reason: 'It is there' }, token())
  await waypoints.update(9, { name: 'By mistake' }, ada)
  const { id: mistake } = await registry.changes.head()
  await registry.changes.revert(mistake, { reason: 'A mistake' }, token())
  await waypoints.delete(10, token())
  await stage.add({ name: 'New', region: 'Linden Quarter' })

  await photo(1, 'f', { alt: 'A basin', license: 'CC0-1.0', takenAt: '2026-05-31' })
  await registry.photos.update(hidden.id, { state: 'hidden', reason: 'A face' }, token())
  const again = await photo(9, 'g')
  for (const state of ['hidden', 'shown'] as const) await registry.photos.update(again.id, { state }, token())
  await registry.photos.delete(deleted.id, ada)
  await registry.photos.update(described.id, { alt: 'The tap' }, ada)
  await registry.photos.update(waiting.id, { state: 'shown' }, token())

  const edits = (await registry.changes.entries(builtTotal, 1000)).filter(
    ({ action }) => action !== 'created',
  )
  const edited = new Set(edits.flatMap(({ fields }) => Object.keys(fields)))
  expect(loggedFields.filter((field) => !edited.has(field))).toEqual(['addedByUserId'])

  const folder = newFolder()
  const { folder: data } = await exportRegistry(registry, { out: join(folder, 'export'), photos: 10 })
  const out = join(folder, 'site')
  await cp(town.site, out, { recursive: true })
  await buildSite({ data, out, api: '/api', languages: ['en', 'de', 'es', 'fr', 'it'] })
  const after = await liveStage({ database: town.database, site: out })
  // Without an API the fresh page shows what was built.
  after.interfere = (_request, response) => Boolean(response.writeHead(503).end())
  const differences: Record<string, readonly string[]> = {}
  for (const { path, page, context, locale } of opened.flat()) {
    const fresh = await context.newPage()
    await fresh.goto(`${after.origin}${path}`)
    await page.bringToFront()
    const isSame = async () => JSON.stringify(await textOf(page)) === JSON.stringify(await textOf(fresh))
    await expect
      .poll(isSame, { timeout: 8000 })
      .toBe(true)
      .catch(() => undefined)
    const [found, wanted] = [await textOf(page), await textOf(fresh)]
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      differences[`${path} in ${locale}`] = [
        ...wanted.filter((one) => !found.includes(one)),
        'instead of',
        ...found.filter((one) => !wanted.includes(one)),
      ]
    await fresh.close()
  }
  expect(differences).toEqual({})
  // A site in five languages is built, and 44 pages are opened.
}, 300_000)

it('the pages that do not follow the log are listed: the list of regions, but not a region', () => {
  const pages = globSync('**/index.html', { cwd: town.site, exclude: ['de', 'es', 'fr', 'it'] })
  const built = pages.filter(
    (path) => !/data-live-list|id="fountain-data"|"live":/u.test(textIn(town.site, path)),
  )
  expect(built.map((path) => path.replace(/\/index\.html$/u, '')).toSorted()).toEqual(builtPages)
})

const textOf = (page: Awaited<ReturnType<typeof visitor>>['page']): Promise<readonly string[]> =>
  page.evaluate((left) => {
    const main = document.querySelector('main')?.cloneNode(true)
    if (!(main instanceof HTMLElement)) return []
    for (const one of main.querySelectorAll(`${left}, script, [hidden]`)) one.remove()
    const blocks = main.querySelectorAll('h1, h2, p, li, tr, dt, dd, nav, img')
    return [
      document.title,
      ...Array.from(blocks, (one) => {
        const text = one instanceof HTMLImageElement ? `picture: ${one.alt}` : one.textContent
        return (text ?? '').replaceAll(/\s+/gu, ' ').trim()
      }),
    ]
  }, Object.keys(asBuilt).join(', '))
