import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, onTestFinished } from 'vitest'
import { openRegistry, token, user, type PropertiesDeclaration } from '@openfountain/core'
import { photosInMemory } from '../photos.ts'
import { newDatabase } from '../database.ts'
import { type AppOptions, createApp } from '../../../server/src/index.ts'

export const roles = [
  'nobody',
  'bad cookie',
  'bad token',
  'newcomer',
  'regular',
  'author',
  'moderator',
  'token',
  'owned token',
] as const
export type Role = (typeof roles)[number]

export interface AskOptions {
  readonly as?: Role
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface StageResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; empty when it is not JSON. */
  readonly body: Record<string, unknown>
}

/** A registry with a cast of users, the app over it, and a client; every answer is checked against the document. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export { ring } from '../registry.ts'

export const spring = { name: 'Spring', latitude: 55.5, longitude: 13.5 }

export const start = Date.parse('2026-05-01T12:00:00.000Z')

/** `regular` has 100 XP, `author` 200, `newcomer` none. */
export async function openStage(
  options: AppOptions = {},
  given?: string,
  properties?: PropertiesDeclaration,
) {
  let now = start
  const own = given === undefined ? await newDatabase() : undefined
  const database = given ?? own?.database ?? ''
  const registry = await openRegistry({
    database,
    durability: 'relaxed',
    author: 'City of Lund',
    name: 'Fountains of Lund',
    properties,
    photos: photosInMemory(),
    clock: () => new Date(now),
  })
  const person = (id: string, xp: number, isModerator = false) =>
    registry.users.create({ id, name: `Name of ${id}`, email: `${id}@example.org`, xp, isModerator })
  await Promise.all([
    person('newcomer', 0),
    person('regular', 100),
    person('author', 200),
    person('moderator', 300, true),
  ])
  const cookie = async (userId: string) => ({
    cookie: `session=${(await registry.sessions.create(userId)).session}`,
  })
  const bearer = async (ownerId?: string) => ({
    authorization: `Bearer ${(await registry.tokens.create({ name: 'test', ownerId })).token}`,
  })
  const secrets: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
    nobody: {},
    'bad cookie': { cookie: 'session=ofs_made-up' },
    'bad token': { authorization: 'Bearer oft_made-up' },
    newcomer: await cookie('newcomer'),
    regular: await cookie('regular'),
    author: await cookie('author'),
    moderator: await cookie('moderator'),
    token: await bearer(),
    'owned token': await bearer('author'),
  }
  const author = user('author')
  const fountain = await registry.waypoints.create(
    { name: 'Market square', latitude: 55.7029, longitude: 13.1929, region: 'Lund', amenities: ['tap'] },
    author,
  )
  const { id: entryId } = await registry.changes.head()
  const [, review] = await Promise.all([
    registry.waypoints.update(fountain.id, { approved: true }, token()),
    registry.reviews.create({ bubblerId: fountain.id, rating: 5, comment: 'Cold and clear' }, author),
  ])
  const failures: unknown[] = []
  const app = createApp(registry, {
    onFailure: ({ error }) => failures.push(error),
    webhooks: {
      check: () => {},
      secretOf: () => 'whsec_dGVzdA==',
      pushKey: () => `B${'A'.repeat(86)}`,
      checkDevice: () => {},
    },
    ...options,
  })
  const raw = (method: string, path: string, asked: AskOptions = {}): Promise<Response> => {
    const { as = 'nobody', body, headers = {} } = asked
    return Promise.resolve(
      app.fetch(
        new Request(`http://fountains.test${path}`, {
          method,
          headers: {
            ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
            ...secrets[as],
            ...headers,
          },
          ...(body === undefined ? {} : { body: sentBody(body) }),
        }),
      ),
    )
  }
  const response = await raw('GET', '/api/openapi')
  const document = (await response.json()) as ApiDocument
  const conformance = new Conformance(document)
  const ask = async (method: string, path: string, asked?: AskOptions): Promise<StageResponse> => {
    const response = await raw(method, path, asked)
    await conformance.check(method, path, response)
    const text = await textOf(response)
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) }
  }
  const get = (path: string): Promise<StageResponse> => ask('GET', path)
  return {
    registry,
    app,
    failures,
    document,
    conformance,
    fountain,
    /** The log entry that added the fountain; the people were created before. */
    entryId,
    reviewId: review.id,
    secrets,
    raw,
    pass: (milliseconds: number) => void (now += milliseconds),
    ask,
    get,
    refusal: async (path: string): Promise<[number, unknown]> => {
      const { status, body } = await get(path)
      return [status, body['code']]
    },
    made: async (fields: object, as: Role = 'token') => {
      const asked = { as, body: { ...spring, ...fields } }
      const { status, body, text } = await ask('POST', '/api/waypoints', asked)
      if (status !== 201) throw new Error(`The waypoint was refused: ${text}`)
      return body as { id: number } & Record<string, unknown>
    },
    close: async () => {
      await registry.close()
      await own?.remove()
    },
  }
}

export async function serving(...given: Parameters<typeof openStage>): Promise<Stage> {
  const stage = await openStage(...given)
  onTestFinished(() => stage.close())
  return stage
}

export async function stageOfFile(options: AppOptions = {}): Promise<Stage> {
  const stage = await openStage(options)
  afterAll(() => stage.close())
  return stage
}

function sentBody(body: unknown): string | FormData {
  return typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

type Named<Value> = Readonly<Record<string, Value>>

export interface Media {
  readonly example?: unknown
  readonly examples?: Named<{ readonly value: unknown }>
}

interface DeclaredResponse {
  readonly content?: Named<Media>
  readonly headers?: Named<unknown>
}

interface ApiDocument {
  readonly openapi: string
  readonly paths: Named<Named<Operation>>
  readonly components: {
    readonly responses: Named<DeclaredResponse>
    readonly schemas: Named<{ readonly properties?: Named<{ readonly description?: string }> }>
  }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly parameters?: readonly {
    name: string
    in: string
    description?: string
    required?: boolean
    schema: object
  }[]
  readonly responses: Named<DeclaredResponse>
}

/** Answers without a declared operation: unknown paths and methods, and OPTIONS. */
const undeclared: Readonly<Record<'method' | 'path', readonly number[]>> = {
  method: [404, 405],
  path: [400, 404, 405],
}

/** The text of an answer's body, decompressed; the answer can be read again. */
async function textOf(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  const encoding = response.headers.get('content-encoding')
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  if (encoding === 'gzip') return gunzipSync(bytes).toString()
  return Buffer.from(bytes).toString()
}

/** Checks answers against an OpenAPI document: their status must be declared, and their body must match its schema. */
class Conformance {
  readonly #document: ApiDocument
  readonly #ajv: Ajv2020
  readonly #patterns: readonly { readonly route: string; readonly pattern: RegExp }[]
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: ApiDocument) {
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'api')
    this.#patterns = Object.keys(document.paths)
      .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((route) => ({ route, pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))
  }

  /** @throws an assertion error with the request and the mismatch of its answer */
  async check(method: string, path: string, response: Response): Promise<void> {
    const pathname = path.split('?')[0] ?? ''
    const asked = `${method} ${path.slice(0, 200)} answered ${response.status}`
    if (method === 'OPTIONS' && response.status === 204) return
    const route = this.#patterns.find(({ pattern }) => pattern.test(pathname))?.route
    const operation = route && this.#document.paths[route]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    if (response.status >= 400) {
      const [type, schema] = `${pathname}/`.startsWith('/ogc/')
        ? ['application/problem+json', 'ProblemDocument']
        : ['application/json; charset=utf-8', pathname.startsWith('/open311/') ? 'GeoReportErrors' : 'Error']
      assert.equal(response.headers.get('content-type'), type, asked)
      if (method !== 'HEAD') await this.#fits(`api#/components/schemas/${schema}`, response, asked)
      if (!operation) {
        const usual = route === undefined ? undeclared.path : undeclared.method
        assert.ok(usual.includes(response.status), asked)
        return
      }
    }
    if (!operation || route === undefined) {
      assert.match(pathname, /^\/api\/docs\//, `${asked}, which is not declared`)
      return
    }
    const declared = operation.responses[response.status]
    assert.ok(declared, `${asked}, which is not declared`)
    if ('Location' in (declared.headers ?? {}))
      assert.ok(response.headers.get('location'), `${asked} without Location`)
    if (response.status >= 300 || method === 'HEAD' || route.startsWith('/api/exports/')) return
    if (declared.content === undefined) {
      assert.equal(await textOf(response), '', `${asked} with a body, which is not declared`)
      return
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const types = Object.keys(declared.content).map((each) => each.split(';')[0])
    assert.ok(types.includes(type), `${asked} as ${type}, which is not declared`)
    if (type !== 'application/json') return
    const pointer = `paths/${route.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${response.status}`
    await this.#fits(`api#/${pointer}/content/application~1json/schema`, response, asked)
  }

  async #fits(reference: string, response: Response, asked: string): Promise<void> {
    let validate = this.#validators.get(reference)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: reference.replaceAll('{', '%7B').replaceAll('}', '%7D') })
      this.#validators.set(reference, validate)
    }
    const body: unknown = JSON.parse(await textOf(response))
    const fits = validate(body)
    const why = fits ? '' : this.#ajv.errorsText(validate.errors)
    assert.ok(fits, `${asked} with ${JSON.stringify(body).slice(0, 500)}: ${why}`)
  }
}
