import type { Registry } from '@openfountain/core'
import { comparedFields, type Field, fieldNames, waypointFields } from '@openfountain/core/fields'
import { served } from '@openfountain/core/internal'
import { z } from 'zod'
import {
  type Call,
  endpoint,
  type Endpoint,
  instant,
  integer,
  oneOf,
  Page,
  pathId,
  readQuery,
} from '../endpoint.ts'
import { type About, describe, inOpenApi30 } from '../openapi.ts'
import { isSpdxId } from '../http/headers.ts'
import { filterOf, Narrowing } from '../waypoint-filter.ts'

/** OGC API Features, parts 1 (17-069r4) and 2 (18-058r1), over the reads of the registry. */

const tag = 'OGC API Features'
const epsg = 'http://www.opengis.net/def/crs/EPSG/0'
const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const relation = 'http://www.opengis.net/def/rel/ogc/1.0'
const geojson = 'application/geo+json'
const schemaType = 'application/schema+json'
const openApiType = 'application/vnd.oai.openapi+json;version=3.0'

export const conformance = [
  ...['core', 'geojson', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
]

const pageSize = { default: 100, max: 1000 }

type Pair = readonly [number, number]

/** Half of the circumference of the sphere of EPSG:3857, in metres, and the latitude at which its square ends. */
const halfMetres = 20_037_508.342789244
const steepest = 85.0511287798066
const clamped = (value: number, most: number): number => Math.min(most, Math.max(-most, value))
const millimetres = (metres: number): number => Math.round(metres * 1000) / 1000

/** The axes of each reference system, from and to longitude and latitude. */
const systems: Readonly<Record<string, { to(at: Pair): Pair; from(at: Pair): Pair }>> = {
  [crs84]: { to: (at) => at, from: (at) => at },
  [`${epsg}/4326`]: { to: ([x, y]) => [y, x], from: ([y, x]) => [x, y] },
  [`${epsg}/3857`]: {
    to: ([longitude, latitude]) => [
      millimetres((longitude / 180) * halfMetres),
      millimetres(
        (Math.asinh(Math.tan((clamped(latitude, steepest) * Math.PI) / 180)) / Math.PI) * halfMetres,
      ),
    ],
    from: ([x, y]) => [
      (clamped(x, halfMetres) / halfMetres) * 180,
      (Math.atan(Math.sinh((y / halfMetres) * Math.PI)) / Math.PI) * 180,
    ],
  },
}
const systemNames = Object.keys(systems)
const crsOr84 = (description: string) => oneOf(systemNames, description).default(crs84)

const {
  bbox: Box,
  near: _near,
  radius: _radius,
  limit: _limit,
  updatedSince: _since,
  updatedUntil: _until,
  ...narrowing
} = Narrowing.shape
const moment = instant('')

const Query = z.object({
  ...narrowing,
  bbox: z
    .string()
    .regex(/^[^,]+(?:,[^,]+){3}(?:(?:,[^,]+){2})?$/u, { error: 'must be four or six numbers' })
    .meta({
      description:
        'Only inside this box: two corners in the axes of `bbox-crs`; heights are ignored. The first corner beyond the second in longitude crosses the antimeridian',
      override: ({ jsonSchema }) => {
        for (const key of ['pattern', 'type']) delete jsonSchema[key]
        Object.assign(jsonSchema, {
          type: 'array',
          items: { type: 'number' },
          oneOf: [4, 6].map((count) => ({ minItems: count, maxItems: count })),
        })
      },
    })
    .optional(),
  'bbox-crs': crsOr84('The reference system of `bbox`'),
  crs: crsOr84('The reference system of the geometries'),
  datetime: z
    .string()
    .transform((text, context): { since?: string; until?: string } => {
      const [first = '', last = first, ...more] = text.split('/')
      const ends = [first, last].map((end) =>
        end === '' || end === '..' ? undefined : moment.safeParse(end).data,
      )
      const [since, until] = ends
      const isRead = [first, last].every(
        (end, index) => ['', '..'].includes(end) || ends[index] !== undefined,
      )
      if (!isRead || more.length > 0 || text.length < 3 || (since && until && since > until)) {
        const message = 'must be a time or an interval, such as 2026-01-01T00:00:00Z/..'
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      return { ...(since && { since }), ...(until && { until }) }
    })
    .optional()
    .meta({
      description: 'Only last changed at this time, or in this interval (RFC 3339; `..` is open)',
      override: ({ jsonSchema }) => Object.assign(jsonSchema, { type: 'string' }),
    }),
  limit: integer({ min: 1 }, 'How many features; more than 1,000 are 1,000')
    .prefault(String(pageSize.default))
    .meta({
      description: 'How many features; more than 1,000 are 1,000',
      override: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default },
    }),
})
type Query = z.output<typeof Query>

/** A box of some reference system as the registry reads it. @throws Problem as the parameter of /api */
function boxOf({ bbox, 'bbox-crs': name }: Query): z.output<typeof Box> {
  if (bbox === undefined) return undefined
  const numbers = bbox.split(',').map((part) => part.trim())
  const { from } = systems[name] ?? { from: (at: Pair) => at }
  const axes = numbers.length / 2
  const corners = [numbers, numbers.slice(axes)].flatMap(([first = '', second = '']) =>
    name === crs84 ? [first, second] : from([Number(first), Number(second)]).map((each) => each.toFixed(9)),
  )
  return readQuery(z.object({ bbox: Box }), `?bbox=${corners.join(',')}`).bbox
}

const position = /,"latitude":([^,]+),"longitude":([^,]+)/u

/** A waypoint of /api as a feature, to be closed by a brace: its JSON is the properties. In texts quotes are escaped, so the first match is its own. */
function feature(text: string, crs: string): string {
  const [, latitude, longitude] = position.exec(text) ?? []
  const at = systems[crs]?.to([Number(longitude), Number(latitude)])
  const id = text.slice('{"id":'.length, text.indexOf(','))
  return `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":${JSON.stringify(at)}},"properties":${text}`
}

function schemaOf(registry: Registry, id: string, names: readonly (keyof typeof waypointFields)[]): object {
  const properties = names.map((name) => {
    const { type, meaning, values, maxLength }: Field = waypointFields[name]
    const types: Readonly<Record<string, object>> = {
      id: { type: 'integer' },
      degrees: { type: 'number' },
      flag: { type: 'boolean' },
      words: { type: 'array', items: { type: 'string' } },
      properties: { type: 'object' },
      time: { type: 'string', format: 'date-time' },
      address: { type: 'string', format: 'uri' },
    }
    const role = { id: 'id', updatedAt: 'primary-instant' }[name as string]
    return [
      name,
      {
        title: name,
        description: meaning,
        ...(types[type] ?? { type: 'string' }),
        ...(values !== undefined && { enum: values }),
        ...(maxLength !== undefined && { maxLength }),
        ...(role !== undefined && { 'x-ogc-role': role }),
      },
    ]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    type: 'object',
    title: registry.name,
    properties: {
      geometry: { format: 'geometry-point', 'x-ogc-role': 'primary-geometry' },
      ...Object.fromEntries(properties),
    },
    additionalProperties: false,
  }
}

const Link = z
  .object({
    href: z.string(),
    rel: z.string(),
    type: z.string().optional(),
    title: z.string().optional(),
  })
  .meta({ id: 'OgcLink' })
const links = z.array(Link)
const Collection = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    itemType: z.literal('feature'),
    extent: z.object({
      spatial: z.object({ bbox: z.array(z.array(z.number())), crs: z.string() }),
      temporal: z.object({ interval: z.array(z.array(z.unknown())) }),
    }),
    crs: z.array(z.string()).meta({ description: 'Reference systems that it can be asked for in' }),
    storageCrs: z.string(),
    links,
  })
  .meta({ id: 'OgcCollection' })

const collectionPath = '/ogc/collections/waypoints'

export function ogcEndpoints(registry: Registry, about: About): readonly Endpoint[] {
  type Links = Call<unknown, unknown>
  const link = (call: Links, rel: string, path: string, type = 'application/json', title?: string) => ({
    href: call.absolute(`${call.basePath}${path}`),
    rel,
    type,
    ...(title !== undefined && { title }),
  })
  const licence = isSpdxId(registry.license)
    ? [
        {
          href: `https://spdx.org/licenses/${registry.license}.html`,
          rel: 'license',
          type: 'text/html',
          title: registry.license,
        },
      ]
    : []

  const collection = async (call: Links) => ({
    id: 'waypoints',
    title: registry.name,
    description: `Public water fountains, by ${registry.author}, under ${registry.license}`,
    itemType: 'feature',
    extent: {
      spatial: { bbox: [(await served(registry).extent()) ?? [-180, -90, 180, 90]], crs: crs84 },
      temporal: { interval: [[null, null]] },
    },
    crs: systemNames,
    storageCrs: crs84,
    links: [
      link(call, 'self', collectionPath),
      link(call, 'items', `${collectionPath}/items`, geojson, 'The fountains'),
      link(call, `${relation}/queryables`, `${collectionPath}/queryables`, schemaType),
      link(call, `${relation}/schema`, `${collectionPath}/schema`, schemaType),
      ...licence,
    ],
  })

  const inSystem = (text: string, crs: string): Page => new Page(text, geojson, [['content-crs', `<${crs}>`]])

  async function items(call: Call<unknown, Query>): Promise<Page> {
    const { request, query } = call
    const { bbox: _bbox, 'bbox-crs': _system, crs, datetime, limit: asked, ...rest } = query
    const limit = Math.min(asked, pageSize.max)
    const { since, until } = datetime ?? {}
    const filter = filterOf({ ...rest, bbox: boxOf(query), updatedSince: since, updatedUntil: until })
    const texts: string[] = []
    for await (const part of served(registry).waypoints({ ...filter, limit: limit + 1 })) texts.push(...part)
    const url = new URL(request.url)
    const found = texts.slice(0, limit).map((text) => `${feature(text, crs)}}`)
    const self = { href: call.absolute(url.pathname + url.search), rel: 'self', type: geojson }
    if (texts.length > limit) {
      const last = texts[limit - 1] ?? ''
      url.searchParams.set('after', last.slice('{"id":'.length, last.indexOf(',')))
    }
    const next = { ...self, href: call.absolute(url.pathname + url.search), rel: 'next' }
    const paging = new Set(['after', 'limit', 'crs', 'bbox-crs'])
    const isWhole = [...url.searchParams.keys()].every((name) => paging.has(name))
    const head = {
      type: 'FeatureCollection',
      timeStamp: new Date().toISOString(),
      ...(isWhole && { numberMatched: (await registry.statistics()).totalWaypoints }),
      numberReturned: found.length,
      links: [
        self,
        ...(texts.length > limit ? [next] : []),
        link(call, 'collection', collectionPath),
        ...licence,
      ],
    }
    return inSystem(`${JSON.stringify(head).slice(0, -1)},"features":[${found.join(',')}]}`, crs)
  }

  async function item(call: Call<{ id: number }, { crs: string }>): Promise<Page> {
    const { id } = call.path
    const texts: string[] = []
    for await (const part of served(registry).waypoints({ id, limit: 1 })) texts.push(...part)
    const [text] = texts
    if (text === undefined) {
      // It says what the waypoint was merged into; one that was restored meanwhile is read.
      await registry.waypoints.get(id)
      return item(call)
    }
    const all = [
      link(call, 'self', `${collectionPath}/items/${id}`, geojson),
      link(call, 'collection', collectionPath),
      ...licence,
    ]
    const { crs } = call.query
    return inSystem(`${feature(text, crs)},"links":${JSON.stringify(all)}}`, crs)
  }

  const read = { tag, who: 'anyone', isLicensed: false, isStrict: true } as const
  const schemaPage = (call: Links, path: string, names: readonly (keyof typeof waypointFields)[]): Page =>
    new Page(
      JSON.stringify(schemaOf(registry, call.absolute(`${call.basePath}${path}`), names)),
      schemaType,
      [],
    )

  const endpoints: readonly Endpoint[] = [
    endpoint({
      ...read,
      route: 'GET /ogc',
      name: 'getOgc',
      summary: 'Landing page of OGC API Features',
      success: {
        description: 'Where everything is',
        body: z.object({ title: z.string(), description: z.string(), links }),
      },
      run: (call) => ({
        title: registry.name,
        description: `Public water fountains, by ${registry.author}, under ${registry.license}`,
        links: [
          link(call, 'self', '/ogc', 'application/json', 'This page'),
          link(call, 'service-desc', '/ogc/api', openApiType, 'The description'),
          link(call, 'service-doc', '/api/docs', 'text/html', 'The reference'),
          link(call, 'conformance', '/ogc/conformance', 'application/json', 'What it conforms to'),
          link(call, 'data', '/ogc/collections', 'application/json', 'The collections'),
          ...licence,
        ],
      }),
    }),
    endpoint({
      ...read,
      route: 'GET /ogc/conformance',
      name: 'getOgcConformance',
      summary: 'The conformance classes that it has',
      success: {
        description: 'Their addresses',
        body: z.object({ conformsTo: z.array(z.string()) }),
      },
      run: () => ({ conformsTo: conformance }),
    }),
    endpoint({
      ...read,
      route: 'GET /ogc/api',
      name: 'getOgcApi',
      summary: 'This part of the API, as OpenAPI 3.0',
      success: { description: 'The document', media: { [openApiType]: 'OpenAPI 3.0' } },
      run: (call) => new Page(documentOf(call.absolute(call.basePath)), openApiType, []),
    }),
    endpoint({
      ...read,
      route: 'GET /ogc/collections',
      name: 'listOgcCollections',
      summary: 'The collections: there is one',
      success: {
        description: 'All of them',
        body: z.object({ links, collections: z.array(Collection) }),
      },
      run: async (call) => ({
        links: [link(call, 'self', '/ogc/collections'), ...licence],
        collections: [await collection(call)],
      }),
    }),
    endpoint({
      ...read,
      route: `GET ${collectionPath}`,
      name: 'getOgcCollection',
      summary: 'The collection of waypoints',
      success: { description: 'Extent, reference systems and links', body: Collection },
      run: collection,
    }),
    endpoint({
      ...read,
      route: `GET ${collectionPath}/queryables`,
      name: 'getOgcQueryables',
      summary: 'The fields that features can be asked for by',
      success: { description: 'A JSON Schema', media: { [schemaType]: 'A JSON Schema' } },
      run: (call) =>
        schemaPage(call, `${collectionPath}/queryables`, ['id', ...comparedFields, 'approved', 'verified']),
    }),
    endpoint({
      ...read,
      route: `GET ${collectionPath}/schema`,
      name: 'getOgcSchema',
      summary: 'The fields that features have',
      success: { description: 'A JSON Schema', media: { [schemaType]: 'A JSON Schema' } },
      run: (call) => schemaPage(call, `${collectionPath}/schema`, fieldNames),
    }),
    endpoint({
      ...read,
      route: `GET ${collectionPath}/items`,
      name: 'listOgcItems',
      summary: 'Waypoints as features, by id',
      description: 'Every parameter narrows. The properties of a feature are those of `GET /api/waypoints`.',
      query: Query,
      success: { description: 'A page of features', media: { [geojson]: 'Features' } },
      errors: ['INVALID_COORDINATES'],
      isOfDay: ({ status, usable }) => (status ?? usable) !== undefined,
      run: items,
    }),
    endpoint({
      ...read,
      route: `GET ${collectionPath}/items/{id}`,
      name: 'getOgcItem',
      summary: 'One waypoint as a feature',
      path: z.object({ id: pathId('waypoint') }),
      query: z.object({ crs: crsOr84('The reference system of the geometry') }),
      success: { description: 'The feature', media: { [geojson]: 'A feature' } },
      errors: ['NOT_FOUND'],
      run: item,
    }),
  ]

  const documentOf = (address: string): string =>
    JSON.stringify(inOpenApi30(describe(endpoints, { ...about, basePath: address })))
  return endpoints
}
