import { expect, test } from 'vitest'
import { Review, token, user } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'

/** JSON that the database builds equals JSON built from objects, including the order of members. */

const hostile = ['"quoted" \\ and \n a line', '</script> ]]> 🌊', 'e\u0301\u200f', '日本 \u2028']

async function filled() {
  const registry = await emptyRegistry()
  const { id } = await registry.users.create({ name: 'Ada', id: 'ada"x"', xp: 1000 })
  const run = await registry.imports.start({
    source: {
      name: hostile[0] ?? '',
      license: 'CC0-1.0',
      url: 'https://example.org/?a=b&c',
      attribution: hostile[1],
    },
  })
  await run.apply([
    { row: 1, ref: 'A "7"', input: { name: 'Imported', latitude: -0.000001, longitude: 179.999999 } },
    { row: 2, input: { name: 'Without reference', latitude: 1e-7, longitude: -180 } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  for (const text of hostile) {
    const made = await registry.waypoints.create(
      {
        name: `x${text}`,
        latitude: 12.3456789,
        longitude: 0,
        description: text,
        amenities: ['tap', text.trim().slice(0, 20)],
        image: 'https://example.org/"x"',
        maintainer: text,
        region: text,
      },
      user(id),
    )
    await registry.waypoints.update(made.id, { region: null, verified: true }, token())
    await registry.reviews.create({ bubblerId: made.id, rating: 5, comment: text }, user(id))
    await registry.reviews.create({ bubblerId: made.id, rating: 1 }, user(id))
  }
  return registry
}

test('the dossier of a waypoint consists of its parts', async () => {
  const registry = await filled()
  const waypoints = await registry.waypoints.list()
  expect(waypoints).toHaveLength(2 + hostile.length)
  for (const waypoint of waypoints) {
    const { text, logsTotal } = await registry.waypoints.dossier(waypoint.id)
    // Programs in other languages take 1.0 for no whole number.
    expect(text).toContain(`"bubblerId":${waypoint.id},`)
    expect(await registry.waypoints.historyText(waypoint.id)).toContain(`"bubblerId":${waypoint.id},`)
    const logs = await registry.waypoints.history(waypoint.id)
    expect(logsTotal).toBe(logs.length)
    expect(JSON.parse(text)).toEqual({
      waypoint,
      logs,
      sources: await registry.waypoints.sources(waypoint.id),
      logsTotal,
    })
  }
  await expect(registry.waypoints.dossier(999)).rejects.toThrow('no waypoint')
})

test('the dossier has the newest hundred entries of a long log, oldest first, and how many there are', async () => {
  const registry = await emptyRegistry()
  const { id } = await registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 2 }, token())
  for (let edit = 0; edit < 100; edit++)
    await registry.waypoints.update(id, { description: `Edit ${edit}` }, token())
  const { text, logsTotal } = await registry.waypoints.dossier(id)
  const logs = await registry.waypoints.history(id)
  expect([logs.length, logsTotal]).toEqual([101, 101])
  expect(JSON.parse(text)).toMatchObject({ logs: logs.slice(1), logsTotal: 101 })
})

test('the texts of reviews are their JSON, in chunks without a gap', async () => {
  const registry = await filled()
  const reviews = await registry.reviews.list()
  expect(reviews).toHaveLength(2 * hostile.length)
  for (const size of [1, 3, 8, 1000]) {
    const chunks = await Array.fromAsync(registry.reviews.texts({}, size))
    const sizes = chunks.map(({ length }) => length)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(size)
    const parsed = chunks.flat().map((text) => Review.strict().parse(JSON.parse(text)))
    expect(parsed).toEqual(reviews)
  }
  expect(await Array.fromAsync(registry.reviews.texts({ userId: 'nobody' }))).toEqual([])
})
