import { mimes } from 'mrmime'

/** The types of mrmime, with those of exports and sites that it lacks or names differently. */
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

/** Types of UTF-8 files whose readers would otherwise guess the encoding. */
const withCharset = /^(?:text\/|application\/(?:atom\+xml|json|xml)$)/u

/** The media type of a file by its extension; application/octet-stream when unknown. */
export function mediaTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const type = byEnding.get(ending) ?? 'application/octet-stream'
  return withCharset.test(type) ? `${type}; charset=utf-8` : type
}

const text = /^(?:text\/|image\/svg|application\/(?:wasm|.*(?:json|protobuf|sqlite3|xml)(?:;|$)))/u

/** Whether files of a media type are worth compressing; images, fonts, archives and tiles are compressed already. */
export const compressible = (mediaType: string): boolean => text.test(mediaType)
