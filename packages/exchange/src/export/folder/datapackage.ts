import { attributionLine } from '@openfountain/core'
import { creditOf, partyText } from '@openfountain/core/internal'
import { fold } from '@openfountain/core/letters'
import { licenceOf } from '../../licences/licences.ts'
import { creditOfFile } from '../credit.ts'
import { type Edition, isWhole } from '../edition.ts'
import type { SourceRecord } from '../snapshot.ts'
import type { PublishedFile } from './written.ts'
import type { Field } from '../fields.ts'

export interface Part {
  readonly folder: string
  readonly license: string
  /** Whether the files about the whole registry are in it: reviews, people, totals, areas and the log. */
  readonly registry: boolean
}

/**
 * A Frictionless Data Package, version 2, of an export: https://datapackage.org/standard/data-package/
 * Members beyond the standard are `openfountain`, whose `registry` has the custom fields of waypoints in JSON Schema where it declares
 * some, and which a resource has that is of an earlier moment, `bbox` (west, south, east, north), `rows`, `attribution` and, where it is JSON, `json_schema` of each resource,
 * `unit` and `vocabulary` of a field, and of each source `license`, `attribution`, `waypoints` and `consents_to`, the licence
 * of the files where it consented to that.
 */
export function dataPackageOf(
  edition: Edition,
  files: readonly PublishedFile[],
  sources: readonly SourceRecord[] = edition.sources,
  parts?: readonly Part[],
) {
  const { publisher, snapshot, license } = edition
  const { consentsTo, ...registry } = publisher
  const { isOwnLicense: _isOwn, keptNames: _names, keptSources: _sources, ...where } = edition.chosen
  // Undefined members are left out of the text.
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName(publisher.name),
    title: publisher.name,
    description: `Public water fountains: ${publisher.name}, by ${publisher.author}`,
    homepage: edition.addresses.homepage,
    version: String(snapshot.revision),
    created: snapshot.asOf > snapshot.dataTime ? snapshot.asOf : snapshot.dataTime,
    licenses: [...new Set(files.map((file) => file.license ?? license))].map(licenseEntry),
    contributors: [{ title: publisher.author, roles: ['publisher'] }],
    sources: sources.length === 0 ? undefined : sources.map(sourceEntry),
    bbox: edition.extent(),
    resources: files.map((file) => resourceOf(file, edition, files)),
    openfountain: {
      registry: { ...registry, consents_to: consentsTo },
      attribution: attributionLine(edition.attributions),
      // Increased when readers of the previous layout, such as the site, would misread the folder.
      format: 2,
      revision: snapshot.revision,
      data_time: snapshot.dataTime,
      as_of: snapshot.asOf,
      log: snapshot.head,
      ...where,
      since: edition.difference?.since,
      fictional: edition.fictional || undefined,
      basis: edition.daily?.basis,
      parts,
    },
  }
}

const sourceEntry = (source: SourceRecord) => ({
  title: source.name,
  path: source.url,
  version: source.published,
  license: source.license,
  attribution: partyText(creditOf(source)),
  consents_to: source.consentsTo,
  waypoints: source.waypoints,
})

/** Names have neither spaces nor signs, so an unknown licence has a title too. */
function licenseEntry(license: string): { name: string; title: string; path?: string } {
  const known = licenceOf(license)
  if (known) return { name: known.id, title: known.title, path: known.url }
  return { name: license.replaceAll(/[^A-Za-z0-9._-]+/gu, '-'), title: license }
}

function resourceOf(published: PublishedFile, edition: Edition, files: readonly PublishedFile[]) {
  const { format, file, bytes, sha256, rows, license, attribution, kept } = published
  if (kept) return { ...kept.described, name: resourceName(file), path: file, openfountain: kept.moment }
  return {
    name: resourceName(file),
    path: file,
    title: format.title,
    description: `${format.holds} Lost: ${format.loses}`,
    format: format.file.slice(format.file.indexOf('.') + 1),
    mediatype: format.mediaType.split(';')[0],
    encoding: format.mediaType.includes('charset=utf-8') ? 'utf-8' : undefined,
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    licenses: [licenseEntry(license ?? edition.license)],
    attribution: attribution ?? creditOfFile(edition, format.subject).attribution,
    ...columnsSaid(published, edition, files),
    json_schema: format.jsonSchema,
  }
}

const packageName = (name: string): string =>
  fold(name)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '') || 'openfountain'

/**
 * The columns of a file in a data package. CSV, and JSON with a member that lists the rows, are tabular in the terms of
 * Frictionless; other formats have their schema as documentation.
 */
function columnsSaid({ file, format }: PublishedFile, edition: Edition, files: readonly PublishedFile[]) {
  const { fields, rowsIn } = format
  if (fields === undefined) return {}
  const flat = file.endsWith('.csv')
  return {
    ...((flat || rowsIn !== undefined) && { type: 'table' as const }),
    // https://datapackage.org/standard/table-dialect/
    ...(rowsIn !== undefined && { dialect: { property: rowsIn, itemType: 'object' } }),
    schema: { ...schemaOf(fields, flat), ...keysOf(fields, file, edition, files) },
  }
}

/** A Table Schema: https://datapackage.org/standard/table-schema/ */
export function schemaOf(fields: readonly Field[], flat: boolean) {
  return {
    fields: fields.map(({ name, type, unit, meaning, required, values, vocabulary }) => ({
      name,
      type: type === 'list' && !flat ? 'array' : type,
      ...(flat && type === 'list' && { delimiter: ';' }),
      unit,
      description: meaning,
      vocabulary,
      ...constraintsOf(required && !(flat && type === 'list'), values),
    })),
    ...(fields.some(({ name }) => name === 'id') && { primaryKey: ['id'] }),
    missingValues: [''],
  }
}

function constraintsOf(required: boolean, values: readonly string[] | undefined) {
  if (!required && values === undefined) return {}
  return { constraints: { ...(required && { required }), enum: values } }
}

/** A table about waypoints refers to them, where all of them are beside it, of the same moment: preferably in the same form. */
function keysOf(fields: readonly Field[], file: string, edition: Edition, files: readonly PublishedFile[]) {
  if (!isWhole(edition) || !fields.some(({ name }) => name === 'waypoint_id')) return {}
  const forms = file.endsWith('.csv') ? ['waypoints.csv'] : ['waypoints.ndjson.gz', 'waypoints.csv']
  const waypoints = forms.find((form) =>
    files.some(({ file: other, kept }) => other === form && kept === undefined),
  )
  if (waypoints === undefined) return {}
  const reference = { resource: resourceName(waypoints), fields: ['id'] }
  return { foreignKeys: [{ fields: ['waypoint_id'], reference }] }
}

const resourceName = (file: string): string => file.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
