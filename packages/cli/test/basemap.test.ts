import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '@openfountain/testing/command/shell'
import { basemapOf } from '../src/commands/basemap.ts'

const monaco = path.resolve(import.meta.dirname, '../../../data/monaco.pmtiles')
const fountains = 'id,name,latitude,longitude\na,Casino,43.7392,7.4278\n'

function ofLargeTile(): Buffer {
  const directory = Buffer.from([1, 0, 1, 0x80, 0x80, 0x80, 1, 1])
  const metadata = Buffer.from('{"vector_layers":[{"id":"roads"},{"id":"water"}]}')
  const head = Buffer.alloc(127)
  head.write('PMTiles\u0003')
  const end = 127 + directory.length
  const sizes = [127, directory.length, end, metadata.length, 0, 0, end + metadata.length, 2 ** 21, 1, 1, 1]
  for (const [index, size] of sizes.entries()) head.writeBigUInt64LE(BigInt(size), 8 + index * 8)
  head.set([1, 1, 1, 1], 96)
  for (const [index, degrees] of [-180, -85, 180, 85].entries())
    head.writeInt32LE(degrees * 1e7, 102 + index * 4)
  return Buffer.concat([head, directory, metadata])
}

const inMonaco = async () => {
  const place = await workplace({ 'f.csv': fountains })
  await place.json('import f.csv --source Cities --license CC0-1.0')
  return place
}

test('streets are taken beside the database, again where fountains were added, and removed', async () => {
  const { at, json, run } = await inMonaco()
  const db = at('openfountain.db')
  const dry = await json(`basemap add ${monaco} --margin 100 --dry-run`)
  expect(dry).toMatchObject({ maxZoom: 15 })
  expect(basemapOf({ db })).toBeUndefined()
  const taken = (await json(`basemap add ${monaco} --margin 100 --yes`)) as { file: string; tiles: number }
  expect(taken).toMatchObject({ ...(dry as object), size: (await stat(taken.file)).size })
  expect([
    basemapOf({ db }),
    basemapOf({ db, basemap: 'none' }),
    basemapOf({ db, style: '/style.json' }),
  ]).toEqual([at('streets.pmtiles'), undefined, undefined])
  const script = 'id,name,latitude,longitude\na,Casino,43.7392,7.4278\nb,Larvotto,43.7495,7.4405\n'
  const more = await workplace({ 'f.csv': script })
  await more.json('import f.csv --source Cities --license CC0-1.0')
  const both = (await more.json(`basemap add ${monaco} --margin 100 --yes`)) as { tiles: number }
  expect(both.tiles).toBeGreaterThan(taken.tiles)
  expect(await json('basemap update --yes')).toMatchObject({ tiles: taken.tiles })
  expect(await json('basemap remove')).toEqual({ file: taken.file, removed: true })
  expect([existsSync(taken.file), existsSync(`${taken.file}.json`)]).toEqual([false, false])
  expect(await run('basemap update')).toMatchObject({ code: 3 })
})

test('what is too large, elsewhere, or behind the network of the machine is refused, and nothing is written', async () => {
  const { at, run, json } = await inMonaco()
  await json(`basemap add ${monaco} --margin 100 --yes`)
  const before = await readFile(at('streets.pmtiles'))
  await writeFile(at('large.pmtiles'), ofLargeTile())
  for (const [line, code, words] of [
    [
      `basemap add ${at('large.pmtiles')} --max-size 1 --yes`,
      5,
      /2\.1 MB, more than --max-size 1: allow more/u,
    ],
    [`basemap add ${at('f.csv')} --yes`, 6, /no PMTiles archive/u],
    ['basemap add none.pmtiles --yes', 3, /no such file/u],
    ['basemap add https://127.0.0.1/planet.pmtiles --yes', 7, /not on the Internet/u],
    ['basemap add http://fountains.example/planet.pmtiles --yes', 7, /not https:/u],
    ['basemap add https://user:secret@fountains.example/x --yes', 7, /a user or a password/u],
  ] as const) {
    const ended = await run(line)
    expect([ended.code, words.test(ended.stderr)], line).toEqual([code, true])
  }
  expect(await readFile(at('streets.pmtiles'))).toEqual(before)
})
