import type { PropertiesSchema } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { z } from 'zod'
import { type Endpoint, none } from './endpoint.ts'
import { isSpdxId } from './http/headers.ts'
import { idempotencyKey, signedInAs } from './exchange.ts'
import { type ProblemCode, statusOf } from './problem.ts'

/** General information of the document. */
export interface About {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly author: string
  readonly rateLimited: boolean
  /** The custom fields of waypoints, if it declares any. */
  readonly properties?: PropertiesSchema | undefined
  /** The path below which the endpoints are, empty for none. */
  readonly basePath: string
}

const codes = Object.keys(statusOf) as ProblemCode[]

/** The body of every error; `success` and `message` are in it with the request header `API-Version: 6`. */
const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What is wrong and what to do, in words' }),
    code: z.enum(codes),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'The facts. INVALID_INPUT: `issues`, each with `path` and `message`. INSUFFICIENT_XP: `required` and `current`. FORBIDDEN while blocked: `reason`, and `blockedUntil` when the block ends. NOT_FOUND of a waypoint that was merged: `mergedInto`, the id of the other. DUPLICATE: `candidates`. PRECONDITION_FAILED: `waypoint` as it is now. CLOCK_BEHIND: `now` and `newest`. INTERNAL: `requestId`.',
    }),
    success: z.literal(false).optional(),
    message: z.string().optional(),
  })
  .meta({ id: 'Error' })

/** The body of every error of OGC API Features. */
const ProblemDocument = z
  .object({
    type: z.literal('about:blank'),
    title: z.enum(codes),
    status: z.int(),
    detail: ErrorBody.shape.error,
    code: z.enum(codes),
    details: ErrorBody.shape.details,
  })
  .meta({ id: 'ProblemDocument' })

const success = z
  .literal(true)
  .optional()
  .meta({ description: 'Only with the request header API-Version: 6' })
const license = z.string().meta({ description: 'The licence of the data: an SPDX id or a name' })

/** Whether an endpoint takes an Idempotency-Key. */
const takesKey = ({ repeated }: Endpoint): boolean => repeated !== undefined && repeated !== 'ignored'

const Key = z
  .string()
  .min(1)
  .max(limits.idempotencyKey)
  .meta({
    description: `A key that you make up for this act, best a UUID. Sent again with the same key within ${lifetimes.requestDays} days, the request is not made again.`,
  })

const replayedHeader = {
  'Idempotency-Replayed': {
    description: '`true` where the request had been made before under its Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

/** The error codes of an endpoint, implied ones included. */
export function codesOf(endpoint: Endpoint, rateLimited: boolean): readonly ProblemCode[] {
  const takesParameters = endpoint.path !== none || endpoint.query !== none
  const hasBody = (endpoint.body ?? endpoint.form) !== undefined
  const takesCoordinates = 'bbox' in endpoint.query.shape || 'near' in endpoint.query.shape
  const found: readonly (ProblemCode | false)[] = [
    ...(endpoint.errors ?? []),
    (takesParameters || hasBody || endpoint.isStrict === true) && 'INVALID_INPUT',
    takesCoordinates && 'INVALID_COORDINATES',
    endpoint.who !== 'anyone' && 'UNAUTHORIZED',
    endpoint.who !== 'anyone' && endpoint.method !== 'GET' && 'FORBIDDEN',
    takesKey(endpoint) && 'INVALID_INPUT',
    takesKey(endpoint) && 'IDEMPOTENCY_MISMATCH',
    // The result of a repeated request may be gone.
    takesKey(endpoint) && 'NOT_FOUND',
    endpoint.isRecent === true && 'REAUTHENTICATION_REQUIRED',
    hasBody && 'REQUEST_TIMEOUT',
    hasBody && 'PAYLOAD_TOO_LARGE',
    hasBody && 'UNSUPPORTED_MEDIA_TYPE',
    endpoint.isConditional === true && 'PRECONDITION_FAILED',
    endpoint.success.ranges === true && 'RANGE_NOT_SATISFIABLE',
    rateLimited && endpoint.limited !== false && 'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
    endpoint.method !== 'GET' && 'CLOCK_BEHIND',
  ]
  return [...new Set(found.filter((code) => code !== false))]
}

const session = { session: [] }
const personalToken = { personalToken: [] }
const token = { token: [] }
const security = {
  anyone: [],
  visitor: [{}, session],
  observer: [{}, session, personalToken, token],
  reader: [{}, session, personalToken, token],
  reporter: [{}, session, personalToken],
  contributor: [session, personalToken, token],
  user: [session, personalToken],
  owner: [session],
  steward: [session, token],
  moderator: [session],
  token: [token],
} satisfies Record<Endpoint['who'], readonly Record<string, string[]>[]>

function successBody(endpoint: Endpoint, body: z.ZodObject): z.ZodObject {
  const isLicensed = endpoint.method === 'GET' && endpoint.isLicensed !== false
  const shape = isLicensed ? { success, license, ...body.shape } : { success, ...body.shape }
  return z.object(shape)
}

function responses(endpoint: Endpoint, about: About): ZodOpenApiOperationObject['responses'] {
  const { status, description, body, media, ranges, tagged } = endpoint.success
  const content = {
    ...(body === undefined ? {} : { 'application/json': { schema: successBody(endpoint, body) } }),
    ...Object.fromEntries(
      Object.entries(media ?? {}).map(([type, holds]) => [
        type,
        { schema: { type: /[/+]json\b/u.test(type) ? 'object' : 'string', description: holds } },
      ]),
    ),
  }
  const problems = new Map<number, ProblemCode[]>()
  for (const code of codesOf(endpoint, about.rateLimited)) {
    problems.set(statusOf[code], [...(problems.get(statusOf[code]) ?? []), code])
  }
  return {
    [status]: {
      description,
      ...(takesKey(endpoint) && { headers: replayedHeader }),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(ranges === true && { 206: { description: 'The asked-for range of it' } }),
    ...(endpoint.method === 'GET' &&
      (endpoint.freshness !== 'never' || tagged === true) && {
        304: { description: 'It is still what the entity tag in If-None-Match names' },
      }),
    ...Object.fromEntries(
      [...problems].map(([status, codes]) => [
        status,
        {
          description: codes.join(', '),
          content: endpoint.route.startsWith('/ogc')
            ? { 'application/problem+json': { schema: ProblemDocument } }
            : { 'application/json': { schema: ErrorBody } },
        },
      ]),
    ),
  }
}

/** Request headers of an endpoint that the rest of its declaration does not imply. */
function headersOf(endpoint: Endpoint): { header?: z.ZodObject } {
  const header = {
    ...(takesKey(endpoint) && { [idempotencyKey]: Key.optional(), [signedInAs]: Meant.optional() }),
    ...(endpoint.isConditional === true && { 'If-Match': IfMatch.optional() }),
  }
  return Object.keys(header).length === 0 ? {} : { header: z.object(header) }
}

const Meant = z.string().meta({
  description:
    'The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile',
})

const IfMatch = z.string().meta({
  description:
    'The entity tag of a response to GET, or several, or `*`: 412 when somebody else has changed the fields since',
})

/** The form in the document: files are of the media type of bytes, as OpenAPI 3.1 has them. */
function formOf({ file, fields }: NonNullable<Endpoint['form']>): object {
  const picture = z
    .string()
    .meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } })
  return { 'multipart/form-data': { schema: z.object({ [file]: picture, ...fields.shape }) } }
}

function operation(endpoint: Endpoint, about: About): ZodOpenApiOperationObject {
  const { name, tag, summary, description, who, path, query, body, form } = endpoint
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security: [...security[who]],
    requestParams: {
      ...(path === none ? {} : { path }),
      ...(query === none ? {} : { query }),
      ...headersOf(endpoint),
    },
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: {
              'application/json': { schema: body.schema },
              ...(body.gpx === true && { 'application/gpx+xml': { schema: { type: 'string' } } }),
            },
          },
        }),
    ...(form !== undefined && { requestBody: { required: true, content: formOf(form) } }),
    responses: responses(endpoint, about),
  } as ZodOpenApiOperationObject
}

/** The OpenAPI 3.1 document of the endpoints, from the schemas that check requests and describe responses. */
export function describe(endpoints: readonly Endpoint[], about: About): object {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    if (endpoint.documented === false) continue
    const method = endpoint.method.toLowerCase()
    paths[endpoint.route] = { ...paths[endpoint.route], [method]: operation(endpoint, about) }
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: about.name,
      version: about.version,
      summary: 'Public water fountains: waypoints, reviews, contributors and an append-only log',
      description: [
        `The data is under ${about.license}, by ${about.author}.`,
        'Reads need no authentication. Writes take the cookie `session`, or a personal token or an API token in `Authorization: Bearer`; a request with both acts as the token.',
        'With the request header `API-Version: 6` bodies also carry `success`, and errors `message`.',
        'Writes may carry an `Idempotency-Key`: sent again with the same key, they are not made again, and are answered from what is there.',
        'Every response that may be cached has an ETag: send it back in If-None-Match, and an unchanged one is a 304. That of one waypoint stays good while others change: send it in If-Match with a write of it, which is refused with 412 when somebody else was faster. HEAD works wherever GET does.',
      ].join('\n\n'),
      license: { name: about.license, ...(isSpdxId(about.license) && { identifier: about.license }) },
    },
    servers: [{ url: about.basePath === '' ? '/' : about.basePath }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        personalToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of a user (`ofp_…`), which acts as its owner, but never as a moderator',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the registry (`oft_…`), which an administrator makes',
        },
      },
    },
  })
  if (about.properties !== undefined) declare(document.components?.schemas, about.properties)
  for (const item of Object.values(document.paths ?? {})) {
    for (const { parameters } of [item.get, item.post, item.patch, item.delete].filter(
      (each) => each !== undefined,
    )) {
      for (const parameter of parameters ?? []) describeParameter(parameter)
    }
  }
  return document
}

/** Documents the custom fields: `null` in a body removes one, a response may also have older ones. */
function declare(schemas: object = {}, declared: PropertiesSchema): void {
  const { title, description } = declared
  const about = { title, description }
  const given = Object.fromEntries(
    Object.entries(declared.properties).map(([name, schema]) => [
      name,
      { anyOf: [schema, { type: 'null' }] },
    ]),
  )
  const input = { type: 'object', ...about, properties: given, additionalProperties: false }
  const members = {
    Waypoint: { type: 'object', ...about, properties: declared.properties },
    WaypointInput: { anyOf: [input, { type: 'null' }] },
    WaypointPatch: { anyOf: [input, { type: 'null' }] },
  }
  const all = schemas as Readonly<Record<string, { readonly properties?: object } | undefined>>
  for (const [name, properties] of Object.entries(members))
    Object.assign(all[name]?.properties ?? {}, { properties })
}

/** Copies the description of a parameter from its schema, where readers of the document do not look. */
function describeParameter(parameter: object): void {
  if (!('schema' in parameter) || 'description' in parameter) return
  const { schema } = parameter
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return
  Object.assign(parameter, { description: schema.description })
  if ('uniqueItems' in schema || 'oneOf' in schema)
    Object.assign(parameter, { style: 'form', explode: false })
}

/** A part of a document of OpenAPI 3.1 as 3.0 has it, where null is no type and constants and examples are lists. */
function in30(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(in30)
  if (typeof part !== 'object' || part === null) return part
  const {
    const: only,
    examples,
    exclusiveMinimum,
    propertyNames: _names,
    ...rest
  } = part as Record<string, unknown>
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, in30(value)])),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  }
}

/** The description of OGC API Features as OpenAPI 3.0, with paths below its landing page. */
export function inOpenApi30(document: ReturnType<typeof describe>): object {
  const { info, paths, servers, ...rest } = in30(document) as Record<string, Record<string, unknown>>
  const { title, version, summary: description } = info ?? {}
  const [server] = Object.values(servers ?? {}) as { readonly url: string }[]
  return {
    ...rest,
    openapi: '3.0.3',
    info: { title, version, description },
    servers: [{ url: `${server?.url.replace(/\/$/u, '')}/ogc` }],
    paths: Object.fromEntries(
      Object.entries(paths ?? {}).map(([path, item]) => [path.replace('/ogc', '') || '/', item]),
    ),
  }
}
