import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PMTiles, tileIdToZxy, type Source } from 'pmtiles'
import { expect, test } from 'vitest'
import { writeArchive } from '../../src/export/tiles/archive.ts'
import { ZoomPart } from '../../src/export/tiles/zoom-part.ts'
import { temporaryFolder } from './written-edition.ts'

/** Numbers from 0 to 1 that are the same every time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test('the reader of PMTiles finds every tile of an archive whose directory has leaves', async () => {
  const folder = temporaryFolder()
  const random = seeded(7)
  const tiles = new Map<number, Buffer>()
  const part = await ZoomPart.create(join(folder, 'zoom'))
  // Zoom 8 begins at tile 21,845. Gaps and lengths that follow no rule make a directory that does not fit the root.
  for (let tileId = 21_845, count = 0; count < 18_000; count += 1, tileId += 1 + Math.floor(random() * 5)) {
    const tile = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 200) }, () => random() * 256))
    tiles.set(tileId, tile)
    await part.add(tileId, String(tileId), false, tile)
  }
  await part.close()
  const file = join(folder, 'tiles.pmtiles')
  await writeArchive(file, [part], { minZoom: 8, maxZoom: 8, bounds: [-180, -85, 180, 85], metadata: {} })

  const bytes = readFileSync(file)
  const source: Source = {
    getKey: () => file,
    getBytes: async (offset, length) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  }
  const archive = new PMTiles(source)
  const header = await archive.getHeader()
  expect(header.leafDirectoryLength).toBeGreaterThan(0)
  expect(header.numAddressedTiles).toBe(tiles.size)
  for (const [tileId, tile] of tiles) {
    const found = await archive.getZxy(...tileIdToZxy(tileId))
    if (found === undefined || !tile.equals(new Uint8Array(found.data)))
      throw new Error(`tile ${tileId} is not what was written`)
  }
  const [z, x, y] = tileIdToZxy(21_844 + 4 ** 8)
  expect(await archive.getZxy(z, x, y)).toBe(undefined)
})
