import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOfAjv from 'ajv-formats'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { jsonIn, linesIn, textIn } from '@openfountain/testing/folder'
import { restoreCell, splitList } from '../../src/index.ts'
import { lund, publisher, sampleWaypoints, snapshotOf, writtenEdition } from './sample-snapshot.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly constraints?: { readonly required?: boolean; readonly enum?: readonly string[] }
}

interface Resource {
  readonly name: string
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly hash: string
  readonly type?: string
  readonly dialect?: { readonly property: string }
  readonly json_schema: object
  readonly schema?: {
    readonly fields: readonly (Column & { readonly vocabulary?: readonly object[] })[]
    readonly primaryKey?: readonly string[]
    readonly foreignKeys?: readonly {
      readonly fields: readonly [string]
      readonly reference: { readonly resource: string; readonly fields: readonly [string] }
    }[]
  }
}

const folder = await writtenEdition({ fictional: true })
const described = jsonIn(folder, 'datapackage.json')
const resources: readonly Resource[] = described.resources

const fieldsIn = (file: string) => resources.find((resource) => resource.path === file)?.schema?.fields ?? []
const fieldIn = (file: string, name: string) => fieldsIn(file).find((field) => field.name === name)
const namesIn = (file: string) => fieldsIn(file).map(({ name }) => name)

test('the data package is one that Frictionless describes', () => {
  // The requirements of https://datapackage.org/standard/data-package/, data-resource/ and table-schema/ (version 2.0).
  const object = (required: readonly string[], properties: object) => ({
    type: 'object',
    required,
    properties,
  })
  const some = (items: object) => ({ type: 'array', minItems: 1, items })
  const string = { type: 'string' }
  const matching = (pattern: string) => ({ type: 'string', pattern })
  const licenses = some(object(['name', 'path'], { name: matching('^[A-Za-z0-9._-]+$'), path: string }))
  const types = 'string number integer boolean object array list datetime date time any'.split(' ')
  const resource = object(['name', 'path'], {
    name: matching('^[a-z0-9._/-]+$'),
    type: { const: 'table' },
    path: matching(String.raw`^(?!/)(?!.*\.\.)(?!.*\\).+$`),
    mediatype: matching('^(.+)/(.+)$'),
    encoding: { const: 'utf-8' },
    licenses,
    schema: object(['fields'], {
      fields: some(object(['name'], { name: matching('.'), type: { enum: types } })),
    }),
  })
  const dataPackage = object(['$schema', 'name', 'resources', 'licenses', 'created', 'version'], {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name: matching('^[a-z0-9._-]+$'),
    created: { type: 'string', format: 'date-time' },
    version: matching('.'),
    licenses,
    sources: some(object(['title'], { title: matching('.'), path: string, version: matching('.') })),
    contributors: some(object(['title'], { title: matching('.'), roles: some(matching('.')) })),
    resources: some(resource),
  })
  const ajv = new Ajv({ allErrors: true })
  formatsOfAjv.default(ajv)
  const validate = ajv.compile(dataPackage)
  validate(described)
  expect(validate.errors ?? []).toEqual([])
})

test('the version of a source is the day of its publication, and none where that is not known', async () => {
  expect(described.sources).toEqual([expect.not.objectContaining({ version: expect.anything() })])
  const source = { ...lund, published: '2025-01-31' }
  const dated = jsonIn(
    await writtenEdition({ snapshot: snapshotOf({ sources: [source] }) }),
    'datapackage.json',
  )
  expect(dated.sources).toMatchObject([{ version: '2025-01-31' }])
})

test('bytes and hashes of all resources are those of the files', () => {
  expect(resources.length).toBeGreaterThan(15)
  for (const { path: file, bytes, hash } of resources) {
    const sha256 = createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex')
    expect([file, bytes, hash]).toEqual([file, statSync(path.join(folder, file)).size, `sha256:${sha256}`])
  }
})

type Cells = Readonly<Record<string, string>>
const bad = (pattern: RegExp) => (text: string) => !pattern.test(text)

/** Whether a cell is invalid for a type: https://datapackage.org/standard/table-schema/#field-types */
const isWrong: Readonly<Record<string, (text: string) => boolean>> = {
  integer: bad(/^-?\d+$/u),
  number: bad(/^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/u),
  boolean: bad(/^(?:true|false)$/u),
  date: (text) => new Date(`${text}T00:00Z`).toISOString().slice(0, 10) !== text,
  datetime: (text) => new Date(text).toISOString() !== text,
  object: (text) => Object.getPrototypeOf(JSON.parse(text)) !== Object.prototype,
  list: (text) => splitList(restoreCell(text)).length === 0,
  string: () => false,
  any: () => false,
}

function faultsIn(
  { path: file, schema, rows }: Resource,
  tables: ReadonlyMap<string, readonly Cells[]>,
): string[] {
  const cells = tables.get(file) ?? []
  const faults = cells.length === rows ? [] : [`${cells.length} rows instead of ${rows}`]
  for (const { name, type, constraints } of schema?.fields ?? [])
    for (const row of cells) {
      const text = row[name] ?? ''
      if (text === '') faults.push(...(constraints?.required ? [`${name} is missing`] : []))
      else if (isWrong[type]?.(text) ?? true) faults.push(`${name}: ${text} is no ${type}`)
      else if (constraints?.enum && !constraints.enum.includes(text)) faults.push(`${name}: ${text}`)
    }
  for (const key of schema?.primaryKey ?? [])
    if (new Set(cells.map((row) => row[key])).size < cells.length) faults.push(`${key} twice`)
  for (const { fields, reference } of schema?.foreignKeys ?? []) {
    const to = resources.find(({ name }) => name === reference.resource)?.path ?? ''
    const known = new Set(tables.get(to)?.map((row) => row[reference.fields[0]]))
    for (const row of cells) if (!known.has(row[fields[0]])) faults.push(`${fields[0]}: ${row[fields[0]]}`)
  }
  return faults
}

test('every CSV obeys the rules of its schema: columns, types, required values, choices and keys', () => {
  const flat = resources.filter((resource) => resource.path.endsWith('.csv'))
  const tables = new Map(
    flat.map((resource) => [
      resource.path,
      parse(textIn(folder, resource.path), { columns: true }) as Cells[],
    ]),
  )
  expect([...tables.keys()].join(' ')).toBe(
    'waypoints.csv reviews.csv contributors.csv leaderboard.csv stats.csv',
  )
  for (const resource of flat) {
    expect(faultsIn(resource, tables), resource.path).toEqual([])
    expect(textIn(folder, resource.path).split('\r\n')[0]).toBe(namesIn(resource.path).join(','))
  }
})

test('JSON files say which of their members has the rows, and each row has exactly their columns', () => {
  const lists = resources.filter(({ dialect }) => dialect !== undefined)
  const files = lists.map((resource) => resource.path)
  expect(files).toEqual(['reviews.json', 'contributors.json', 'leaderboard.json', 'sources.json'])
  for (const { path: file, dialect, rows, type } of lists) {
    const found: object[] = jsonIn(folder, file)[dialect?.property ?? '']
    expect([file, type, found.length]).toEqual([file, 'table', rows])
    for (const row of found) expect(Object.keys(row), file).toEqual(namesIn(file))
  }
})

test('every line of JSON has every column, so that a reader of the first lines knows them all', () => {
  const rows = linesIn(folder, 'waypoints.ndjson.gz')
  for (const row of rows) expect(Object.keys(row)).toEqual(namesIn('waypoints.ndjson.gz'))
  expect(rows).toContainEqual(expect.objectContaining({ sources: [], source_refs: [] }))
})

test('every JSON file is as its schema in the data package says, which allows nothing else', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true })
  formatsOfAjv.default(ajv)
  const json = resources.filter((resource) => /\.(?:geo)?json$/u.test(resource.path))
  expect(json.map((resource) => resource.path).join(' ')).toBe(
    'waypoints.geojson status.json reviews.json contributors.json leaderboard.json stats.json areas.geojson sources.json',
  )
  for (const { path: name, json_schema: schema } of json) {
    const validate = ajv.compile(schema)
    const file = jsonIn(folder, name)
    validate(file)
    expect({ name, errors: validate.errors ?? [] }).toEqual({ name, errors: [] })
    for (const member of Object.keys(file)) {
      const { [member]: _left, ...others } = file
      expect(validate(others), `${name} without ${member}`).toBe(false)
    }
    expect(validate({ ...file, unknown: 1 }), name).toBe(false)
  }
})

test('no column, and no member that a data package has beyond the standard, is written in another case than the others', () => {
  // Proofs are over entries in the API's form.
  const files = resources.map((resource) => resource.path).filter((file) => file !== 'changes.ndjson.gz')
  for (const name of [...files.flatMap(namesIn), ...Object.keys(described.openfountain)])
    expect(name).toMatch(/^(?:[a-z]+\d*(?:_[a-z]+\d*)*|\d+)$/u)
})

test('the data package has the box around the waypoints, where the registry is, and its name without accents', async () => {
  expect(described.bbox).toEqual([-180, -90, 180, 55.724])
  const addresses = { homepage: 'https://lund.example/', url: 'https://lund.example/data/' }
  const named = { ...publisher, name: 'Källan på Åland & Łódź' }
  const placed = await writtenEdition({ addresses, publisher: named }, [])
  const { homepage, name } = jsonIn(placed, 'datapackage.json')
  expect([homepage, name]).toEqual([addresses.homepage, 'kallan-pa-aland-lodz'])
  const dataset = jsonIn(placed, 'dataset.jsonld')
  expect(dataset).toMatchObject({
    '@id': 'https://lund.example/data/dataset.jsonld',
    url: addresses.homepage,
    spatialCoverage: { geo: { box: '-90 -180 55.724 180' } },
  })
  for (const { contentUrl } of dataset.distribution)
    expect(contentUrl).toMatch(/^https:\/\/lund\.example\/data\/./u)
})

test('amenities have a vocabulary, choices and entries their values, and reviews refer to waypoints', () => {
  const filler = { value: 'bottle-filler', label: 'Bottle filler' }
  expect(fieldIn('waypoints.csv', 'amenities')?.vocabulary).toContainEqual(filler)
  expect(fieldIn('waypoints.csv', 'drinkable')?.constraints).toEqual({ enum: ['yes', 'no', 'unsigned'] })
  const states = { required: true, enum: expect.arrayContaining(['works', 'off']) }
  expect(fieldIn('waypoints.csv', 'state')?.constraints).toMatchObject(states)
  expect(fieldIn('changes.ndjson.gz', 'subject')?.constraints?.enum).toContain('waypoint')
  expect(fieldIn('changes.ndjson.gz', 'action')?.constraints?.enum).toContain('unverified')
  expect(resources.find((resource) => resource.path === 'reviews.csv')?.schema?.foreignKeys).toEqual([
    { fields: ['waypoint_id'], reference: { resource: 'waypoints-csv', fields: ['id'] } },
  ])
})

test('the data package has rows, licence, sources, the head of the log, and that records are made up', () => {
  expect(resources.find((resource) => resource.path === 'waypoints.parquet')?.rows).toBe(
    sampleWaypoints.length,
  )
  expect(described).toMatchObject({
    licenses: [{ name: 'ODbL-1.0', path: 'https://opendatacommons.org/licenses/odbl/1-0/' }],
    sources: [{ title: 'City of Lund', license: 'CC0-1.0', attribution: 'Lunds kommun' }],
    openfountain: { registry: publisher, revision: 7, log: { id: 1 }, fictional: true },
  })
})

test('the dataset description is one that search engines and data portals read', () => {
  const csv = {
    '@type': ['DataDownload', 'dcat:Distribution'],
    encodingFormat: 'text/csv',
    contentUrl: 'waypoints.csv',
  }
  expect(jsonIn(folder, 'dataset.jsonld')).toMatchObject({
    '@type': ['Dataset', 'dcat:Dataset'],
    name: publisher.name,
    license: 'https://opendatacommons.org/licenses/odbl/1-0/',
    'dct:publisher': { name: publisher.author },
    isBasedOn: [{ name: 'City of Lund', creditText: 'Lunds kommun' }],
    distribution: expect.arrayContaining([expect.objectContaining(csv)]),
  })
})
