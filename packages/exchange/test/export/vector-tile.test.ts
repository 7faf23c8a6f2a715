import { fromGeojsonVt } from '@maplibre/vt-pbf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VectorTile } from '../../src/export/tiles/vector-tile.ts'

const extent = 4096

/** The library that this is compared with writes characters from U+20000 on as others; a reader has them in `tiles.test.ts`. */
const isComparable = (text: string) =>
  Array.from(text).every((character) => (character.codePointAt(0) ?? 0) < 0x20000)

/** The library takes names that every object has, such as `constructor`, for tags that it has written already. */
const tagName = fc.stringMatching(/^[a-z_]{1,12}$/u).filter((name) => !(name in {}))

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter(isComparable),
  fc.boolean(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
)

const point = fc.record({
  id: fc.option(fc.nat(), { nil: undefined }),
  tags: fc.dictionary(tagName, value, { maxKeys: 6 }),
  x: fc.integer({ min: -extent, max: 2 * extent }),
  y: fc.integer({ min: -extent, max: 2 * extent }),
})

test('tiles have the bytes that @maplibre/vt-pbf makes of the same points', () => {
  // One encoder makes all tiles, as an export does, so that nothing of a tile may remain in the next one.
  const tile = new VectorTile('waypoints', extent)
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 40 }), (points) => {
      for (const { id, tags, x, y } of points) tile.add(id, tags, x, y)
      const features = points.map(({ id, tags, x, y }) => ({
        id,
        type: 1 as const,
        geometry: [[x, y]],
        tags,
      }))
      const theirs = fromGeojsonVt({ waypoints: { features } }, { version: 2, extent })
      expect(tile.finish().toString('hex')).toBe(Buffer.from(theirs).toString('hex'))
    }),
  )
})
