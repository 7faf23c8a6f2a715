import { expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import { feature, geojson, importContent } from './fixture.ts'

const reason = 'A private number'
const creation = async (registry: Registry): Promise<number> =>
  (await registry.changes.list({ action: 'created' })).logs[0]?.id ?? 0

test('importing a file after a redaction recognises a fountain whose name was generated and then redacted', async () => {
  const registry = await emptyRegistry()
  const nameless = geojson(feature(8, 47, { street: 'Zebulon Street' }, 'a'))
  await importContent(registry, nameless)
  await registry.changes.redact(await creation(registry), { reason, fields: ['name'] })
  const { counts } = await importContent(registry, nameless)
  expect(counts).toMatchObject({ unchanged: 1, withheld: 1 })
  expect((await registry.waypoints.get(1)).name).toBe('(redacted)')
})

test('importing a file after a redaction of rows without references tells neither position nor name, and brings nothing back', async () => {
  const registry = await emptyRegistry()
  const rows = geojson(
    feature(13.2, 55.7, { name: 'First' }),
    feature(13.2, 55.7, { name: 'Zebulon Secret' }),
    feature(13.3, 55.8, { name: 'Another' }),
  )
  await importContent(registry, rows)
  const { logs } = await registry.changes.list({ action: 'created' })
  const hidden = logs.find(({ changes }) => changes['name'] === 'Zebulon Secret')
  await registry.waypoints.delete(hidden?.bubblerId ?? 0, token())
  const fields = ['name', 'latitude', 'longitude']
  await registry.changes.redact(hidden?.id ?? 0, { reason, fields })
  const entries = await registry.changes.entries(0)
  const about = entries.filter(
    ({ subject, subjectId }) => subject === 'waypoint' && subjectId === hidden?.bubblerId,
  )
  expect(about.length).toBeGreaterThan(1)
  expect(JSON.stringify(about)).not.toMatch(/zebulon|55\.7|13\.2/iu)
  const { counts } = await importContent(registry, rows)
  expect(counts).toMatchObject({ rows: 3, created: 0, deleted: 1, unchanged: 2 })
})
