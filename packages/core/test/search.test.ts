import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { fold } from '../src/search/letters.ts'
import { matches, termsOf } from '../src/search/rule.ts'
import { counted, repeated, seed } from '@openfountain/testing/effort'
import { emptyRegistry, placed } from '@openfountain/testing/registry'

async function town(): Promise<Registry> {
  const registry = await emptyRegistry()
  const names: [string, Record<string, unknown>][] = [
    ['Old Fountain', { region: 'Zürich' }],
    ['Fountain Square', { description: 'Near the café by the river' }],
    ['Bahnhofbrunnen', { region: 'Zürich' }],
    ['Čerpadlo u kostela', {}],
    ['新宿区水飲み場', { region: '東京' }],
    ['50% off_tap "quoted" (new)', {}],
    ["St. Mary's well", {}],
    ['Fountain', { description: 'river' }],
  ]
  for (const [name, rest] of names) await placed(registry, { name, ...rest })
  return registry
}

const ids = async (registry: Registry, q: string) =>
  (await registry.waypoints.search({ q })).map(({ id }) => id)

describe('specification 4.1: search', () => {
  test.each(['🫖', '₿', '⸺', '\u{1FFFE}', '\u{10FFFF}'])(
    'finds the word after %j, which is no letter, however new it is',
    async (before) => {
      const registry = await emptyRegistry()
      await placed(registry, { name: 'One', description: `Near ${before}tap` })
      await placed(registry, { name: 'Two', region: `x${before}tap` })
      await placed(registry, { name: `Three${before}ta` })
      // The newest rows of a registry in a file are not indexed yet.
      await registry.imports.merge()
      await Promise.all(Array.from({ length: 70 }, () => placed(registry, { name: 'Other' })))
      expect((await ids(registry, 'tap')).toSorted()).toEqual([1, 2])
      expect((await ids(registry, 'ta')).toSorted()).toEqual([1, 2, 3])
    },
  )

  test('finds two characters inside a word of a name, of which only the second is a word', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { name: 'Bahnhof水' })
    for (const q of ['f水', '水', 'of水']) expect(await ids(registry, q)).toEqual([1])
    expect(await ids(registry, 'x水')).toEqual([])
  })

  test.each<[string, number[]]>([
    ['fountain', [2, 8, 1]],
    ['ountai', [1, 2, 8]],
    ['zurich', [1, 3]],
    ['urich', []],
    ['brunnen', [3]],
    ['cerpadlo', [4]],
    ['cafe', [2]],
    ['fountain river', [2, 8]],
    ['old zurich', [1]],
    ['square bahnhof', []],
    ['fo', [2, 8, 1]],
    ['f', [2, 8, 1]],
    ['ou', []],
    ['水', [5]],
    ['飲み', [5]],
    ['京', [5]],
    ['東京 新宿', [5]],
    ['50%', [6]],
    ['"quoted"', [6]],
    ['off_tap', [6]],
    ['(new)', [6]],
    ["mary's", [7]],
    ['st. mary', [7]],
    ['*', []],
    ['NEAR(', []],
    ['name:fountain', []],
    ['fountain OR brunnen', []],
    ['fountain*', []],
    ["'; drop table waypoints; --", []],
  ])('%j finds %j', async (q, expected) => {
    expect(await ids(await town(), q)).toEqual(expected)
  })

  test('a rare word is found together with a common one, however frequent that is', async () => {
    const registry = await emptyRegistry()
    const run = await registry.imports.start({ source: { name: 'Town', license: 'CC0-1.0' } })
    const name = (row: number): string =>
      `${row % 2 === 0 ? 'Brunnen' : 'Trinkbrunnen'} ${row % 500 === 0 ? 'Lindenhof' : `Platz ${row}`}`
    await run.apply(
      Array.from({ length: 4000 }, (_, index) => index + 1).map((row) => ({
        row,
        input: { name: name(row), latitude: 47 + row / 10_000, longitude: 8 },
      })),
    )
    await run.finish({ counts: { created: 4000 }, missing: 'keep' })
    const lindens = [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]
    for (const q of ['linden brunnen', 'brunnen linden', 'runne lindenh', 'bru indenhof'])
      expect(await ids(registry, q), q).toEqual(lindens)
    await registry.waypoints.update(3, { name: 'Brunnen an der Linde' }, token())
    await registry.waypoints.update(500, { name: 'Brunnen' }, token())
    expect(await ids(registry, 'linde brunnen')).toEqual([3, ...lindens.slice(1)])
  })

  test(
    'words find what the definition says, of every kind of term, while candidates are complete',
    repeated,
    async () => {
      const registry = await emptyRegistry()
      const kinds = ['Brunnen', 'Trinkbrunnen', 'Fontaine', 'Water tap', '飲み水', "St. Mary's", 'Čerpadlo']
      const streets = ['Linden', 'Lindenhof', 'Grün', 'Grünweg', 'Straße', 'Kirchstraße', '新宿区']
      const regions = ['Zürich', 'Tap Springs', '東京', 'Grünau', undefined]
      const remarks = ['Closed in summer', 'Behind the linden tree', 'Cold water', undefined, undefined]
      const one = <Value>(of: readonly Value[]) => fc.constantFrom(...of)
      const text = fc.record({
        kind: one(kinds),
        street: one(streets),
        house: fc.integer({ min: 1, max: 30 }),
        region: one(regions),
        description: one(remarks),
      })
      const made = fc
        .sample(text, { numRuns: 900, seed: 5 })
        .map(({ kind, street, house, ...rest }) => ({ name: `${kind} ${street} ${house}`, ...rest }))
      const run = await registry.imports.start({ source: { name: 'Town', license: 'CC0-1.0' } })
      await run.apply(
        made.map((each, at) => ({ row: at + 1, input: { ...each, latitude: 47 + at / 1e4, longitude: 8 } })),
      )
      await run.finish({ counts: { created: made.length }, missing: 'keep' })
      for (const [at, name] of ['Fontaine Zürich', 'Wassertap 12', 'Brunnen'].entries()) {
        await registry.waypoints.update(at + 1, { name }, token())
        Object.assign(made[at] ?? {}, { name })
      }

      const rows = made.map(({ name, region = null, description = null }, at) => ({
        id: at + 1,
        foldedName: fold(name),
        region,
        description,
      }))
      const expected = (query: string): number[] =>
        rows
          .filter((each) => matches(termsOf(query), each))
          .map(({ id, foldedName: name }) => ({
            id,
            rank: name.startsWith(query) ? 0 : name.includes(query) ? 1 : 2,
          }))
          .toSorted((one, other) => one.rank - other.rank || one.id - other.id)
          .map(({ id }) => id)

      const words = [...kinds, ...streets, ...regions, ...remarks]
        .flatMap((each) => each?.split(' ') ?? [])
        .concat('runne', 'inden', 'asse', 'rass', '12', '1', 'li', '水', '飲み', '京', 'nowhere')
      const term = fc
        .tuple(one(words), fc.nat(8))
        .map(([word, left]) => word.slice(0, word.length - left) || word)
      const count = { some: 0, none: 0 }
      await fc.assert(
        fc.asyncProperty(
          fc.array(term, { minLength: 1, maxLength: 4 }),
          fc.nat(60),
          async (terms, offset) => {
            const q = terms.join(' ')
            const wanted = expected(fold(q))
            count[wanted.length > 0 ? 'some' : 'none']++
            const found = await registry.waypoints.search({ q, offset, limit: 100 })
            expect(
              found.map(({ id }) => id),
              q,
            ).toEqual(wanted.slice(offset, offset + 100))
          },
        ),
        { numRuns: counted({ quick: 300, all: 1000, full: 5000 }), seed: seed + 16 },
      )
      expect(count.some).toBeGreaterThan(50)
      expect(count.none).toBeGreaterThan(50)
    },
  )

  test('no query makes search fail', async () => {
    const registry = await town()
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }))
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        const found = registry.waypoints.search({ q })
        if (q.trim() === '') await expect(found).rejects.toMatchObject({ code: 'INVALID_INPUT' })
        else
          expect(
            Array.isArray(await found.catch((error) => (error.code === 'INVALID_INPUT' ? [] : error))),
          ).toBe(true)
      }),
      { numRuns: counted({ quick: 300, all: 2000, full: 10_000 }), seed },
    )
  })
})
