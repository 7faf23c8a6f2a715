import { attributionLine } from '@openfountain/core'
import { creditOf, partyText } from '@openfountain/core/internal'
import { licenceOf } from '../../licences/licences.ts'
import type { PublishedFile } from './written.ts'
import type { Edition } from '../edition.ts'
import type { BoundingBox, SourceRecord } from '../snapshot.ts'

const context = {
  '@vocab': 'https://schema.org/',
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
  dct: 'http://purl.org/dc/terms/',
  spdx: 'http://spdx.org/rdf/terms#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/**
 * A description of the export as schema.org Dataset (for search engines) and as DCAT-AP (for data portals) in
 * one description, as JSON-LD and as Turtle. In JSON-LD `<` is escaped, so that the text can be used in a script element of a
 * page. High-value dataset terms are there where the licence permits what their regulation asks for.
 * https://schema.org/Dataset, https://semiceu.github.io/DCAT-AP/releases/3.0.1/, https://semiceu.github.io/DCAT-AP/releases/3.0.0-hvd/
 */
export function datasetDescription(
  edition: Edition,
  files: readonly PublishedFile[],
  sources: readonly SourceRecord[],
): { readonly jsonld: string; readonly turtle: string } {
  const { publisher, license, snapshot, addresses } = edition
  const extent = edition.extent()
  const { url, homepage } = addresses
  const description = `Public water fountains: ${publisher.name}, by ${publisher.author}`
  const page = homepage ?? url
  const organisation = {
    '@type': ['Organization', 'foaf:Agent'],
    name: publisher.author,
    'foaf:name': publisher.author,
  }
  const terms = licenceReference(license)
  const highValue = isOfHighValue(license) && !edition.fictional ? legislation : {}
  const distributions = files.map((file) => ({ ...distribution(file, terms, url), ...highValue }))
  const dataset = {
    '@context': context,
    '@type': ['Dataset', 'dcat:Dataset'],
    '@id': url === undefined ? 'dataset.jsonld' : new URL('dataset.jsonld', url).href,
    ...(page !== undefined && { url: page, 'dcat:landingPage': { '@id': page } }),
    name: publisher.name,
    'dct:title': publisher.name,
    description,
    'dct:description': description,
    license: terms['@id'] ?? license,
    'dct:license': terms,
    creditText: attributionLine(edition.attributions),
    publisher: organisation,
    creator: organisation,
    'dct:publisher': organisation,
    isAccessibleForFree: true,
    keywords: ['drinking water', 'water fountain', 'public fountains'],
    'dcat:keyword': ['drinking water', 'water fountain', 'public fountains'],
    'dcat:theme': { '@id': `${authority}/data-theme/ENVI` },
    'dct:accessRights': { '@id': `${authority}/access-right/PUBLIC` },
    ...highValue,
    ...(isOfHighValue(license) && !edition.fictional && { 'dcatap:hvdCategory': { '@id': geospatial } }),
    version: String(snapshot.revision),
    dateModified: snapshot.dataTime,
    'dct:modified': { '@type': 'xsd:dateTime', '@value': snapshot.dataTime },
    ...(extent && { spatialCoverage: place(extent), 'dct:spatial': location(extent) }),
    ...(sources.length > 0 && {
      isBasedOn: sources.map((source) => ({
        '@type': 'Dataset',
        name: source.name,
        url: source.url,
        license: licenseUrl(source.license),
        creditText: partyText(creditOf(source)),
      })),
    }),
    distribution: distributions,
    'dcat:distribution': distributions.map(({ '@id': id }) => ({ '@id': id })),
  }
  return {
    jsonld: `${JSON.stringify(dataset, undefined, 2).replaceAll('<', String.raw`\u003c`)}\n`,
    turtle: turtle(dataset),
  }
}

const authority = 'http://publications.europa.eu/resource/authority'

/** The category of high-value datasets about geospatial data, and the regulation that lists them. */
const geospatial = 'http://data.europa.eu/bna/c_ac64a52d'
const legislation = {
  'dcatap:applicableLegislation': { '@id': 'http://data.europa.eu/eli/reg_impl/2023/138/oj' },
}

/** Whether a licence asks for attribution at most, as Regulation (EU) 2023/138 has it. */
function isOfHighValue(license: string): boolean {
  const asks = licenceOf(license)?.asks
  return asks?.every((each) => each === 'attribution') === true
}

const fileTypes: Readonly<Record<string, string>> = {
  'application/geo+json': 'GEOJSON',
  'application/geopackage+sqlite3': 'GPKG',
  'application/gpx+xml': 'GPX',
  'application/gzip': 'GZIP',
  'application/json': 'JSON',
  'application/vnd.apache.parquet': 'PARQUET',
  'application/vnd.google-earth.kml+xml': 'KML',
  'application/vnd.google-earth.kmz': 'KMZ',
  'text/csv': 'CSV',
}

const licenseUrl = (license: string): string => licenceOf(license)?.url ?? license

function licenceReference(license: string) {
  const known = licenceOf(license)
  return { ...(known && { '@id': known.url }), '@type': 'dct:LicenseDocument', name: known?.title ?? license }
}

const place = ([west, south, east, north]: BoundingBox) => ({
  '@type': 'Place',
  geo: { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` },
})

/** https://semiceu.github.io/DCAT-AP/releases/3.0.0/#Location */
const location = ([west, south, east, north]: BoundingBox) => ({
  '@type': 'dct:Location',
  'dcat:bbox': {
    '@type': 'geosparql:wktLiteral',
    '@value': `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
  },
})

function distribution({ file, bytes, sha256, format, kept }: PublishedFile, terms: object, url?: string) {
  // Without an address, links are relative to the file that has them.
  const address = url === undefined ? file : new URL(file, url).href
  const [mediaType = ''] = format.mediaType.split(';')
  const fileType = fileTypes[mediaType]
  return {
    '@id': `${url === undefined ? '' : new URL('dataset.jsonld', url).href}#${file}`,
    '@type': ['DataDownload', 'dcat:Distribution'],
    name: format.title,
    'dct:title': format.title,
    contentUrl: address,
    'dcat:downloadURL': { '@id': address },
    'dcat:accessURL': { '@id': address },
    encodingFormat: mediaType,
    ...(fileType !== undefined && { 'dct:format': { '@id': `${authority}/file-type/${fileType}` } }),
    'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType}` },
    contentSize: `${bytes} B`,
    'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': String(bytes) },
    sha256,
    'spdx:checksum': {
      '@type': 'spdx:Checksum',
      'spdx:algorithm': { '@id': 'spdx:checksumAlgorithm_sha256' },
      'spdx:checksumValue': { '@type': 'xsd:hexBinary', '@value': sha256 },
    },
    'dct:license': terms,
    ...(kept && {
      dateModified: kept.moment.data_time,
      'dct:modified': { '@type': 'xsd:dateTime', '@value': kept.moment.data_time },
    }),
  }
}

/** A description as JSON-LD has it, of members that Turtle writes as they are. */
interface Described {
  readonly '@context'?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** Characters that an address in Turtle must not have. */
const forbidden = /[\0-\u0020<>"{}|^`\\]/gu

/** JSON-LD of one context without lists and languages as Turtle (RDF 1.1); its members without a prefix are of `@vocab`. */
function turtle({ '@context': context = {}, ...described }: Described): string {
  const { '@vocab': vocabulary = '', ...prefixes } = context
  const named: string[] = []

  const address = (text: string): string =>
    Object.keys(prefixes).some((prefix) => text.startsWith(`${prefix}:`))
      ? text
      : `<${text.replaceAll(forbidden, encodeURIComponent)}>`
  const term = (name: string): string => (name.includes(':') ? address(name) : `<${vocabulary}${name}>`)

  function members({ '@id': _id, '@type': types = [], ...others }: Described): string[] {
    const all = [types].flat().map((type) => term(String(type)))
    return [
      ...(all.length > 0 ? [`a ${all.join(', ')}`] : []),
      ...Object.entries(others).flatMap(([name, value]) => {
        const values = [value].flat().filter((each) => each !== undefined)
        return values.length === 0 ? [] : [`${term(name)} ${values.map(object).join(', ')}`]
      }),
    ]
  }

  function object(value: unknown): string {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'boolean' ? String(value) : JSON.stringify(String(value))
    const node = value as Described
    if ('@value' in node) return `${JSON.stringify(node['@value'])}^^${term(String(node['@type']))}`
    const own = members(node)
    if (typeof node['@id'] !== 'string') return `[ ${own.join(' ; ')} ]`
    const id = address(node['@id'])
    if (own.length > 0) named.push(`${id} ${own.join(' ; ')} .`)
    return id
  }

  const subject = typeof described['@id'] === 'string' ? address(described['@id']) : '[]'
  const own = `${subject} ${members(described).join(' ;\n  ')} .`
  const heads = Object.entries(prefixes).map(([prefix, start]) => `@prefix ${prefix}: <${start}> .`)
  return `${[...heads, '', own, ...new Set(named)].join('\n')}\n`
}
