import type { Field, FieldType } from './fields.ts'

/** A JSON Schema: https://json-schema.org/draft/2020-12 */
export type JsonSchema = Readonly<Record<string, unknown>>

const types: Readonly<Record<FieldType, JsonSchema>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  list: { type: 'array', items: { type: 'string' } },
  object: { type: 'object' },
  any: {},
}

function valueSchema({ type, required, values }: Field): JsonSchema {
  const known = { ...types[type], ...(values && { enum: values }) }
  return required || type === 'any' ? known : { anyOf: [known, { type: 'null' }] }
}

/** An object with exactly these members, of which `optional` may be left out. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

export const listSchema = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** The members of a row by the names of its columns. */
export const rowProperties = (fields: readonly Field[]): Record<string, JsonSchema> =>
  Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)]))

const creditProperties = { license: types.string, attribution: types.string } as const

export const fileSchema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...objectSchema({ ...properties, ...creditProperties }),
})

/** The schema of a GeoJSON file. Columns are left out of features that have no value of them. */
export function collectionSchema(geometry: 'Point' | 'Polygon', fields: readonly Field[]): JsonSchema {
  const absent = fields.filter(({ required }) => !required).map(({ name }) => name)
  const shape = objectSchema({ type: { const: geometry }, coordinates: { type: 'array' } })
  return fileSchema({
    type: { const: 'FeatureCollection' },
    features: listSchema(
      objectSchema({
        type: { const: 'Feature' },
        id: types.integer,
        geometry: shape,
        properties: objectSchema(rowProperties(fields), absent),
      }),
    ),
  })
}
