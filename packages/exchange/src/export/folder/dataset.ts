import { attributionLine } from '@openfountain/core'
import { creditOf } from '@openfountain/core/internal'
import { licenceOf } from '../../licences/licences.ts'
import type { PublishedFile } from './written.ts'
import type { Edition } from '../edition.ts'
import type { SourceRecord } from '../snapshot.ts'

const context = {
  '@vocab': 'https://schema.org/',
  dcat: 'http://www.w3.org/ns/dcat#',
  geo: 'http://www.opengis.net/ont/geosparql#',
  dct: 'http://purl.org/dc/terms/',
  spdx: 'http://spdx.org/rdf/terms#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/**
 * A description of the export as schema.org Dataset (for search engines) and as DCAT-AP (for data portals) in
 * one JSON-LD text. `<` is escaped, so that the text can be used in a script element of a page.
 * https://schema.org/Dataset, https://semiceu.github.io/DCAT-AP/releases/3.0.0/
 */
export function datasetDescription(
  edition: Edition,
  files: readonly PublishedFile[],
  sources: readonly SourceRecord[],
): string {
  const { publisher, license, snapshot, addresses } = edition
  const extent = edition.extent()
  const { url, homepage } = addresses
  const description = `Public water fountains: ${publisher.name}, by ${publisher.author}`
  const page = homepage ?? url
  const organisation = {
    '@type': ['Organization', 'http://xmlns.com/foaf/0.1/Agent'],
    name: publisher.author,
  }
  const terms = licenceReference(license)
  const dataset = {
    '@context': context,
    '@type': ['Dataset', 'dcat:Dataset'],
    '@id': url === undefined ? undefined : new URL('dataset.jsonld', url).href,
    ...(page !== undefined && { url: page, 'dcat:landingPage': { '@id': page } }),
    name: publisher.name,
    'dct:title': publisher.name,
    description,
    'dct:description': description,
    license: terms['@id'] ?? terms.name,
    'dct:license': terms,
    creditText: attributionLine(edition.attributions),
    publisher: organisation,
    creator: organisation,
    'dct:publisher': organisation,
    isAccessibleForFree: true,
    keywords: ['drinking water', 'water fountain', 'public fountains'],
    'dcat:keyword': ['drinking water', 'water fountain', 'public fountains'],
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
        creditText: creditOf(source).name,
      })),
    }),
    distribution: files.map((file) => distribution(file, terms, url)),
  }
  return `${JSON.stringify(dataset, undefined, 2).replaceAll('<', String.raw`\u003c`)}\n`
}

const licenseUrl = (license: string): string => licenceOf(license)?.url ?? license

function licenceReference(license: string): { '@id'?: string; name: string } {
  const known = licenceOf(license)
  return known ? { '@id': known.url, name: known.title } : { name: license }
}

const place = ([west, south, east, north]: readonly [number, number, number, number]) => ({
  '@type': 'Place',
  geo: { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` },
})

/** https://semiceu.github.io/DCAT-AP/releases/3.0.0/#Location */
const location = ([west, south, east, north]: readonly [number, number, number, number]) => ({
  '@type': 'dct:Location',
  'dcat:bbox': {
    '@type': 'geo:wktLiteral',
    '@value': `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
  },
})

function distribution(
  { file, bytes, sha256, format, kept }: PublishedFile,
  terms: object,
  url: string | undefined,
) {
  // Without an address, links are relative to the file that has them.
  const address = url === undefined ? file : new URL(file, url).href
  const mediaType = format.mediaType.split(';')[0]
  return {
    '@type': ['DataDownload', 'dcat:Distribution'],
    name: format.title,
    contentUrl: address,
    'dcat:downloadURL': { '@id': address },
    'dcat:accessURL': { '@id': address },
    encodingFormat: mediaType,
    'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType}` },
    contentSize: `${bytes} B`,
    'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': String(bytes) },
    sha256,
    'spdx:checksum': {
      '@type': 'spdx:Checksum',
      'spdx:algorithm': { '@id': 'spdx:checksumAlgorithm_sha256' },
      'spdx:checksumValue': sha256,
    },
    'dct:license': terms,
    ...(kept && {
      dateModified: kept.moment.data_time,
      'dct:modified': { '@type': 'xsd:dateTime', '@value': kept.moment.data_time },
    }),
  }
}
