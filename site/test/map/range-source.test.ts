import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { listening } from '@openfountain/testing/listening'
import { PMTiles, ResolvedValueCache } from 'pmtiles'
import { expect, it } from 'vitest'
import { RangeSource } from '../../src/map/engine/range-source.ts'

const archive = await readFile(new URL('../../base/base.pmtiles', import.meta.url))

it('land that could not be read at first is there later, from a host that does not always serve parts, too', async () => {
  let answers = 0
  const server = createServer((_request, response) => {
    answers += 1
    if (answers === 1) response.destroy()
    else if (answers === 2) response.writeHead(206).end(archive.subarray(0, 6_144))
    else response.end(archive)
  })
  const address = `http://127.0.0.1:${await listening(server)}`
  const source = new RangeSource(address, { firstBytes: 6_144, mayBeWhole: true })
  const land = new PMTiles(source, new ResolvedValueCache())
  await expect(land.getZxy(0, 0, 0)).rejects.toThrow('fetch failed')
  expect((await land.getZxy(0, 0, 0))?.data.byteLength).toBeGreaterThan(0)
  expect((await land.getZxy(6, 33, 22))?.data.byteLength).toBeGreaterThan(0)
})
