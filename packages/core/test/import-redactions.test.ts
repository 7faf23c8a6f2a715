import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { token, user, type ImportRow, type Registry } from '@openfountain/core'
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

const textOf = async (registry: Registry): Promise<string> => {
  const logs = []
  for await (const change of registry.changes.since(0)) logs.push(change)
  return JSON.stringify([await registry.waypoints.list(), logs])
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

  test('brings no text back that a second redaction of the same entry removed', async () => {
    const registry = await redacted(personal, ['description'])
    await registry.changes.redact(await creation(registry), {
      reason: 'A private name',
      fields: ['name', 'region'],
    })
    const { outcomes } = await imported(registry, [personal])
    expect(outcomes).toMatchObject([{ kind: 'unchanged', withheld: ['name', 'description', 'region'] }])
    expect((await newestOn(registry, 1, 'created')).redacted).toMatchObject({
      fields: ['description', 'name', 'region'],
      reason: 'A private number; A private name',
    })
    expect(await registry.changes.verify()).toMatchObject({ problems: [], redacted: 1 })
  })

  test('brings none of several texts back, and still updates other fields', async () => {
    const registry = await redacted(personal)
    const moved = { ...personal, input: { ...(personal.input as object), latitude: 2 } }
    const { outcomes } = await imported(registry, [moved])
    expect(outcomes).toMatchObject([{ kind: 'updated', fields: ['latitude', 'longitude'], conflicts: [] }])
    expect(outcomes[0]?.withheld).toHaveLength(6)
    expect(await registry.waypoints.get(1)).toMatchObject({ name: '(redacted)', latitude: 2, amenities: [] })
    expect(await textOf(registry)).not.toMatch(/quackenbush/iu)
  })

  test('does not take another wording of the field either, but takes other fields of the row', async () => {
    const registry = await redacted(personal, ['description'])
    const reworded = { ...secret, description: `${secret.description}. Out of order.`, region: 'Lund' }
    const { outcomes } = await imported(registry, [row('1', 'Quackenbush Well', reworded)])
    expect(outcomes).toMatchObject([{ kind: 'updated', fields: ['region'], withheld: ['description'] }])
    const waypoint = await registry.waypoints.get(1)
    expect(waypoint).not.toHaveProperty('description')
    expect(waypoint.region).toBe('Lund')
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

  test('does not fill the field from another source or under another reference', async () => {
    const registry = await redacted(personal, ['description', 'amenities'])
    const same = { ...personal, ref: '7', mergeInto: 1 }
    const other = await registry.imports.start({ source: { name: 'Another list', license: 'CC0-1.0' } })
    expect(await other.apply([same])).toMatchObject([
      { kind: 'linked', fields: [], withheld: ['description', 'amenities'] },
    ])
    await other.finish({ counts: {}, missing: 'mark' })
    expect(await imported(registry, [same])).toMatchObject({ outcomes: [{ kind: 'unchanged' }] })
    expect(await registry.waypoints.get(1)).not.toHaveProperty('description')
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

  test('leaves no byte of the text in the file', async () => {
    const database = path.join(await temporaryFolder(), 'registry.db')
    const registry = await emptyRegistry({ database })
    await imported(registry, [personal])
    await registry.changes.redact(await creation(registry), { reason })
    await imported(registry, [personal])
    await registry.close()
    expect(bytesOf(database).includes('quackenbush')).toBe(false)
  })

  test('removes what the source no longer lists, unless somebody has edited it since', async () => {
    const gone = async (registry: Registry) =>
      (await imported(registry, [row('2', 'Two')], undefined, 'remove')).removed
    expect(await gone(await redacted(personal))).toBe(1)
    const edited = await redacted(personal)
    const { id } = await edited.users.create({ name: 'Ada', xp: 50 })
    await edited.waypoints.update(1, { name: 'Mill Well' }, user(id))
    expect(await gone(edited)).toBe(0)
    const named = await redacted(personal)
    await named.waypoints.update(1, { name: 'Mill Well' }, token())
    expect(await gone(named)).toBe(0)
  })
})

function bytesOf(file: string): string {
  const database = new Database(file)
  const bytes = database.serialize().toString('latin1').toLowerCase()
  database.close()
  return bytes
}
