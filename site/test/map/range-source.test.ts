import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { listening } from '@openfountain/testing/listening'
import { PMTiles, ResolvedValueCache, tileIdToZxy } from 'pmtiles'
import { expect, it } from 'vitest'
import { coarseLandBytes, landHeadBytes, landMaxZoom } from '../../src/map/data/land.ts'
import { RangeSource } from '../../src/map/engine/range-source.ts'

const archive = await readFile(new URL('../../base/base.pmtiles', import.meta.url))

it('land that could not be read at first is there later, from a host that does not always serve parts, too', async () => {
  let answers = 0
  const server = createServer((_request, response) => {
    answers += 1
    if (answers === 1) response.destroy()
    else if (answers === 2) response.writeHead(206).end(archive.subarray(0, landHeadBytes))
    else response.end(archive)
  })
  const address = `http://127.0.0.1:${await listening(server)}`
  const source = new RangeSource(address, landHeadBytes, true)
  const land = new PMTiles(source, new ResolvedValueCache())
  await expect(land.getZxy(0, 0, 0)).rejects.toThrow('fetch failed')
  expect((await land.getZxy(0, 0, 0))?.data.byteLength).toBeGreaterThan(0)
  expect((await land.getZxy(6, 33, 22))?.data.byteLength).toBeGreaterThan(0)
})

it('the parts of the land that are read first hold its directory and its tiles up to zoom 2', async () => {
  const part = new Uint8Array(archive.subarray(0, coarseLandBytes)).buffer
  const getBytes = async (from: number, length: number) => ({ data: part.slice(from, from + length) })
  const land = new PMTiles({ getKey: () => 'land', getBytes })
  const { maxZoom, rootDirectoryOffset: from, rootDirectoryLength: length } = await land.getHeader()
  expect([maxZoom, from + length <= landHeadBytes]).toEqual([landMaxZoom, true])
  for (let tile = 0; tile < 21; tile += 1) expect(await land.getZxy(...tileIdToZxy(tile))).toBeDefined()
})
