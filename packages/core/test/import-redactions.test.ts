import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { token, type ImportRow, type Registry } from '@openfountain/core'
import { emptyRegistry, newestOn, temporaryFolder } from '@openfountain/testing/registry'
import { imported, row } from '@openfountain/testing/imported'

const reason = 'A private number'
const secret = {
  description: 'Key at Zebulon Quackenbush, 0664 555 0199',
  image: 'https://quackenbush.example/g.jpg',
  maintainer: 'Zebulon Quackenbush',
  region: 'Quackenbush Estate',
  amenities: ['tap', 'quackenbush'],
}
const personal = row('1', 'Quackenbush Well', secret)

/** The id of the entry that created the first waypoint. */
const creation = async (registry: Registry): Promise<number> => (await newestOn(registry, 1, 'created')).id

async function redacted(given: ImportRow, fields?: readonly string[]): Promise<Registry> {
  const registry = await emptyRegistry()
  await imported(registry, [given], 'first')
  await registry.changes.redact(await creation(registry), { reason, ...(fields && { fields }) })
  return registry
}

describe('importing after a redaction', () => {
  test.each(['name', ...Object.keys(secret)])('does not bring a removed %s back', async (field) => {
    const registry = await redacted(personal, [field])
    const before = await registry.waypoints.get(1)
    const actions = await registry.changes.list()
    for (const sha256 of ['first', 'second', 'third']) {
      const { outcomes } = await imported(registry, [personal], sha256)
      expect(outcomes).toMatchObject([{ kind: 'unchanged', fields: [], conflicts: [], withheld: [field] }])
    }
    expect(await registry.waypoints.get(1)).toEqual(before)
    expect(await registry.changes.list()).toEqual(actions)
    expect(await registry.changes.verify()).toMatchObject({ problems: [], redacted: 1 })
  })

  test('keeps what people have written there since, without a conflict', async () => {
    const registry = await redacted(personal, ['description'])
    await registry.waypoints.update(1, { description: 'Behind the kiosk' }, token())
    const { outcomes } = await imported(registry, [personal])
    expect(outcomes).toMatchObject([{ kind: 'unchanged', conflicts: [], withheld: ['description'] }])
    expect((await registry.waypoints.get(1)).description).toBe('Behind the kiosk')
    const agreed = { ...secret, description: 'Behind the kiosk' }
    const again = await imported(registry, [row('1', 'Quackenbush Well', agreed)])
    expect(again.outcomes).toMatchObject([{ kind: 'unchanged', withheld: [] }])
  })

  test('does not bring back an earlier text of the source', async () => {
    const registry = await emptyRegistry()
    await imported(registry, [personal])
    await imported(registry, [row('1', 'Quackenbush Well', { ...secret, description: 'Behind the kiosk' })])
    await registry.changes.redact(await creation(registry), { reason, fields: ['description'] })
    await imported(registry, [personal])
    expect((await registry.waypoints.get(1)).description).toBe('Behind the kiosk')
  })

  test('leaves a deleted fountain deleted, and does not store the text of its row', async () => {
    const database = path.join(await temporaryFolder(), 'deleted.db')
    const registry = await emptyRegistry({ database })
    await imported(registry, [personal])
    await registry.waypoints.delete(1, token())
    await registry.changes.redact(await creation(registry), { reason })
    expect(await imported(registry, [personal])).toMatchObject({ outcomes: [{ kind: 'deleted' }] })
    await registry.close()
    const file = new Database(database)
    const [values] = file.prepare('select "values" from records').pluck().all()
    file.close()
    const closed = Object.fromEntries(['name', ...Object.keys(secret)].map((field) => [field, null]))
    expect(JSON.parse(String(values))).toEqual({ latitude: 1, longitude: 1, ...closed })
  })
})
