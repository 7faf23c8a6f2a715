import { mimes } from 'mrmime'

/** The types of mrmime, and those of exports and sites that it does not know or calls by another registered name. */
const byEnding = new Map<string, string>(
  Object.entries({
    ...mimes,
    gpkg: 'application/geopackage+sqlite3',
    ico: 'image/vnd.microsoft.icon',
    kml: 'application/vnd.google-earth.kml+xml',
    kmz: 'application/vnd.google-earth.kmz',
    ndjson: 'application/x-ndjson',
    parquet: 'application/vnd.apache.parquet',
    pbf: 'application/x-protobuf',
    pmtiles: 'application/vnd.pmtiles',
    sqlite: 'application/vnd.sqlite3',
    xml: 'application/xml',
  }),
)

/** Types whose files are written in UTF-8 here, and whose readers would otherwise guess the encoding. */
const withCharset = /^(?:text\/|application\/(?:atom\+xml|json|xml)$)/u

/** The media type of a file by the ending of its name; application/octet-stream when the ending is unknown. */
export function mediaTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const type = byEnding.get(ending) ?? 'application/octet-stream'
  return withCharset.test(type) ? `${type}; charset=utf-8` : type
}

const text = /^(?:text\/|image\/svg|application\/(?:wasm|.*(?:json|protobuf|sqlite3|xml)(?:;|$)))/u

/** Whether compressing files of a media type is worthwhile: images, fonts, archives and tiles are compressed already. */
export function compressible(mediaType: string): boolean {
  return text.test(mediaType)
}
