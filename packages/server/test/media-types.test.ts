import { expect, test } from 'vitest'
import { compressible, mediaTypeOf } from '../src/http/media-types.ts'

test.each([
  ['feed.atom', 'application/atom+xml; charset=utf-8', true],
  ['site.css', 'text/css; charset=utf-8', true],
  ['waypoints.csv', 'text/csv; charset=utf-8', true],
  ['waypoints.geojson', 'application/geo+json', true],
  ['waypoints.gpkg', 'application/geopackage+sqlite3', true],
  ['changes.ndjson.gz', 'application/gzip', false],
  ['index.html', 'text/html; charset=utf-8', true],
  ['photo.JPG', 'image/jpeg', false],
  ['map.js', 'text/javascript; charset=utf-8', true],
  ['map.js.map', 'application/json; charset=utf-8', true],
  ['worker.mjs', 'text/javascript; charset=utf-8', true],
  ['waypoints.parquet', 'application/vnd.apache.parquet', false],
  ['0-255.pbf', 'application/x-protobuf', true],
  ['waypoints.pmtiles', 'application/vnd.pmtiles', false],
  ['icon.svg', 'image/svg+xml', true],
  ['pagefind.wasm', 'application/wasm', true],
  ['app.webmanifest', 'application/manifest+json', true],
  ['letters.woff2', 'font/woff2', false],
  ['sitemap.xml', 'application/xml; charset=utf-8', true],
  ['SHA256SUMS', 'application/octet-stream', false],
  ['toString', 'application/octet-stream', false],
  ['x.constructor', 'application/octet-stream', false],
])('the media type of %s is %s', (name, type, packs) => {
  expect(mediaTypeOf(name)).toBe(type)
  expect(compressible(type)).toBe(packs)
})
