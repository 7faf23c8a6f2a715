import { attributionLine } from '@openfountain/core'
import { creditOf } from '@openfountain/core/internal'
import { licenceOf } from '../../licences/licence.ts'
import type { PublishedFile } from './datapackage.ts'
import type { Edition } from '../edition.ts'
import type { SourceRecord } from '../snapshot.ts'

const context = {
  '@vocab': 'https://schema.org/',
  dcat: 'http://www.w3.org/ns/dcat#',
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
  const { publisher, license, snapshot, chosen } = edition
  const { bbox } = chosen
  const description = `Public water fountains: ${publisher.name}, by ${publisher.author}`
  const organisation = {
    '@type': ['Organization', 'http://xmlns.com/foaf/0.1/Agent'],
    name: publisher.author,
  }
  const terms = licenceReference(license)
  const dataset = {
    '@context': context,
    '@type': ['Dataset', 'dcat:Dataset'],
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
    ...(bbox && { spatialCoverage: place(bbox) }),
    ...(sources.length > 0 && {
      isBasedOn: sources.map((source) => ({
        '@type': 'Dataset',
        name: source.name,
        ...(source.url !== undefined && { url: source.url }),
        license: licenseUrl(source.license),
        creditText: creditOf(source).name,
      })),
    }),
    distribution: files.map((file) => distribution(file, terms)),
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

function distribution({ file, bytes, sha256, format }: PublishedFile, terms: object) {
  const mediaType = format.mediaType.split(';')[0]
  return {
    '@type': ['DataDownload', 'dcat:Distribution'],
    name: format.title,
    contentUrl: file,
    'dcat:downloadURL': { '@id': file },
    'dcat:accessURL': { '@id': file },
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
  }
}
