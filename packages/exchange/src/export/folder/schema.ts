import { isWhole, type Edition } from '../edition.ts'
import type { Field } from '../fields.ts'
import type { PublishedFile } from './written.ts'

/**
 * The columns of a file in a data package. CSV, and JSON with a member that lists the rows, are tabular in the terms of
 * Frictionless; other formats have their schema as documentation.
 */
export function columnsSaid(
  { file, format }: PublishedFile,
  edition: Edition,
  files: readonly PublishedFile[],
) {
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

/** The name of the resource of a file. */
export const resourceName = (file: string): string => file.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
