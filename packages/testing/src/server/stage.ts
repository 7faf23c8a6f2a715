import { openRegistry, token, user, type PropertiesDeclaration } from '@openfountain/core'
import { photosInMemory } from '../photos.ts'
import { newDatabase } from '../database.ts'
import { type AppOptions, createApp } from '../../../server/src/index.ts'
import { type ApiDocument, Conformance, textOf } from './conformance.ts'

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
    /** Added by `author`, reviewed by `author`; the token approved it. */
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
