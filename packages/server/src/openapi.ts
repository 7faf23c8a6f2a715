import { NearDuplicate, type PropertiesSchema, type Registry, Waypoint } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { z } from 'zod'
import examples from './examples.json' with { type: 'json' }
import { type Endpoint, none } from './endpoint.ts'
import { isSpdxId } from './http/headers.ts'
import { idempotencyKey, signedInAs } from './exchange.ts'
import { describeProperties } from './property-words.ts'
import { messageOf, type ProblemCode, statusOf } from './problem.ts'

export interface About extends Pick<Registry, 'name' | 'license' | 'author' | 'properties'> {
  readonly version: string
  readonly rateLimited: boolean
  /** The path below which the endpoints are, empty for none. */
  readonly basePath: string
}

const codes = Object.keys(statusOf) as ProblemCode[]

const Issues = z
  .array(
    z.object({
      path: z.string().meta({ description: 'The member, with dots, or nothing for all' }),
      message: z.string().meta({ description: 'What it must be' }),
    }),
  )
  .meta({ description: 'What is wrong with the input' })
const seconds = z.number().meta({ description: 'Seconds' })

/** The facts of codes that have some; there may be more, which no code depends on. */
const factsOf: { readonly [Code in ProblemCode]?: z.ZodRawShape } = {
  INVALID_INPUT: { issues: Issues },
  INVALID_COORDINATES: { issues: Issues },
  INSUFFICIENT_XP: {
    required: z.number().meta({ description: 'The points that it needs' }),
    current: z.number().meta({ description: 'The points that the caller has' }),
  },
  FORBIDDEN: {
    reason: z.string().optional().meta({ description: 'Why the caller is blocked' }),
    blockedUntil: z.string().optional().meta({ description: 'When the block ends, UTC' }),
  },
  NOT_FOUND: {
    thing: z.string().optional().meta({ description: 'What was looked for' }),
    id: z
      .union([z.string(), z.number()])
      .optional()
      .meta({ description: 'The id that it was looked for by' }),
    mergedInto: z.int().optional().meta({ description: 'The waypoint that it was merged into' }),
  },
  CONFLICT: {
    fields: z.array(z.string()).optional().meta({ description: 'Fields that others changed since' }),
    state: z.string().optional().meta({ description: 'The state that something is in' }),
  },
  DUPLICATE: { candidates: z.array(NearDuplicate) },
  PRECONDITION_FAILED: { waypoint: Waypoint.optional() },
  RATE_LIMITED: {
    limit: z.number().meta({ description: 'How many are allowed in a window' }),
    windowSeconds: seconds,
    retryAfterSeconds: seconds,
  },
  RANGE_NOT_SATISFIABLE: {
    bytes: z.number().optional().meta({ description: 'The size of the file in bytes' }),
  },
  PAYLOAD_TOO_LARGE: { limitBytes: z.number().optional().meta({ description: 'The most bytes of a body' }) },
  REQUEST_TIMEOUT: { limitMilliseconds: z.number().optional().meta({ description: 'The time for a body' }) },
  CLOCK_BEHIND: {
    now: z.string().meta({ description: 'The time of the clock, UTC' }),
    newest: z.string().meta({ description: 'The time of the last write, UTC' }),
  },
  INTERNAL: { requestId: z.string().meta({ description: 'The id of the request in the log of the server' }) },
}

const errorText = z.string().meta({ description: 'What is wrong and what to do, in words' })

const errorName = (code: ProblemCode): string =>
  `${code.toLowerCase().replaceAll(/(?:^|_)([a-z])/gu, (_, letter: string) => letter.toUpperCase())}Error`

/** The body of an error of one code; `success` and `message` are in it with the request header `API-Version: 6`. */
const errorOf = (code: ProblemCode) =>
  z
    .object({
      error: errorText,
      code: z.literal(code).meta({ description: messageOf(code) }),
      details: z.looseObject(factsOf[code] ?? {}).meta({ description: 'The facts' }),
      success: z.literal(false).optional(),
      message: z.string().optional(),
    })
    .meta({ id: errorName(code) })

const errors = Object.fromEntries(codes.map((code) => [code, errorOf(code)])) as Record<
  ProblemCode,
  ReturnType<typeof errorOf>
>

function anyOf([first, ...others]: readonly ProblemCode[]): z.ZodType {
  const one = errors[first ?? 'INTERNAL']
  return others.length === 0
    ? one
    : z.discriminatedUnion('code', [one, ...others.map((code) => errors[code])])
}

const ErrorBody = anyOf(codes).meta({ id: 'Error' })

const GeoReportErrors = z
  .array(
    z.object({
      code: z.int().meta({ description: 'The HTTP status' }),
      description: errorText,
    }),
  )
  .meta({ id: 'GeoReportErrors' })

const ProblemDocument = z
  .object({
    type: z.literal('about:blank'),
    title: z.enum(codes),
    status: z.int(),
    detail: errorText,
    code: z.enum(codes),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The facts, as in other errors of the code' }),
  })
  .meta({ id: 'ProblemDocument' })

const success = z
  .literal(true)
  .optional()
  .meta({ description: 'Only with the request header API-Version: 6' })
const license = z.string().meta({ description: 'The licence of the data: an SPDX id or a name' })

const tagWords: Readonly<Record<string, string>> = {
  Service: 'What this server is, and whether it is well',
  Waypoints: 'The fountains: lists, search, along a route, and writes',
  Photos: 'Pictures of fountains, with their licences',
  Reviews: 'Ratings and comments',
  Observations: 'What people saw at fountains, and whether they give water today',
  Users: 'Contributors',
  'Signing in': 'Ways to sign in without passwords',
  'Your account': 'The caller’s own account, sessions, tokens and what they follow',
  Moderation: 'The queues and acts of moderators',
  Logs: 'The append-only log, and proofs of it',
  Changes: 'Entries of all kinds, for those who follow',
  Feeds: 'What happens, for readers of feeds',
  Webhooks: 'Programs that are told what happens',
  'Bounding boxes': 'Areas on the map',
  Sources: 'Where the data comes from',
  Statistics: 'Totals',
  Exports: 'Files to download, and their catalogue',
  'OGC API Features': 'The same for programs of geography',
  Open311: 'What gives no water, for programs of cities',
}

const takesKey = ({ repeated }: Endpoint): boolean => repeated !== undefined && repeated !== 'ignored'

const Key = z
  .string()
  .min(1)
  .max(limits.idempotencyKey)
  .meta({
    description: `A key that you make up for this act, best a UUID. Sent again with the same key within ${lifetimes.requestDays} days, the request is not made again.`,
  })

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
  const { id } = body.meta() ?? {}
  if (id === undefined) return z.object(shape)
  const name = `${id}${isLicensed ? 'Licensed' : ''}Response`
  const known = named.get(name) ?? z.object(shape).meta({ id: name })
  named.set(name, known)
  return known
}

const named = new Map<string, z.ZodObject>()

function responses(endpoint: Endpoint, about: About): ZodOpenApiOperationObject['responses'] {
  const { status, description, body, media, ranges, tagged } = endpoint.success
  const content = {
    ...(body && {
      'application/json': { schema: successBody(endpoint, body), ...exampleOf(endpoint.name, status) },
    }),
    ...Object.fromEntries(
      Object.entries(media ?? {}).map(([type, holds]) => [
        type,
        {
          ...(type === 'application/json' && exampleOf(endpoint.name, status)),
          schema:
            typeof holds === 'string'
              ? {
                  type: /[/+]json\b/u.test(type) ? ('object' as const) : ('string' as const),
                  description: holds,
                }
              : holds,
        },
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
      ...headersOfSuccess(endpoint),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(ranges === true && { 206: { description: 'The asked-for range of it' } }),
    ...(endpoint.method === 'GET' &&
      (endpoint.freshness !== 'never' || tagged === true) && {
        304: { description: 'It is still what the entity tag in If-None-Match names' },
      }),
    ...Object.fromEntries(
      [...problems].map(([status, codes]) => [status, refusal(codes, familyOf(endpoint))]),
    ),
    '4XX': refusal(codes, familyOf(endpoint)),
    default: refusal(codes, familyOf(endpoint)),
  }
}

const familyOf = ({ route }: Endpoint): 'OGC' | 'Open311' | undefined =>
  route.startsWith('/ogc') ? 'OGC' : route.startsWith('/open311') ? 'Open311' : undefined

/** Responses of several endpoints, by the names of their components: `NOT_FOUND`, or `OGC.NOT_FOUND`. */
const refusals = new Map<string, ZodOpenApiResponseObject>()

function refusal(
  given: readonly ProblemCode[],
  family: ReturnType<typeof familyOf>,
): ZodOpenApiResponseObject {
  const isAny = given === codes
  const some = isAny ? given : given.toSorted((one, other) => codes.indexOf(one) - codes.indexOf(other))
  const id = [...(family ? [family] : []), ...(isAny ? ['ERROR'] : some)].join('.')
  const content =
    family === 'OGC'
      ? { 'application/problem+json': { schema: ProblemDocument, examples: examplesOf(some, true) } }
      : family === 'Open311'
        ? { 'application/json': { schema: GeoReportErrors } }
        : {
            'application/json': {
              schema: isAny ? ErrorBody : anyOf(some),
              examples: examplesOf(isAny ? ['METHOD_NOT_ALLOWED'] : some, false),
            },
          }
  const known: ZodOpenApiResponseObject = refusals.get(id) ?? {
    id,
    description: isAny ? 'Any other error' : some.join(', '),
    content,
  }
  refusals.set(id, known)
  return known
}

/** Answers of a server to real requests, by operation and status, and bodies of errors by code: `npm run generate`. */
const real: {
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly errors: Readonly<Record<string, { readonly error: string; readonly details: unknown }>>
} = examples

function exampleOf(name: string, status: number): { readonly example?: unknown } {
  const example = real.answers[name]?.[status]
  return example === undefined ? {} : { example }
}

const examplesOf = (some: readonly ProblemCode[], isOgc: boolean) =>
  Object.fromEntries(
    some.flatMap((code) => {
      const body = real.errors[code]
      if (body === undefined) return []
      const { error: detail, details } = body
      const problem = { type: 'about:blank', title: code, status: statusOf[code], detail, code, details }
      return [[code, { value: isOgc ? problem : body }] as const]
    }),
  )

function headersOfSuccess(endpoint: Endpoint): { headers?: object } {
  const isPaged =
    endpoint.method === 'GET' && 'after' in endpoint.query.shape && 'limit' in endpoint.query.shape
  const headers = {
    ...(takesKey(endpoint) && {
      'Idempotency-Replayed': {
        description: '`true` where the request had been made before under its Idempotency-Key',
        schema: { type: 'string', enum: ['true'] },
      },
    }),
    ...(endpoint.success.located === true && {
      Location: {
        description: 'The address of what was made',
        schema: { type: 'string', format: 'uri-reference' },
      },
    }),
    ...(isPaged && {
      Link: {
        description:
          'The licence, and with `rel="next"` the next page of a full one, relative to the address asked for',
        schema: { type: 'string' },
      },
    }),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

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
    ...(body && {
      requestBody: {
        required: body.optional !== true,
        content: {
          'application/json': { schema: body.schema },
          ...(body.gpx === true && { 'application/gpx+xml': { schema: { type: 'string' } } }),
        },
      },
    }),
    ...(form && { requestBody: { required: true, content: formOf(form) } }),
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
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({
      name,
      description: tagWords[name] ?? name,
    })),
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
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    describeProperties(name, schema)
  for (const item of Object.values(document.paths ?? {}))
    for (const operation of [item.get, item.post, item.patch, item.delete]) {
      if (operation === undefined) continue
      describeProperties(operation.operationId ?? '', operation)
      for (const parameter of operation.parameters ?? []) describeParameter(parameter)
    }
  if (about.properties !== undefined) declare(document.components?.schemas, about.properties)
  return document
}

/** Documents the custom fields: `null` in a body removes one, a response may also have older ones. */
function declare(schemas: object = {}, declared: PropertiesSchema): void {
  const { title, description, properties: known } = declared
  const about = { type: 'object', title, description }
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
  const given = Object.entries(known).map(([name, schema]) => [name, orNull(schema)])
  const input = orNull({ ...about, properties: Object.fromEntries(given), additionalProperties: false })
  const members = {
    Waypoint: { ...about, properties: known },
    WaypointInput: input,
    WaypointPatch: input,
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
  const { const: only, examples, exclusiveMinimum, ...rest } = part as Record<string, unknown>
  delete rest['propertyNames']
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
