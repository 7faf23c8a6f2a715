import { expect, test } from 'vitest'
import { openRegistry, token } from '@openfountain/core'
import { served } from '@openfountain/core/internal'
import { emptyRegistry, refusal } from '@openfountain/testing/registry'

const lund = { latitude: 55.7029, longitude: 13.1929 }
const places = () => ({ country: 'SE', name: 'Lund' })
const nameless = { ...lund, name: 'whatever', nameIsMade: true, amenities: ['tap'] }

const german = () => openRegistry({ database: ':memory:', language: 'de', places })

test('a waypoint without a name is stored without one, and called by its kind and place in the language of the registry', async () => {
  await using registry = await german()
  const made = await registry.waypoints.create(nameless, token())
  expect(made).toMatchObject({ name: 'Wasserhahn, Lund', nameIsMade: true })
  const labelled = { id: made.id, name: 'Wasserhahn, Lund', nameIsMade: true }
  expect(await registry.waypoints.get(made.id)).toMatchObject(labelled)
  expect(await registry.waypoints.list()).toEqual([await registry.waypoints.get(made.id)])
  const { waypoint } = await served(registry).dossier(made.id)
  expect(JSON.parse(`{"waypoint":${waypoint}}`)).toMatchObject({ waypoint: labelled })
  for await (const texts of served(registry).waypoints())
    expect(JSON.parse(texts[0] ?? '')).toMatchObject(labelled)
  expect((await registry.changes.recent({ limit: 1 }))[0]?.waypoint.name).toBe('Wasserhahn, Lund')
  const [entry] = await registry.changes.entries(0)
  expect(entry?.fields['name']).toBe('')
  expect(await registry.waypoints.search({ q: 'Wasserhahn' })).toEqual([])
})

test('a waypoint without a name keeps none when it is sent back as it was read, and has one again when somebody gives it', async () => {
  await using registry = await german()
  const { id } = await registry.waypoints.create(nameless, token())
  const read = await registry.waypoints.get(id)
  await registry.waypoints.update(id, read, token())
  expect((await registry.head()).id).toBe(1)
  expect(await registry.waypoints.update(id, { amenities: ['spring'] }, token())).toMatchObject({
    name: 'Quelle, Lund',
    nameIsMade: true,
  })
  const named = await registry.waypoints.update(id, { name: 'Löwenbrunnen' }, token())
  expect(named).not.toHaveProperty('nameIsMade')
  expect(await registry.waypoints.update(id, { nameIsMade: true }, token())).toMatchObject({
    name: 'Quelle, Lund',
  })
  expect(await registry.waypoints.delete(id, token())).toMatchObject({
    name: 'Quelle, Lund',
    nameIsMade: true,
  })
  expect(await registry.waypoints.getEvenDeleted(id)).toMatchObject({ name: 'Quelle, Lund' })
})

test('a waypoint without a name is called by its kind where no place is known, and anew when places are assigned', async () => {
  const registry = await emptyRegistry()
  const { id } = await registry.waypoints.create({ ...nameless, amenities: [] }, token())
  expect(await registry.waypoints.get(id)).toMatchObject({ name: 'Water point' })
  await registry.waypoints.assignPlaces(places)
  expect(await registry.waypoints.get(id)).toMatchObject({ name: 'Water point, Lund' })
  expect(await registry.waypoints.nearDuplicates({ ...lund, name: 'Water point, Malmö' })).toMatchObject([
    { score: 1, waypoint: { nameIsMade: true } },
  ])
})

test('a waypoint without a name: a name is required otherwise, and a language has to have labels', async () => {
  const registry = await emptyRegistry()
  expect(
    await refusal(registry.waypoints.create({ ...nameless, name: '', nameIsMade: false }, token())),
  ).toMatchObject({
    code: 'INVALID_INPUT',
  })
  expect(await refusal(openRegistry({ database: ':memory:', language: 'sv' as 'en' }))).toMatchObject({
    code: 'INVALID_INPUT',
  })
})
