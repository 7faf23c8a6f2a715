import { join } from 'node:path'
import { token, user } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'
import { attribute, filesOf, pageAt, pagesOf, tagged, textOf } from '@openfountain/testing/site/built-site'
import { emptyRegistry } from '@openfountain/testing/registry'
import { hostile } from './desk-stage.ts'
import { newFolder } from '@openfountain/testing/folder'

const spaced = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

async function moderated() {
  const registry = await emptyRegistry()
  const { waypoints, reviews, changes, users } = registry
  const { id: ada } = await users.create({ name: `Ada ${hostile}`, xp: 500 })
  const { id: mo } = await users.create({ name: 'Mo', isModerator: true })
  const moderator = user(mo)
  for (const [index, name] of ['One', `Two ${hostile}`, 'Three', 'Four'].entries())
    await waypoints.create({ name, latitude: 47 + index, longitude: 8 }, user(ada))
  await waypoints.update(1, { approved: true }, moderator)
  await waypoints.update(2, { description: 'Rubbish' }, user(ada))
  await changes.revert((await changes.head()).id, { reason: `Wrong ${hostile}` }, moderator)
  const { timestamp: since = '' } = await changes.head()
  for (const description of ['a', 'b', 'c']) await waypoints.update(3, { description }, user(ada))
  await users.revert(ada, { since, reason: 'A burst' }, moderator)
  await waypoints.merge(4, { into: 3, reason: 'The same' }, moderator)
  await waypoints.delete(1, token())
  await waypoints.restore(1, { reason: 'Grete Geheim did it' }, moderator)
  const headId = (await changes.head()).id
  const own = await reviews.create({ bubblerId: 1, rating: 3 }, user(ada))
  await reviews.delete(own.id, user(ada))
  const rude = await reviews.create({ bubblerId: 2, rating: 1, comment: 'Rude' }, user(ada))
  await reviews.delete(rude.id, moderator)
  await users.block(ada, { until: '2026-03-01T00:00:00.000Z', reason: hostile }, moderator)
  await users.unblock(ada, moderator)
  await changes.redact(headId, { reason: 'It named a person', fields: ['reason'] })
  return registry
}

it('acts of moderators are drawn from the export, with their reasons but for those that were removed', async () => {
  const registry = await moderated()
  const folder = newFolder()
  const data = await exportRegistry(registry, { out: join(folder, 'export') })
  const live = await registry.moderation.acts({})
  const out = join(folder, 'site')
  await buildSite({ data: data.folder, out, languages: ['en', 'de'] })
  const page = pageAt(await pagesOf(out), '/moderation/acts/')
  const ofActs = page.elements.filter((element) => attribute(element, 'class') === 'item act')
  const acts = ofActs.map((element) => spaced(textOf(element)))
  const expected = [
    /^Text removed from the log OneReason: It named a person/u,
    /^Block ended Ada <img/u,
    /^Blocked until/u,
    /^Deleted Review of Two <img/u,
    /^Restored OneThe reason was removed/u,
    /^Deleted One/u,
    /^Merged into ThreeFourReason: The same/u,
    /^Changes reverted Ada <img.*Reason: A burst/u,
    /^Changes reverted Two <img.*Reason: .*Wrong <img/u,
    /^Approved One/u,
  ]
  const texts = acts.map((text) => text.replace(/ (?:January|March) .*$/u, ''))
  expect(texts).toEqual(expected.map((text) => expect.stringMatching(text) as string))
  expect(acts.filter((text) => text.includes('Geheim'))).toEqual([])
  // A site with an API does not show others than it was built with.
  expect(live.acts).toHaveLength(acts.length)
  expect([...tagged(page, 'b'), ...tagged(page, 'img')]).toEqual([])
  expect(tagged(page, 'script').filter((one) => textOf(one).includes('desk'))).toEqual([])
  const files = await filesOf(out)
  expect(files.filter((path) => /moderators|moderation\/index/u.test(path))).toEqual([])
  expect(files).toContain('de/moderation/acts/index.html')
})
