import { gzipSync } from 'node:zlib'
import { wholeParquet, seeded } from './damaged-parquet.ts'
import { geoPackage } from './geopackage.ts'

const of = <Value>(value: (index: number) => Value): Value[] =>
  Array.from({ length: 20 }, (_, index) => value(index))

const csv = `id,name,lat,lon,tags\n${of((at) => `${at},"B ""${at}""",47.${at},8.5,"{""a"": ${at}}"`).join('\n')}\n`
const json = JSON.stringify({
  type: 'FeatureCollection',
  features: of((at) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [8 + at / 1000, 47] },
    properties: { name: `B${at} \u{1f6b0}`, tags: { drinking_water: 'yes' } },
  })),
})
const elements = of((at) => ({
  type: 'node',
  id: at + 1,
  lat: 47 + at / 100,
  lon: 8,
  tags: { name: `N${at}` },
}))
const gpx = `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1">${of(
  (at) =>
    `<wpt lat="47.${at}" lon="8"><name>W${at} &amp; co</name><desc><![CDATA[<b>${at}</b>]]></desc></wpt>`,
).join('')}</gpx>`
const kml = `<kml><Document>${of(
  (at) =>
    `<Placemark id="p${at}"><name>K${at}</name><ExtendedData><Data name="a"><value>${at}</value></Data></ExtendedData>` +
    `<Point><coordinates>8,47.${at},0</coordinates></Point></Placemark>`,
).join('')}</Document></kml>`

/** A good file of each format that is read. */
export const goodFiles: Readonly<Record<string, () => Uint8Array>> = {
  csv: () => Buffer.from(csv),
  'csv-utf16': () => Buffer.from(`\ufeff${csv}`, 'utf16le'),
  'csv-gzip': () => gzipSync(csv.repeat(20)),
  geojson: () => Buffer.from(json),
  'json-lines': () => Buffer.from(elements.map((element) => `${JSON.stringify(element)}\n`).join('')),
  overpass: () => Buffer.from(JSON.stringify({ version: 0.6, elements })),
  gpx: () => Buffer.from(gpx),
  kml: () => Buffer.from(kml),
  geopackage: () =>
    geoPackage(
      'id integer primary key, geom blob, name text',
      of((at) => `'G${at}'`),
    ),
  parquet: () => wholeParquet('SNAPPY'),
}

/** What a text format gives a meaning to, and programs stumble over. */
const pieces = [
  '"',
  "'",
  '{',
  '[',
  ']',
  '}',
  '<',
  '&',
  '\n',
  '\0',
  '\\',
  '\u00ff',
  '-',
  '9'.repeat(400),
  '\ud83d',
]

/** The file with some bytes changed, removed, repeated or inserted; the same for the same seed. */
export function mutated(good: Uint8Array, seed: number): Uint8Array {
  const below = seeded(seed)
  let bytes = Buffer.from(good)
  for (let changes = 1 + below(4); changes > 0 && bytes.length > 1; changes--) {
    const at = below(bytes.length)
    const end = Math.min(bytes.length, at + 1 + below(60))
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
    const inserted = Buffer.from(pieces[below(pieces.length)] ?? '')
    const made: readonly Buffer[] = [
      [before, Buffer.from([below(256)]), bytes.subarray(at + 1)],
      [before, inserted, part, after],
      [before, after],
      [before, part, part, after],
      [before],
      [before, Buffer.from([(bytes[at] ?? 0) ^ (1 << below(8))]), bytes.subarray(at + 1)],
    ][below(6)] ?? [bytes]
    bytes = Buffer.concat(made)
  }
  return bytes
}
