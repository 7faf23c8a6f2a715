import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openRegistry, token, type Registry } from '@openfountain/core'
import {
  newestOn,
  placed,
  refusal,
  square,
  temporaryFolder,
  tickingClock,
} from '@openfountain/testing/registry'

/** The id of the entry that created the first waypoint. */
const creation = async (registry: Registry): Promise<number> => (await newestOn(registry, 1, 'created')).id

describe('redaction', () => {
  async function personal(): Promise<{ registry: Registry; file: string }> {
    const file = path.join(await temporaryFolder(), 'registry.db')
    const registry = await openRegistry({ database: file, clock: tickingClock() })
    await placed(registry, { name: 'Zebulon Quackenbush', description: 'lives at Nightingale 7' })
    await placed(registry, { name: 'Other' })
    return { registry, file }
  }

  test('removes the text from the entry and the waypoint, and everything still verifies', async () => {
    const { registry } = await personal()
    const known = await registry.changes.head()
    const { id } = await newestOn(registry, 1)
    expect(await registry.changes.redact(id, { reason: 'Article 17' })).toEqual({ entries: [id] })
    const entry = await registry.changes.get(id)
    expect(entry.changes).toEqual({ latitude: square.latitude, longitude: square.longitude })
    expect(entry.redacted?.reason).toBe('Article 17')
    expect(entry.redacted?.fields.toSorted()).toEqual(['description', 'name'])
    expect(await registry.waypoints.get(1)).toMatchObject({ name: '(redacted)' })
    expect(await registry.changes.head(known.id)).toEqual(known)
    expect((await newestOn(registry, 1)).changes).toEqual({ name: '(redacted)', description: null })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, redacted: 1 })
    expect(await registry.waypoints.search({ q: 'quackenbush' })).toEqual([])
    await registry.close()
  })

  test('of several entries passes over what went with another, and names all that lost text', async () => {
    const { registry, file } = await personal()
    const first = await creation(registry)
    await registry.waypoints.update(1, { description: null }, token())
    await registry.waypoints.update(1, { description: 'lives at Nightingale 7' }, token())
    const { id: again } = await newestOn(registry, 1)
    await registry.waypoints.update(2, { description: 'Zebulon lives beside it' }, token())
    const { id: other } = await newestOn(registry, 2)
    const texts = [first, again, other].map((id) => ({ id, fields: ['description'] }))
    const reason = 'Article 17'
    expect(await registry.changes.redactAll(texts, { reason })).toEqual({ entries: [first, again, other] })
    expect(await registry.changes.redactAll(texts, { reason })).toEqual({ entries: [] })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, redacted: 3 })
    await registry.close()
    const bytes = readFileSync(file)
    for (const text of ['Nightingale', 'beside it']) expect(bytes.includes(text)).toBe(false)
  })

  test.each([
    ['while it waits to be indexed', 0],
    ['when it was indexed, and others behind it', 2],
  ])('leaves no byte of the text in the file, %s', async (_when, batches) => {
    const { registry, file } = await personal()
    const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
    // A batch indexes the backlog, and writes segments of its own.
    for (let row = 1; row <= batches; row++)
      await run.apply([
        { row, ref: `n${row}`, input: { name: `Brunnen ${row}`, latitude: row, longitude: 1 } },
      ])
    await registry.changes.redact(await creation(registry), { reason: 'Article 17' })
    await registry.close()
    const database = new Database(file)
    const bytes = database.serialize().toString('latin1').toLowerCase()
    database.close()
    for (const word of ['zebulon', 'quackenbush', 'nightingale']) expect(bytes).not.toContain(word)
  })

  test('keeps what was written since, and other fields when one is given', async () => {
    const { registry } = await personal()
    await registry.waypoints.update(1, { name: 'Fine now' }, token())
    await registry.changes.redact(await creation(registry), { reason: 'x', fields: ['name'] })
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'Fine now',
      description: 'lives at Nightingale 7',
    })
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.changes.redact(await creation(registry), { reason: 'y' })
    expect(await registry.waypoints.get(1)).not.toHaveProperty('description')
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.close()
  })

  test('works on the entry of a deleted waypoint', async () => {
    const { registry } = await personal()
    await registry.waypoints.delete(1, token())
    await registry.changes.redact(await creation(registry), { reason: 'x' })
    expect((await registry.changes.verify()).ok).toBe(true)
    await registry.close()
  })

  test('needs a reason and something to remove', async () => {
    const { registry } = await personal()
    const id = await creation(registry)
    expect((await refusal(registry.changes.redact(id, { reason: ' ' }))).code).toBe('INVALID_INPUT')
    expect((await refusal(registry.changes.redact(id, { reason: 'x', fields: ['latitude'] }))).code).toBe(
      'INVALID_INPUT',
    )
    expect((await refusal(registry.changes.redact(9, { reason: 'x' }))).code).toBe('NOT_FOUND')
    await registry.changes.redact(await creation(registry), { reason: 'x' })
    expect((await refusal(registry.changes.redact(id, { reason: 'x' }))).code).toBe('INVALID_INPUT')
    await registry.close()
  })
})
