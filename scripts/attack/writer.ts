import type { Setting } from './attempt.ts'
import type { Instance } from './instance.ts'

export interface Write {
  /** Headers with the credentials. Default none. */
  readonly as?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Written {
  readonly status: number
  readonly text: string
  /** Empty when the text is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly isReplayed: boolean
}

function parsed(text: string): Written['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Sends writes as pages of the instance do, from several addresses in turn, to stay below the rate limit. */
export function writerOf(setting: Pick<Setting, 'client'>, own: Instance, addresses = 4) {
  const clients = Array.from({ length: addresses }, () => setting.client())
  let turn = 0
  return async (method: string, path: string, { as = {}, body, headers }: Write = {}): Promise<Written> => {
    const client = clients[turn++ % addresses] ?? setting.client()
    const reply = await client.ask(path, {
      method,
      headers: {
        origin: own.origins.own,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...as,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = reply.body.toString()
    return {
      status: reply.status,
      text,
      body: parsed(text),
      headers: reply.headers,
      isReplayed: reply.headers['idempotency-replayed'] === 'true',
    }
  }
}

export type Writer = ReturnType<typeof writerOf>

/** Does something so often at once. */
export const atOnce = <Result>(times: number, make: (number: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: times }, (_, number) => make(number)))

/** Counts of statuses, such as `1 × 201, 19 × 409`. */
export const statusesOf = (all: readonly { readonly status: number }[]): string =>
  [...Map.groupBy(all, ({ status }) => status)]
    .toSorted(([one], [other]) => one - other)
    .map(([status, some]) => `${some.length} × ${status}`)
    .join(', ')

export const countOf = (all: readonly { readonly status: number }[], status: number): number =>
  all.filter((each) => each.status === status).length

/** A nested object of a JSON object. */
export const memberOf = (body: Readonly<Record<string, unknown>>, member: string): Written['body'] => {
  const value = body[member]
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A user's XP. */
export const xpOf = async (write: Writer, as: Write['as']): Promise<number> =>
  Number(memberOf((await write('GET', '/api/user', { as })).body, 'user')['xp'])

/** The id of the newest entry of the log. */
export const headOf = async (write: Writer): Promise<number> =>
  Number(memberOf((await write('GET', '/api/logs/head')).body, 'head')['id'])
