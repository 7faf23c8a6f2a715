import { describe, expect, test } from 'vitest'
import { compressible, mediaTypeOf } from '../src/http/media-types.ts'

describe('the media type of a file', () => {
  test.each([
    ['feed.atom', 'application/atom+xml; charset=utf-8', true],
    ['site.css', 'text/css; charset=utf-8', true],
    ['waypoints.csv', 'text/csv; charset=utf-8', true],
    ['waypoints.geojson', 'application/geo+json', true],
    ['waypoints.gpkg', 'application/geopackage+sqlite3', true],
    ['waypoints.gpx', 'application/gpx+xml', true],
    ['changes.ndjson.gz', 'application/gzip', false],
    ['index.html', 'text/html; charset=utf-8', true],
    ['favicon.ico', 'image/vnd.microsoft.icon', false],
    ['photo.JPG', 'image/jpeg', false],
    ['map.js', 'text/javascript; charset=utf-8', true],
    ['map.js.map', 'application/json; charset=utf-8', true],
    ['worker.mjs', 'text/javascript; charset=utf-8', true],
    ['datapackage.json', 'application/json; charset=utf-8', true],
    ['catalog.jsonld', 'application/ld+json', true],
    ['waypoints.kml', 'application/vnd.google-earth.kml+xml', true],
    ['waypoints.kmz', 'application/vnd.google-earth.kmz', false],
    ['README.md', 'text/markdown; charset=utf-8', true],
    ['changes.ndjson', 'application/x-ndjson', true],
    ['waypoints.parquet', 'application/vnd.apache.parquet', false],
    ['0-255.pbf', 'application/x-protobuf', true],
    ['waypoints.pmtiles', 'application/vnd.pmtiles', false],
    ['icon.png', 'image/png', false],
    ['registry.sqlite', 'application/vnd.sqlite3', true],
    ['icon.svg', 'image/svg+xml', true],
    ['robots.txt', 'text/plain; charset=utf-8', true],
    ['pagefind.wasm', 'application/wasm', true],
    ['app.webmanifest', 'application/manifest+json', true],
    ['photo.webp', 'image/webp', false],
    ['photo.avif', 'image/avif', false],
    ['letters.woff2', 'font/woff2', false],
    ['sitemap.xml', 'application/xml; charset=utf-8', true],
    ['fountains.zip', 'application/zip', false],
    ['fountains.pdf', 'application/pdf', false],
    ['film.mp4', 'video/mp4', false],
    ['SHA256SUMS', 'application/octet-stream', false],
    ['index.pf_meta', 'application/octet-stream', false],
    ['toString', 'application/octet-stream', false],
    ['x.constructor', 'application/octet-stream', false],
  ])('%s is %s', (name, type, packs) => {
    expect(mediaTypeOf(name)).toBe(type)
    expect(compressible(type)).toBe(packs)
  })
})
