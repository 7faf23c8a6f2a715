import { createReadStream } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { zipped } from '@openfountain/testing/import/packed-files'
import { importFile } from '../../src/index.ts'
import { feature, fileWith, geojson, importContent, imported, source } from './fixture.ts'

const of = (length: number, text: (index: number) => string, between = '') =>
  Array.from({ length }, (_, index) => text(index)).join(between)

const good = geojson(
  ...Array.from({ length: 200 }, (_, index) => feature(8 + index / 1000, 47, { name: `B${index}` })),
)
const csv = `id,name,lat,lon\n${of(50, (index) => `${index},"B ${index}",47.${index},8.5`, '\n')}\n`
const gpx =
  '<gpx><wpt lat="47" lon="8"><name>A</name></wpt><wpt lat="47.1" lon="8"><name>B</name></wpt></gpx>'
const entity = (index: number) => `<!ENTITY lol${index + 1} "${`&lol${index || ''};`.repeat(10)}">`
const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${of(9, entity)}]><gpx><wpt lat="47" lon="8"><name>&lol9;</name></wpt></gpx>`
const gml = '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs">'
const eight = 'x'.repeat(8_000_000)

const noise = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251))
const damaged = (bytes: Buffer): Buffer => Buffer.from(bytes).fill(0x55, 60, 120)

const cases: [title: string, code: string, content: () => string | Uint8Array][] = [
  ['an empty file', 'EMPTY', () => ''],
  ['a file of white space', 'EMPTY', () => ' \n\n\t '],
  ['truncated GeoJSON', 'TRUNCATED', () => good.slice(0, good.length - 500)],
  ['GeoJSON cut before its last bracket', 'TRUNCATED', () => good.slice(0, -1)],
  ['GeoJSON cut within a string', 'TRUNCATED', () => good.slice(0, good.lastIndexOf('"B199') + 3)],
  ['GeoJSON with a damaged feature', 'MALFORMED', () => good.replace('"name":"B100"', '"name":B100')],
  ['GeoJSON with text behind it', 'MALFORMED', () => `${good} {"more": 1}`],
  ['truncated JSON lines', 'TRUNCATED', () => '{"name":"A","lat":47,"lon":8}\n{"name":"B","lat":47.1,"lo'],
  ['CSV cut within quotes', 'TRUNCATED', () => csv.slice(0, csv.lastIndexOf('"'))],
  ['CSV cut within its last row', 'TRUNCATED', () => csv.slice(0, csv.lastIndexOf(',') - 4)],
  ['truncated GPX', 'TRUNCATED', () => gpx.slice(0, -20)],
  ['GPX with a broken tag', 'MALFORMED', () => gpx.replace('</name>', '</nme>')],
  ['truncated gzip', 'TRUNCATED', () => gzipSync(csv.repeat(100)).subarray(0, 400)],
  ['damaged gzip', 'MALFORMED', () => damaged(gzipSync(Buffer.from(good)))],
  ['a binary file', 'BINARY', () => noise],
  ['a picture', 'BINARY', () => Buffer.from('89504e470d0a1a0a0000000d49484452000000010000', 'hex')],
  [
    'a zip archive that is cut off',
    'TRUNCATED',
    () => Buffer.from('504b03041400000008000000210000000000', 'hex'),
  ],
  ['a 7z archive', 'ARCHIVE', () => Buffer.from('377abcaf271c0004', 'hex')],
  ['a tar archive', 'ARCHIVE', () => `${'a'.repeat(257)}ustar`],
  ['an old workbook', 'UNKNOWN_FORMAT', () => Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['FlatGeobuf', 'UNKNOWN_FORMAT', () => 'fgb\u0003fgb\u0000'],
  ['one file of a shapefile', 'UNKNOWN_FORMAT', () => Buffer.from('0000270a00000000', 'hex')],
  ['gzip within gzip', 'ARCHIVE', () => gzipSync(gzipSync(csv))],
  ['HTML instead of data', 'HTML', () => '<!DOCTYPE html><html><body>404 Not Found</body></html>'],
  ['HTML without a doctype', 'HTML', () => '<html lang="en"><head><title>Login</title></head></html>'],
  ['HTML behind a comment', 'HTML', () => '<!-- cached -->\n<!doctype html>\n<p>Not found'],
  ['XML of another kind', 'UNKNOWN_FORMAT', () => '<rss><channel><item/></channel></rss>'],
  ['prose', 'UNKNOWN_FORMAT', () => 'Dear colleague\nplease find the fountains attached\nbest wishes\n'],
  ['a SQLite file that is no GeoPackage', 'MALFORMED', () => `SQLite format 3\0${'x'.repeat(200)}`],
  ['a Parquet file without its end', 'TRUNCATED', () => Buffer.from(`PAR1${'x'.repeat(200)}`)],
  ['a billion laughs', 'ENTITIES', () => laughs],
  ['GML with entities', 'ENTITIES', () => laughs.replace('<gpx>', gml)],
  ['GML nested a thousand deep', 'TOO_DEEP', () => `${gml}${'<a>'.repeat(1000)}`],
  ['a KMZ bomb', 'BOMB', () => zipped({ 'doc.kml': `<kml>${'<Placemark/>'.repeat(8_000_000)}</kml>` })],
  ['a line of ten million columns', 'TOO_LARGE', () => ','.repeat(10_000_000)],
  ['a header of ten million columns and a row', 'TOO_LARGE', () => `a${',a'.repeat(10_000_000)}\n1,2\n`],
  ['a cell of eight megabytes', 'TOO_LARGE', () => `name,lat,lon\nA,47,8\n"${eight}",47,8\n`],
  ['a JSON string of eight megabytes', 'TOO_LARGE', () => geojson(feature(8, 47, { name: eight }))],
  ['an XML text of eight megabytes', 'TOO_LARGE', () => gpx.replace('>A<', `>${eight}<`)],
  ['JSON nested a thousand deep', 'TOO_DEEP', () => `${'['.repeat(1000)}${']'.repeat(1000)}`],
  ['XML nested a thousand deep', 'TOO_DEEP', () => `<gpx>${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}</gpx>`],
  ['a collection without features', 'NO_ROWS', () => geojson()],
  ['a heading without rows', 'NO_ROWS', () => 'name,lat,lon\n'],
  ['a table without coordinates', 'NO_COORDINATES', () => 'name,colour\nA,red\nB,blue\n'],
]

describe('a file that is not fountain data', () => {
  test.each(cases)('%s is refused clearly and nothing is written', async (_, code, content) => {
    const registry = await emptyRegistry()
    const before = await registry.revision()
    await expect(importContent(registry, content())).rejects.toMatchObject({
      name: 'ImportRefused',
      code,
      message: expect.stringMatching(/\.$/u),
    })
    expect(await registry.revision()).toBe(before)
    expect([await registry.sources.list(), await registry.imports.list()]).toEqual([[], []])
  })

  test('a gzip bomb of zeros is refused as binary, one of rows as a bomb', async () => {
    await expect(imported(gzipSync(Buffer.alloc(100_000_000)))).rejects.toMatchObject({ code: 'BINARY' })
    const rows = Buffer.concat([Buffer.from('name,lat,lon\n'), Buffer.alloc(80_000_004, 'A,47,8\n')])
    await expect(imported(gzipSync(rows))).rejects.toMatchObject({ code: 'BOMB' })
  })

  test('a file that does not exist and a folder are named as such', async () => {
    const registry = await emptyRegistry()
    await expect(importFile(registry, { file: '/nowhere/fountains.csv', source })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(importFile(registry, { file: import.meta.dirname, source })).rejects.toMatchObject({
      refusal: { code: 'NOT_FOUND', file: 'import', folder: true },
    })
  })

  test('standard input that breaks off leaves nothing behind', async () => {
    const registry = await emptyRegistry()
    const stdin = createReadStream(fileWith(good))
    stdin.once('data', () => stdin.destroy(new Error('pipe broken')))
    await expect(importFile(registry, { file: '-', stdin, source })).rejects.toThrow('pipe broken')
    expect(await registry.sources.list()).toEqual([])
  })

  test('a source without a licence is refused before anything is read', async () => {
    await expect(imported(good, { source: { name: 'City' } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  test('markup, formulas and SQL in a file are text and nothing else', async () => {
    const name = `'); drop table waypoints; -- =HYPERLINK("x")`
    const description = '<script>alert(1)</script>safe &amp; sound'
    const { waypoints } = await imported(geojson(feature(8, 47, { name, description })))
    expect(waypoints).toMatchObject([{ name, description: 'alert(1) safe & sound' }])
  })

  test('texts that are made to stall regular expressions are read like any other', async () => {
    const texts = ['1', 'x', 'a@', '<a', ' ', '"=>'].map((part) => part.repeat(200_000 / part.length))
    const rows = texts.flatMap((text, index) => {
      const columns = ['description', 'type', 'status', 'tags', 'lat', 'image'].map((column) => [
        column,
        text,
      ])
      const row = { name: `F${index}`, ...Object.fromEntries(columns) }
      return [feature(8 + index / 10, 47, row), feature(9, 47, {})]
    })
    const { report, waypoints } = await imported(geojson(...rows))
    expect(report.counts.refused).toBe(0)
    for (const { description = '' } of waypoints) expect(description.length).toBeLessThanOrEqual(2000)
  })

  test('__proto__ and constructor as columns are columns', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, '__proto__,constructor,name,lat,lon\nx,y,A,47,8\n')
    await importContent(
      registry,
      '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47]},"properties":{"__proto__":{"name":"P"},"name":"B"}}]}',
      { accept: ['shrink'] },
    )
    expect((await registry.waypoints.list()).map(({ name }) => name)).toEqual(['A', 'B'])
    expect(({} as Record<string, unknown>)['name']).toBeUndefined()
  })
})
