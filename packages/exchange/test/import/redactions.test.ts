import { describe, expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import { feature, geojson, importContent } from './fixture.ts'

const reason = 'A private number'
const creation = async (registry: Registry): Promise<number> =>
  (await registry.changes.list({ action: 'created' })).logs[0]?.id ?? 0

const one = geojson(feature(8, 47, { name: 'Zebulon', description: 'Ring 0664 555 0199' }, 'a'))

describe('importing a file after a redaction', () => {
  test('does not bring the text back, not from another source either, counts its row, and names it in no conflict', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, one)
    await registry.changes.redact(await creation(registry), { reason })
    for (const dryRun of [true, false]) {
      const report = await importContent(registry, one, { dryRun })
      expect(report.counts).toMatchObject({ rows: 1, unchanged: 1, conflicts: 0, withheld: 1 })
      expect(report.conflicts).toEqual([])
    }
    const [waypoint] = await registry.waypoints.list()
    expect(waypoint).toMatchObject({ name: '(redacted)' })
    expect(waypoint).not.toHaveProperty('description')
    const source = { name: 'Another list', license: 'CC0-1.0' }
    const { counts } = await importContent(registry, one, { source })
    expect(counts).toMatchObject({ matched: 1, created: 0, doubtful: 0, withheld: 1 })
    expect(JSON.stringify(await registry.waypoints.list())).not.toMatch(/Zebulon|555/u)
  })

  test('recognises a fountain whose name was generated and then redacted', async () => {
    const registry = await emptyRegistry()
    const nameless = geojson(feature(8, 47, { street: 'Zebulon Street' }, 'a'))
    await importContent(registry, nameless)
    await registry.changes.redact(await creation(registry), { reason, fields: ['name'] })
    const { counts } = await importContent(registry, nameless)
    expect(counts).toMatchObject({ unchanged: 1, withheld: 1 })
    expect((await registry.waypoints.get(1)).name).toBe('(redacted)')
  })

  test('of rows without references tells neither position nor name, and brings nothing back', async () => {
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
})
