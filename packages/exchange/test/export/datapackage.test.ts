import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOfAjv from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { publisher, sampleWaypoints } from './sample-snapshot.ts'
import { jsonIn, textIn, writtenEdition } from './written-edition.ts'

/**
 * What https://datapackage.org/standard/data-package/, data-resource/ and table-schema/ (version 2.0) demand of the
 * members that an export writes.
 */
const text = { type: 'string', minLength: 1 }
const license = {
  type: 'object',
  anyOf: [{ required: ['name'] }, { required: ['path'] }],
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
    path: { type: 'string' },
    title: text,
  },
}
const source = {
  type: 'object',
  properties: { title: text, path: { type: 'string' }, email: { type: 'string' }, version: text },
  minProperties: 1,
}
const field = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    type: {
      enum: [
        'string',
        'number',
        'integer',
        'boolean',
        'object',
        'array',
        'list',
        'datetime',
        'date',
        'time',
        'year',
        'yearmonth',
        'duration',
        'geopoint',
        'geojson',
        'any',
      ],
    },
    description: text,
    constraints: { type: 'object', properties: { required: { type: 'boolean' } } },
  },
}
const resource = {
  type: 'object',
  required: ['name', 'path'],
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9._/-]+$' },
    type: { const: 'table' },
    path: { type: 'string', pattern: String.raw`^(?!/)(?!.*\.\.)(?!.*\\).+$` },
    mediatype: { type: 'string', pattern: '^(.+)/(.+)$' },
    encoding: { const: 'utf-8' },
    bytes: { type: 'integer', minimum: 0 },
    hash: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    licenses: { type: 'array', minItems: 1, items: license },
    schema: {
      type: 'object',
      required: ['fields'],
      properties: {
        fields: { type: 'array', minItems: 1, items: field },
        missingValues: { type: 'array', items: { type: 'string' } },
        primaryKey: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}
const dataPackage = {
  type: 'object',
  required: ['$schema', 'name', 'resources', 'licenses', 'created', 'version'],
  properties: {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name: { type: 'string', pattern: '^[a-z0-9._-]+$' },
    created: { type: 'string', format: 'date-time' },
    version: text,
    licenses: { type: 'array', minItems: 1, items: license },
    sources: { type: 'array', minItems: 1, items: source },
    contributors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: { title: text, roles: { type: 'array', minItems: 1, items: text } },
        minProperties: 1,
      },
    },
    resources: { type: 'array', minItems: 1, items: resource },
  },
}

let folder: string
beforeAll(async () => {
  folder = await writtenEdition({ fictional: true })
})

test('the data package is one that Frictionless describes', () => {
  const ajv = new Ajv({ allErrors: true })
  formatsOfAjv.default(ajv)
  const validate = ajv.compile(dataPackage)
  validate(jsonIn(folder, 'datapackage.json'))
  expect(validate.errors ?? []).toEqual([])
})

test('bytes and hashes of all resources are those of the files', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  expect(resources.length).toBeGreaterThan(15)
  for (const { path, bytes, hash } of resources) {
    expect({ path, bytes }).toEqual({ path, bytes: statSync(join(folder, path)).size })
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
    expect({ path, hash }).toEqual({ path, hash: `sha256:${sha256}` })
  }
})

test('the schema of a CSV has exactly its columns', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  const tables = resources.filter(({ path }: { path: string }) => path.endsWith('.csv'))
  expect(tables.length).toBeGreaterThan(1)
  for (const { path, schema } of tables) {
    const [header] = readFileSync(join(folder, path), 'utf8').split('\r\n')
    expect(schema.fields.map(({ name }: { name: string }) => name).join(',')).toBe(header)
  }
})

test('JSON files say which of their members has the rows, and each row has exactly their columns', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  const lists = resources.filter(({ dialect }: { dialect?: object }) => dialect !== undefined)
  const paths = lists.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(['reviews.json', 'contributors.json', 'leaderboard.json', 'sources.json'])
  for (const { path, dialect, schema, rows, type } of lists) {
    const names = schema.fields.map(({ name }: { name: string }) => name)
    const found: object[] = jsonIn(folder, path)[dialect.property]
    expect({ path, type, rows: found.length }).toEqual({ path, type: 'table', rows })
    for (const row of found) expect(Object.keys(row), path).toEqual(names)
  }
})

test('every line of JSON has every column, so that a reader of the first lines knows them all', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  const { schema } = resources.find(({ path }: { path: string }) => path === 'waypoints.ndjson.gz')
  const names = schema.fields.map(({ name }: { name: string }) => name)
  const lines = textIn(folder, 'waypoints.ndjson.gz').trimEnd().split('\n')
  for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(names)
  expect(lines.some((line) => line.includes('"sources":[],"source_refs":[]'))).toBe(true)
})

test('every JSON file is as its schema in the data package says, which allows nothing else', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true })
  formatsOfAjv.default(ajv)
  const { resources } = jsonIn(folder, 'datapackage.json')
  const json = resources.filter(({ path }: { path: string }) => /\.(?:geo)?json$/u.test(path))
  expect(json.map(({ path }: { path: string }) => path)).toEqual([
    'waypoints.geojson',
    'status.json',
    'reviews.json',
    'contributors.json',
    'leaderboard.json',
    'stats.json',
    'areas.geojson',
    'sources.json',
  ])
  for (const { path, json_schema: schema } of json) {
    const validate = ajv.compile(schema)
    const file = jsonIn(folder, path)
    validate(file)
    expect({ path, errors: validate.errors ?? [] }).toEqual({ path, errors: [] })
    for (const member of Object.keys(file)) {
      const { [member]: _left, ...others } = file
      expect(validate(others), `${path} without ${member}`).toBe(false)
    }
    expect(validate({ ...file, unknown: 1 }), path).toBe(false)
  }
})

test('no column or member of a row is written in another case than the others', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  for (const { path, schema } of resources) {
    // Entries are proven in the form that the API has.
    if (schema === undefined || path === 'changes.ndjson.gz') continue
    for (const { name } of schema.fields) expect(name, path).toMatch(/^[a-z]+(?:_[a-z]+)*$/u)
  }
})

test('what a data package says beyond the standard is in the same case', async () => {
  const consenting = { ...publisher, consentsTo: 'CC0-1.0' }
  const described = jsonIn(await writtenEdition({ publisher: consenting }, []), 'datapackage.json')
  expect(described.openfountain.registry.consents_to).toBe('CC0-1.0')
  const keys = [described.openfountain, described.sources].flatMap(keysIn)
  expect(keys).toEqual(expect.arrayContaining(['data_time', 'attribution', 'as_of']))
  for (const key of keys) expect(key).toMatch(/^(?:[a-z]+(?:_[a-z]+)*|\d+)$/u)
})

/** The names of all members at any depth. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap(keysIn)
  return Array.isArray(value) ? within : [...Object.keys(value), ...within]
}

test('the data package has the box around the waypoints and where the registry is', async () => {
  expect(jsonIn(folder, 'datapackage.json').bbox).toEqual([-180, -90, 180, 55.724])
  const addresses = { homepage: 'https://lund.example/', url: 'https://lund.example/data/' }
  const placed = await writtenEdition({ addresses })
  expect(jsonIn(placed, 'datapackage.json').homepage).toBe(addresses.homepage)
  const dataset = jsonIn(placed, 'dataset.jsonld')
  expect(dataset).toMatchObject({
    '@id': 'https://lund.example/data/dataset.jsonld',
    url: addresses.homepage,
    spatialCoverage: { geo: { box: '-90 -180 55.724 180' } },
  })
  for (const { contentUrl } of dataset.distribution)
    expect(contentUrl).toMatch(/^https:\/\/lund\.example\/data\/./u)
})

test('amenities have a vocabulary, and entries their subjects and actions', () => {
  const { resources } = jsonIn(folder, 'datapackage.json')
  const fieldIn = (path: string, name: string) =>
    resources
      .find((resource: { path: string }) => resource.path === path)
      .schema.fields.find((field: { name: string }) => field.name === name)
  expect(fieldIn('waypoints.csv', 'amenities').vocabulary).toContainEqual({
    value: 'bottle-filler',
    label: 'Bottle filler',
  })
  expect(fieldIn('changes.ndjson.gz', 'subject').constraints.enum).toContain('waypoint')
  expect(fieldIn('changes.ndjson.gz', 'action').constraints.enum).toContain('unverified')
})

test('reviews refer to waypoints, and a choice has its values', () => {
  const schemaIn = (path: string) =>
    jsonIn(folder, 'datapackage.json').resources.find((resource: { path: string }) => resource.path === path)
      .schema
  expect(schemaIn('reviews.csv').foreignKeys).toEqual([
    { fields: ['waypoint_id'], reference: { resource: 'waypoints-csv', fields: ['id'] } },
  ])
  const { fields } = schemaIn('waypoints.csv')
  const constraintsOf = (name: string) =>
    fields.find((field: { name: string }) => field.name === name).constraints
  expect(constraintsOf('drinkable')).toEqual({ enum: ['yes', 'no', 'unsigned'] })
  expect(constraintsOf('state')).toMatchObject({
    required: true,
    enum: expect.arrayContaining(['works', 'off']),
  })
})

test('the data package has rows, licence, sources, the head of the log, and that records are made up', () => {
  const description = jsonIn(folder, 'datapackage.json')
  const rows = Object.fromEntries(
    description.resources.map(({ path, rows }: { path: string; rows: number }) => [path, rows]),
  )
  expect(rows['waypoints.parquet']).toBe(sampleWaypoints.length)
  expect(description).toMatchObject({
    licenses: [{ name: 'ODbL-1.0', path: 'https://opendatacommons.org/licenses/odbl/1-0/' }],
    sources: [{ title: 'City of Lund', license: 'CC0-1.0', attribution: 'Lunds kommun' }],
    openfountain: { registry: publisher, revision: 7, log: { id: 1 }, fictional: true },
  })
})

test('the dataset description is one that search engines and data portals read', () => {
  const dataset = jsonIn(folder, 'dataset.jsonld')
  expect(dataset).toMatchObject({
    '@type': ['Dataset', 'dcat:Dataset'],
    name: publisher.name,
    license: 'https://opendatacommons.org/licenses/odbl/1-0/',
    'dct:publisher': { name: publisher.author },
    isBasedOn: [{ name: 'City of Lund', creditText: 'Lunds kommun' }],
  })
  const csv = dataset.distribution.find(
    ({ contentUrl }: { contentUrl: string }) => contentUrl === 'waypoints.csv',
  )
  expect(csv).toMatchObject({ '@type': ['DataDownload', 'dcat:Distribution'], encodingFormat: 'text/csv' })
})

test('the name of the data package is the name of the registry without accents', async () => {
  const registry = { ...publisher, name: 'Källan på Åland & Łódź' }
  const named = await writtenEdition({ publisher: registry }, [])
  expect(jsonIn(named, 'datapackage.json').name).toBe('kallan-pa-aland-lodz')
})
