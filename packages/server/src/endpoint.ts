import { type KeptRequest, placeCodes, sentence } from '@openfountain/core/internal'
import { z } from 'zod'
import { limits } from '@openfountain/core/rules'
import { type ProblemCode, malformed, malformedRequest, Problem } from './problem.ts'
import type { Versioned } from './http/response.ts'
import type { Exchange, Who } from './exchange.ts'
import type { HeaderPair } from './http/headers.ts'
import type { TextStream } from './http/text-stream.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The arguments of an endpoint. Caller, path, query and the JSON syntax of the body are checked already. */
export type Call<Path, Query> = Readonly<Omit<Exchange, 'path' | 'query'>> & {
  readonly path: Path
  readonly query: Query
}

/** A whole text that is not data of the API, such as a page, with its headers; `success.tagged` gives it an entity tag. */
export class Page {
  readonly text: string
  readonly mediaType: string
  readonly headers: readonly HeaderPair[]
  readonly tag: string | undefined

  /** @param tag an entity tag that was known before the text, for `success.tagged`. Default one made from the text */
  constructor(text: string, mediaType: string, headers: readonly HeaderPair[], tag?: string) {
    this.text = text
    this.mediaType = mediaType
    this.headers = headers
    this.tag = tag
  }
}

export class Reply {
  readonly result: Exclude<Result, Reply | Response>
  readonly headers: readonly HeaderPair[]

  /** @param result undefined for a response without a body */
  constructor(result: Reply['result'], headers: readonly HeaderPair[] = []) {
    this.result = result
    this.headers = headers
  }
}

/** The last entry of JSON texts, if it is read at all: the others are only counted. */
export const idsIn = (texts: readonly string[]): { readonly id: number }[] =>
  texts.map((text, at) => (at === texts.length - 1 ? (JSON.parse(text) as { id: number }) : { id: 0 }))

/** The header that leads to the page after some id, if there is one (RFC 8288). */
export function pageAfter(
  { request }: { readonly request: Request },
  after: number | undefined,
): readonly HeaderPair[] {
  if (after === undefined) return []
  const { searchParams } = new URL(request.url)
  searchParams.set('after', String(after))
  return [['link', `<?${searchParams}>; rel="next"`]]
}

/** The same behind a page that is full, by the id of its last entry. */
export const nextPage = (
  call: { readonly request: Request; readonly query: { readonly limit?: number | undefined } },
  entries: readonly { readonly id: number }[],
): readonly HeaderPair[] =>
  pageAfter(call, entries.length === call.query.limit ? entries.at(-1)?.id : undefined)

export const made = (
  { basePath }: { readonly basePath: string },
  path: string,
  result: Reply['result'],
): Reply => new Reply(result, [['location', basePath + path]])

/** The result of an endpoint: an object, JSON text, pieces, a versioned text, one of these with headers, a page, a file, or nothing. */
export type Result = object | string | TextStream | Versioned | Reply | Page | Response | void

interface Success {
  /** Default 200. */
  readonly status?: 200 | 201 | 202 | 204 | 303
  readonly description: string
  /** The JSON body; the members of the envelope are added to it. */
  readonly body?: z.ZodObject
  /** Other media types of the response, with what they contain, or its schema. */
  readonly media?: Readonly<Record<string, string | z.ZodType>>
  /** Whether Range is supported, so that 206 and 416 are possible too. */
  readonly ranges?: boolean
  /** Whether what was made has an address, which `Location` says. */
  readonly located?: boolean
  /** Whether the endpoint sets an entity tag itself, so that 304 is possible too. */
  readonly tagged?: boolean
}

/** Answers a repeated request, without writing; `ignored` where it makes a secret or ends the credential. */
type Repeated<Path, Query> = 'ignored' | Answering<Path, Query>['again']

interface Answering<Path, Query> {
  again(call: Call<Path, Query>, kept: KeptRequest): Result | Promise<Result>
}

/** Every write that needs a credential must declare `repeated`. */
type Repeatable<Path, Query> =
  | { readonly route: `GET ${string}` }
  | { readonly who: 'anyone' | 'visitor' }
  | { readonly repeated: Repeated<Path, Query> }

type Declaration<Path extends Parameters, Query extends Parameters> = Described<Path, Query> &
  Repeatable<z.output<Path>, z.output<Query>>

interface Described<Path extends Parameters, Query extends Parameters> {
  /** Method and path, with parameters in braces as OpenAPI writes them. */
  readonly route: `${Method} /${'api' | 'ogc' | 'open311'}${string}`
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly who: Who
  readonly path?: Path
  readonly query?: Query
  /** The request body, for the document; the registry checks it. With `gpx` it may be the text of such a file instead. */
  readonly body?: { readonly schema: z.ZodType; readonly optional?: boolean; readonly gpx?: boolean }
  /** A form with one file in place of a JSON body: the name of the file's field, its most bytes, and the other fields. */
  readonly form?: { readonly file: string; readonly bytes: number; readonly fields: z.ZodObject }
  readonly success: Success
  /** Whether it is a sign-in, so that a refusal is logged as a failed one. Default false. */
  readonly isSignIn?: boolean
  /** Whether the session must have begun within the last ten minutes. Default false. */
  readonly isRecent?: boolean
  /** Whether the licence of the data is named. Default true, except for `visitor` and `owner`. */
  readonly isLicensed?: boolean
  /** Errors besides the implied ones: malformed parameters, credentials, bodies, unexpected errors. */
  readonly errors?: readonly ProblemCode[]
  /** Validity of a response: `revision` until the next write, `result` while `run` returns the same, `never` for private ones. */
  readonly freshness?: Freshness
  /** Whether a `revision` response is also valid for its day (UTC) only. Default false. */
  isOfDay?(query: z.output<Query>, media: string): boolean
  /** Whether it honours If-Match. Default false. */
  readonly isConditional?: boolean
  /** The answer to a repetition; required for every write that needs a credential. */
  readonly repeated?: Repeated<z.output<Path>, z.output<Query>>
  /** Whether pages of other origins may read it under the usual rules. Default true. */
  readonly isForPages?: boolean
  /** Whether it counts for the rate limit. Default true. */
  readonly limited?: boolean
  /** Whether a parameter that is not declared is refused. Default false: it is ignored. */
  readonly isStrict?: boolean
  /** Whether it is in the OpenAPI document. Default true. */
  readonly documented?: boolean
  run(call: Call<z.output<Path>, z.output<Query>>): Result | Promise<Result>
}

type Freshness = 'revision' | 'result' | 'never'

/** A declaration without the types of its parameters. */
export interface Endpoint extends Omit<
  Described<Parameters, Parameters>,
  'run' | 'repeated' | 'isOfDay' | 'route' | 'success'
> {
  readonly method: Method
  readonly route: string
  readonly success: Success & { readonly status: number }
  readonly path: Parameters
  readonly query: Parameters
  readonly freshness: Freshness
  readonly repeated?: Repeated<unknown, unknown>
  isOfDay?(query: unknown, media: string): boolean
  run(call: Call<unknown, unknown>): Result | Promise<Result>
}

export function endpoint<Path extends Parameters = typeof none, Query extends Parameters = typeof none>({
  route,
  success,
  ...declaration
}: Declaration<Path, Query>): Endpoint {
  const [method, path] = route.split(' ') as [Method, string]
  return {
    path: none,
    query: none,
    isLicensed: declaration.who !== 'visitor' && declaration.who !== 'owner',
    freshness: method === 'GET' && declaration.who === 'anyone' ? 'revision' : 'never',
    ...declaration,
    method,
    route: path,
    success: { status: 200, ...success },
  }
}

/** Declared path or query parameters: the schema of each member reads the text of one parameter. */
export type Parameters = z.ZodObject

const plainInteger = /^(?:0|[1-9]\d*)$/

/** Documents the value that a text is read as. */
const documentedAs =
  (schema: Readonly<Record<string, unknown>>) =>
  ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
    for (const key of Object.keys(jsonSchema)) if (key !== 'description') delete jsonSchema[key]
    Object.assign(jsonSchema, schema)
  }

/** A whole number in plain decimal digits: no sign, no point, no exponent, no leading zero. */
export function integer(bounds: { readonly min?: number; readonly max?: number }, description: string) {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = bounds
  return z
    .string({ error: 'is required' })
    .regex(plainInteger, { error: 'must be a whole number in plain digits', abort: true })
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: `must be ${min} to ${max}` })
    .meta({ description, override: documentedAs({ type: 'integer', minimum: min, maximum: max }) })
}

export function integerOr(
  fallback: number,
  bounds: { readonly min?: number; readonly max?: number },
  description: string,
) {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = bounds
  return integer(bounds, description)
    .prefault(String(fallback))
    .meta({
      description,
      override: documentedAs({ type: 'integer', minimum: min, maximum: max, default: fallback }),
    })
}

/** A number beyond every id is not malformed, but not found. */
const idOf = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
const ids = new WeakSet<z.ZodType>()

/** An id in a path. */
export const pathId = (thing: string) => {
  const id = z
    .string()
    .regex(plainInteger, { error: 'must be a plain decimal integer' })
    .transform(idOf)
    .meta({ description: `The id of the ${thing}`, override: documentedAs({ type: 'integer', minimum: 0 }) })
  ids.add(id)
  return id
}

export const flag = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((word) => word === 'true')
    .meta({ description, override: documentedAs({ type: 'boolean' }) })

/** Text of at least one character that is not white space. */
export const words = (max: number, description: string) =>
  z
    .string({ error: 'is required' })
    .max(max, { error: `must have at most ${max} characters` })
    .refine((text) => text.trim() !== '', { error: 'must not be blank' })
    .meta({ description, override: documentedAs({ type: 'string', minLength: 1, maxLength: max }) })

export const oneOf = <Word extends string>(all: readonly Word[], description: string) =>
  z.enum(all, { error: `must be one of ${all.join(', ')}` }).meta({ description })

export const someOf = <Word extends string>(all: readonly Word[], description: string) =>
  z
    .string()
    .refine((text) => text.split(',').every((word) => all.includes(word as Word)), {
      error: `must be some of ${all.join(', ')}, joined by commas`,
    })
    .transform((text) => text.split(',') as Word[])
    .meta({
      description,
      // Lists without repetition are joined by commas, see `describeParameter`.
      override: documentedAs({ type: 'array', items: { type: 'string', enum: all }, uniqueItems: true }),
    })

/** The code of a country or subdivision, in upper or lower case. */
export const placeCode = (kind: keyof typeof placeCodes, description: string) => {
  const { pattern, characters, error } = placeCodes[kind]
  const [minLength, maxLength] = characters
  return z
    .string({ error: 'is required' })
    .regex(pattern, { error })
    .meta({ description, override: documentedAs({ type: 'string', minLength, maxLength }) })
}

export const deletionReason = words(
  limits.deletionReason,
  'Why; it is public, in the log and among the acts of moderators',
).optional()

const decimal = /^-?(?:\d+\.?\d*|\.\d+)$/

function numbers(text: string): number[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every((part) => decimal.test(part) && part.length <= 40) ? parts.map(Number) : undefined
}

const onEarth = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/** `west,south,east,north` in degrees; west beyond east crosses the antimeridian. */
export const boundingBox = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const found = numbers(text) ?? []
      const [west = 0, south = 0, east = 0, north = 0] = found
      if (found.length !== 4) {
        context.addIssue({ code: 'custom', message: 'must be four numbers: west,south,east,north' })
        return z.NEVER
      }
      if (!onEarth(south, west) || !onEarth(north, east) || south > north) {
        const message =
          'must have longitudes of -180 to 180, latitudes of -90 to 90, and south not above north'
        context.addIssue({ code: 'custom', message, params: { coordinates: true } })
        return z.NEVER
      }
      return { west, south, east, north }
    })
    .meta({ description, override: documentedAs({ type: 'string', examples: ['8.4,47.3,8.7,47.5'] }) })

/** `latitude,longitude` in degrees. */
export const position = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const [latitude, longitude, ...more] = numbers(text) ?? []
      if (latitude === undefined || longitude === undefined || more.length > 0) {
        context.addIssue({ code: 'custom', message: 'must be two numbers: latitude,longitude' })
        return z.NEVER
      }
      if (!onEarth(latitude, longitude)) {
        const message = 'must have a latitude of -90 to 90 and a longitude of -180 to 180'
        context.addIssue({ code: 'custom', message, params: { coordinates: true } })
        return z.NEVER
      }
      return { latitude, longitude }
    })
    .meta({ description, override: documentedAs({ type: 'string', examples: ['47.3769,8.5417'] }) })

/** A latitude or longitude in degrees of WGS 84. */
export const degrees = ({ min, max }: { readonly min: number; readonly max: number }, description: string) =>
  z
    .string({ error: 'is required' })
    .max(40, { error: 'must have at most 40 characters', abort: true })
    .regex(decimal, { error: 'must be a number of degrees', abort: true })
    .transform(Number)
    .refine((number) => number >= min && number <= max, {
      error: `must be between ${min} and ${max} degrees`,
      params: { coordinates: true },
    })
    .meta({ description, override: documentedAs({ type: 'number', minimum: min, maximum: max }) })

export const metres = (max: number, description: string) =>
  z
    .string()
    .regex(decimal, { error: 'must be a number of metres', abort: true })
    .transform(Number)
    .refine((number) => number > 0 && number <= max, { error: `must be above 0 and at most ${max} metres` })
    .meta({ description, override: documentedAs({ type: 'number', exclusiveMinimum: 0, maximum: max }) })

/** A point in time, ISO 8601 with its zone, returned in UTC with milliseconds; a bare date is its midnight in UTC. */
export const instant = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z',
    })
    .transform((text) => new Date(text).toISOString())
    .meta({ description, override: documentedAs({ type: 'string', format: 'date-time' }) })

export const day = (description: string) =>
  z.iso
    .date({ error: 'must be a day such as 2026-05-31' })
    .meta({ description, override: documentedAs({ type: 'string', format: 'date' }) })

export const repeated = (max: number, each: z.ZodType<string, string>, description: string) =>
  z
    .array(each)
    .max(max, { error: `may be given at most ${max} times` })
    .meta({ description })

interface Known {
  readonly names: readonly string[]
  /** Those that may be given several times. */
  readonly lists: ReadonlySet<string>
  /** Whether a `pathId` is the only one. */
  readonly isId: boolean
  /** What a query without any means, once it was asked. */
  none?: unknown
}

const known = new WeakMap<Parameters, Known>()

function knownOf(schema: Parameters): Known {
  let found = known.get(schema)
  if (found === undefined) {
    const lists = Object.entries(schema.shape).flatMap(([name, member]) => {
      const inner = member instanceof z.ZodOptional ? member.unwrap() : member
      return inner instanceof z.ZodArray ? [name] : []
    })
    const [only, ...more] = Object.values(schema.shape)
    const isId = only instanceof z.ZodType && ids.has(only) && more.length === 0
    found = { names: Object.keys(schema.shape), lists: new Set(lists), isId }
    known.set(schema, found)
  }
  return found
}

function check<Schema extends Parameters>(schema: Schema, given: Record<string, unknown>): z.output<Schema> {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }))
  const coordinates = result.error.issues.every(
    (issue) => issue.code === 'custom' && issue.params?.['coordinates'] === true,
  )
  const [first] = issues
  throw new Problem(coordinates ? 'INVALID_COORDINATES' : 'INVALID_INPUT', {
    message: first && sentence(first),
    details: { issues },
  })
}

/** Unlike h3's `getValidatedQuery`, refuses what is repeated. @throws Problem INVALID_INPUT, INVALID_COORDINATES */
export function readQuery<Schema extends Parameters>(
  schema: Schema,
  search: string,
  isStrict = false,
): z.output<Schema> {
  const read = knownOf(schema)
  if (search.length < 2) return (read.none ??= check(schema, {})) as z.output<Schema>
  const given: Record<string, unknown> = {}
  const parameters = new URLSearchParams(search)
  const unknown = isStrict ? [...parameters.keys()].find((name) => !read.names.includes(name)) : undefined
  if (unknown !== undefined)
    throw malformedRequest(
      `${JSON.stringify(unknown)} is no parameter; there are ${read.names.join(', ') || 'none'}`,
    )
  for (const name of read.names) {
    const values = parameters.getAll(name)
    if (values.length === 0) continue
    if (read.lists.has(name)) given[name] = values
    else if (values.length === 1) given[name] = values[0]
    else throw malformed(name, 'must be given once')
  }
  return check(schema, given)
}

/** @throws Problem INVALID_INPUT */
export function readPath<Schema extends Parameters>(
  schema: Schema,
  given: Readonly<Record<string, string>>,
): z.output<Schema> {
  const { id } = given
  // zod takes as long for it as Node for the head of the request (row by-id).
  if (id !== undefined && knownOf(schema).isId && plainInteger.test(id))
    return { id: idOf(id) } as z.output<Schema>
  const decoded: Record<string, string> = {}
  for (const name in given) {
    const raw = given[name] ?? ''
    try {
      decoded[name] = raw.includes('%') ? decodeURIComponent(raw) : raw
    } catch {
      throw malformed(name, 'must be percent-encoded UTF-8')
    }
  }
  return check(schema, decoded)
}

export const none = z.object({})
