import path from 'node:path'
import { expect, test } from 'vitest'
import type { ImportRow, Registry } from '@openfountain/core'
import type { ImportOutcome } from '@openfountain/core/internal'
import { emptyRegistry, newestOn, temporaryFolder } from '@openfountain/testing/registry'
import { imported, row, source } from '@openfountain/testing/imported'

test('prefixes of words are found when a batch adds the words again after it failed, or after a purge', async () => {
  const database = path.join(await temporaryFolder(), 'words.db')
  const registry = await emptyRegistry({ database })
  const run = await registry.imports.start({ source })
  // In descriptions, since name search by parts does not use the word index.
  await run.apply([row('1', 'One', { description: 'Marktbrunnen' })])
  const broken = Object.defineProperty({ ...row('3', 'Three') }, 'input', {
    get: () => {
      throw new Error('on fire')
    },
  })
  const nymph = (name: string) => row('2', name, { description: 'Nymphenquelle' })
  await expect(run.apply([nymph('Two'), broken])).rejects.toThrow('on fire')
  const found = async (q: string) => (await registry.waypoints.search({ q })).map(({ name }) => name)
  expect(await found('nymphenq')).toEqual([])
  await run.apply([nymph('Two again')])
  expect(await found('nymphenq')).toEqual(['Two again'])
  // Another process does not share the cache of this one.
  const other = await emptyRegistry({ database })
  await other.changes.redact((await newestOn(other, 2)).id, { fields: ['description'], reason: 'a name' })
  expect(await found('nymphenq')).toEqual([])
  await run.apply([row('4', 'Four', { description: 'Nymphenquelle' })])
  expect(await found('nymphenq')).toEqual(['Four'])
  expect(await found('marktbr')).toEqual(['One'])
})

test('one large batch, which is decided in groups, has the same result as small ones', async () => {
  const kinds = ['tap', 'bottle', 'wheelchair', 'dog']
  const rows = Array.from({ length: 560 }, (_, index): ImportRow => {
    // Every seventh row changes an earlier one, and every eleventh is merged with an existing fountain.
    const ref = index % 7 === 6 ? `${index - 30}` : `${index}`
    return {
      row: index + 1,
      ref,
      input: {
        name: `${['Bründl', 'Fontaine', '飲み水', 'Tap'][index % 4]} ${index % 31}`,
        latitude: (index % 50) + 0.25,
        longitude: -(index % 20),
        ...(index % 3 === 0 && { description: `Beside café no. ${index % 5}`, region: 'Genève' }),
        ...(index % 5 === 0 && { amenities: [kinds[index % 4]] }),
        ...(index % 13 === 0 && { verified: true }),
      },
      ...(index % 11 === 10 && { mergeInto: 1 + (index % 5) }),
    }
  })
  const clock = () => new Date('2026-01-01T00:00:00.000Z')
  const apart = await emptyRegistry({ clock })
  const together = await emptyRegistry({ clock })
  const one = await apart.imports.start({ source })
  const outcomes: ImportOutcome[] = []
  for (let from = 0; from < rows.length; from += 7)
    outcomes.push(...(await one.apply(rows.slice(from, from + 7))))
  const all = await together.imports.start({ source })
  expect(await all.apply(rows)).toEqual(outcomes)
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(
    new Set(['created', 'updated', 'linked', 'conflict']),
  )
  const queries = ['brundl', 'cafe 3', '飲', 'geneve', 'nothing']
  const seen = async ({ waypoints, changes }: Registry) => ({
    waypoints: await waypoints.list(),
    sources: await Promise.all((await waypoints.list()).map(({ id }) => waypoints.sources(id))),
    log: await Array.fromAsync(changes.since(0), ({ seed: _random, ...entry }) => entry),
    box: await waypoints.list({ bbox: [-10, 0, 0, 30] }),
    found: await Promise.all(queries.map((q) => waypoints.search({ q, limit: 50 }))),
  })
  expect(await seen(together)).toEqual(await seen(apart))
  const found = (await seen(together)).found.map(({ length }) => length > 0)
  expect(found).toEqual([true, true, true, true, false])
  expect(await together.changes.verify()).toMatchObject({ ok: true })
})

test('a reference that a row of the batch replaced is new to later rows', async () => {
  const outcomes = []
  for (const size of [1, 2]) {
    const registry = await emptyRegistry()
    await imported(registry, [row('1', 'One')])
    const rows = [{ ...row('2', 'Two'), mergeInto: 1 }, row('1', 'Another one')]
    const run = await registry.imports.start({ source })
    for (let start = 0; start < rows.length; start += size) await run.apply(rows.slice(start, start + size))
    const found = await registry.waypoints.list()
    const sources = await Promise.all(found.map(({ id }) => registry.waypoints.sources(id)))
    outcomes.push({ names: found.map(({ name }) => name), refs: sources.flat().map(({ ref }) => ref) })
  }
  expect(outcomes[0]).toEqual({ names: ['Two', 'Another one'], refs: ['2', '1'] })
  expect(outcomes[1]).toEqual(outcomes[0])
})
