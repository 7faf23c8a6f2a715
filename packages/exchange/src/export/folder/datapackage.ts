import { attributionLine } from '@openfountain/core'
import { creditOf } from '@openfountain/core/internal'
import { fold } from '@openfountain/core/letters'
import { licenceOf } from '../../licences/licence.ts'
import type { Edition } from '../edition.ts'
import type { Field } from '../fields.ts'
import type { Format } from '../format.ts'
import type { SourceRecord } from '../snapshot.ts'
import type { WrittenFile } from './written.ts'

/** A finished file and the format that wrote it. */
export interface PublishedFile extends WrittenFile {
  readonly format: Format
  readonly rows: number
  /** Its own licence, where an export has several. */
  readonly license?: string
}

/** A folder of an export that is split by licence. */
export interface Part {
  readonly folder: string
  readonly license: string
  /** Whether the files about the whole registry are in it: reviews, people, totals, areas and the log. */
  readonly registry: boolean
}

/**
 * A Frictionless Data Package, version 2, of an export: https://datapackage.org/standard/data-package/
 * Members beyond the standard are `openfountain`, and `rows` of each resource.
 */
export function dataPackageOf(
  edition: Edition,
  files: readonly PublishedFile[],
  sources: readonly SourceRecord[] = edition.sources,
  parts?: readonly Part[],
) {
  const { publisher, snapshot, license } = edition
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName(publisher.name),
    title: publisher.name,
    description: `Public water fountains: ${publisher.name}, by ${publisher.author}`,
    version: String(snapshot.revision),
    created: snapshot.asOf > snapshot.dataTime ? snapshot.asOf : snapshot.dataTime,
    licenses: distinctLicences(license, files),
    contributors: [{ title: publisher.author, roles: ['publisher'] }],
    ...(sources.length > 0 && {
      sources: sources.map((source) => ({
        title: source.name,
        ...(source.url !== undefined && { path: source.url }),
        ...(source.lastImport !== undefined && { version: source.lastImport }),
        license: source.license,
        attribution: creditOf(source).name,
        waypoints: source.waypoints,
      })),
    }),
    resources: files.map((file) => resourceOf(file, files)),
    openfountain: {
      registry: publisher,
      attribution: attributionLine(edition.attributions),
      // Increased when readers of the previous layout, such as the site, would misread the folder.
      format: 1,
      revision: snapshot.revision,
      dataTime: snapshot.dataTime,
      asOf: snapshot.asOf,
      log: snapshot.head,
      ...edition.chosen,
      ...(edition.difference && { since: edition.difference.since }),
      ...(edition.fictional && { fictional: true }),
      ...(parts && { parts }),
    },
  }
}

/** A licence as Frictionless writes it. Its names have neither spaces nor signs, so an unknown one has a title too. */
export function licenseEntry(license: string): { name: string; title: string; path?: string } {
  const known = licenceOf(license)
  if (known) return { name: known.id, title: known.title, path: known.url }
  return { name: license.replaceAll(/[^A-Za-z0-9._-]+/gu, '-'), title: license }
}

const distinctLicences = (license: string, files: readonly PublishedFile[]) =>
  [...new Set(files.map((file) => file.license ?? license))].map(licenseEntry)

function resourceOf(
  { format, file, bytes, sha256, rows, license }: PublishedFile,
  files: readonly PublishedFile[],
) {
  return {
    name: resourceName(file),
    path: file,
    title: format.title,
    description: `${format.holds} Lost: ${format.loses}`,
    format: format.file.slice(format.file.indexOf('.') + 1),
    mediatype: format.mediaType.split(';')[0],
    ...(format.mediaType.includes('charset=utf-8') && { encoding: 'utf-8' }),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(license !== undefined && { licenses: [licenseEntry(license)] }),
    ...(format.fields && {
      ...tableOf(file),
      schema: { ...schemaOf(format.fields, file.endsWith('.csv')), ...keysOf(format.fields, file, files) },
    }),
  }
}

const resourceName = (file: string): string => file.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')

/** A table about waypoints refers to them, where they are beside it in the same form. */
function keysOf(fields: readonly Field[], file: string, files: readonly PublishedFile[]) {
  const place = file.lastIndexOf('/') + 1
  const waypoints = `${file.slice(0, place)}waypoints.csv`
  const refers = file.endsWith('.csv') && fields.some(({ name }) => name === 'waypoint_id')
  if (!refers || !files.some((other) => other.file === waypoints)) return {}
  const reference = { resource: resourceName(waypoints), fields: ['id'] }
  return { foreignKeys: [{ fields: ['waypoint_id'], reference }] }
}

/** Only CSV is what Frictionless calls tabular; other formats carry their schema as documentation. */
const tableOf = (file: string) => (file.endsWith('.csv') ? { type: 'table' as const } : {})

const frictionlessTypes = {
  integer: 'integer',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  list: 'array',
  object: 'object',
} as const

/** A Table Schema: https://datapackage.org/standard/table-schema/ */
export function schemaOf(fields: readonly Field[], flat: boolean) {
  return {
    fields: fields.map(({ name, type, unit, meaning, required, values }) => ({
      name,
      type: flat && type === 'list' ? 'list' : frictionlessTypes[type],
      ...(flat && type === 'list' && { delimiter: ';' }),
      ...(unit !== undefined && { unit }),
      description: meaning,
      ...constraintsOf(required && !(flat && type === 'list'), values),
    })),
    ...(fields.some(({ name }) => name === 'id') && { primaryKey: ['id'] }),
    missingValues: [''],
  }
}

function constraintsOf(required: boolean, values: readonly string[] | undefined) {
  if (!required && values === undefined) return {}
  return { constraints: { ...(required && { required }), ...(values && { enum: values }) } }
}

const packageName = (name: string): string =>
  fold(name)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '') || 'openfountain'
