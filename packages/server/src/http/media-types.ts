/** The media type of a file by its ending, for the files of a site and of an export. */
const byEnding: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  gif: 'image/gif',
  gpkg: 'application/geopackage+sqlite3',
  gpx: 'application/gpx+xml',
  gz: 'application/gzip',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonld: 'application/ld+json',
  kml: 'application/vnd.google-earth.kml+xml',
  map: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  pbf: 'application/x-protobuf',
  pmtiles: 'application/vnd.pmtiles',
  png: 'image/png',
  sqlite: 'application/vnd.sqlite3',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

/** The media type of a file name; a plain list of bytes when the ending says nothing. */
export function mediaTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined) ?? 'application/octet-stream'
}

const packedAlready =
  /^(?:image\/(?!svg)|font\/|application\/(?:gzip|vnd\.pmtiles|vnd\.apache\.parquet|octet-stream))/

/** Whether compressing files of a media type pays. */
export function compressible(mediaType: string): boolean {
  return !packedAlready.test(mediaType)
}

/**
 * Chooses the media type to answer (RFC 9110, section 12.5.1). The first one is the default: it wins ties, and it is
 * answered when nothing fits, since a JSON answer helps more than a refusal.
 */
export function chosenMedia(accept: string | null, available: readonly string[]): string {
  const fallback = available[0] ?? ''
  if (accept === null || available.length < 2) return fallback
  let best = fallback
  let bestWeight = 0
  for (const media of available) {
    const weight = weightIn(accept, media)
    if (weight > bestWeight) {
      best = media
      bestWeight = weight
    }
  }
  return best
}

/** The weight that the most precise matching range gives to a media type. */
function weightIn(accept: string, media: string): number {
  const [type] = media.split('/')
  let precision = -1
  let weight = 0
  for (const item of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const found = range === media ? 2 : range === `${type}/*` ? 1 : range === '*/*' ? 0 : -1
    if (found <= precision) continue
    precision = found
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const parsed = given === undefined ? 1 : Number(given.slice(2))
    weight = parsed >= 0 && parsed <= 1 ? parsed : 0
  }
  return weight
}
