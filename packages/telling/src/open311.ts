import type { City, CityRequest, HappenedEvent, StoredWebhook } from '@openfountain/core/internal'
import { RegistryError } from '@openfountain/core'
import { delivering, limits } from '@openfountain/core/rules'
import type { Answer, Sender } from './sending.ts'

/** The client of a city's endpoint of Open311 GeoReport v2: it posts faults, and reads which requests are closed. */

interface At {
  readonly sender: Sender
  readonly webhook: Pick<StoredWebhook, 'url'>
  readonly city: City
}

const below = (url: string, path: string): string => `${url.replace(/\/+$/u, '')}/${path}`

function listIn(text = ''): readonly Readonly<Record<string, unknown>>[] | undefined {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found)
      ? found.filter((each) => typeof each === 'object' && each !== null)
      : undefined
  } catch {
    return undefined
  }
}

/** A text or a number of an answer as a text; undefined for an empty one. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined

/** An id or a token; undefined for an invalid one, such as one with a comma, which separates ids in a list. */
function idOf(value: unknown): string | undefined {
  const id = textOf(value)
  return id !== undefined && id.length <= limits.cityText && /^[^\s,\p{C}]+$/u.test(id) ? id : undefined
}

const accept = { accept: 'application/json' }

/** Posts a fault. A good answer without an id cannot be followed. */
export async function report(
  { sender, webhook: { url }, city }: At,
  { id, event, waypoint }: HappenedEvent,
): Promise<Answer & { readonly request?: CityRequest }> {
  const { name, latitude, longitude, region } = waypoint
  const what = event === 'gone' ? 'is no longer there' : 'gives no water'
  const form = new URLSearchParams({
    service_code: city.service,
    lat: String(latitude),
    long: String(longitude),
    description: `The fountain "${name}" ${what} (fountain ${waypoint.id}, entry ${id})`,
  })
  if (region !== undefined) form.set('address_string', region)
  if (city.jurisdiction !== undefined) form.set('jurisdiction_id', city.jurisdiction)
  try {
    if (city.apiKey !== undefined) form.set('api_key', sender.unseal(url, city.apiKey))
  } catch (error) {
    if (error instanceof RegistryError) return { error: error.message }
    throw error
  }
  const headers = { ...accept, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const { text, ...answer } = await sender.ask(below(url, 'requests.json'), {
    content: form.toString(),
    headers,
  })
  if (answer.error !== undefined) return answer
  const [made] = listIn(text) ?? []
  const request = idOf(made?.['service_request_id'])
  const token = idOf(made?.['token'])
  if (request !== undefined) return { ...answer, request: { waypoint: waypoint.id, id: request } }
  if (token !== undefined) return { ...answer, request: { waypoint: waypoint.id, token } }
  return { ...answer, error: `answers ${answer.status} without the id of a request` }
}

/** News of a service request: its id, or its closing with the city's comment. */
export interface Said {
  readonly waypoint: number
  readonly id?: string
  readonly words?: string
  readonly isClosed?: true
}

const commentOf = (request: Readonly<Record<string, unknown>>): string =>
  [
    ...[request['agency_responsible'], request['status_notes']]
      .flatMap((each) => textOf(each) ?? [])
      .join(': ')
      .normalize()
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, limits.comment)
    .join('')

/** The news of a city's open requests, a list for each answer. @throws Error for an answer that is no list */
export async function* news({ sender, webhook: { url }, city }: At): AsyncGenerator<readonly Said[]> {
  const ask = async (path: string, query: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(query)
    if (city.jurisdiction !== undefined) search.set('jurisdiction_id', city.jurisdiction)
    const address = `${below(url, path)}?${search}`
    const { status, error, text } = await sender.ask(
      address,
      { headers: accept },
      delivering.city.answerBytes,
    )
    const found = status === 404 ? [] : listIn(text)
    if (found === undefined)
      throw new Error(`A city does not say what it closed: ${error ?? 'no list in JSON'}`)
    return found
  }
  const known = new Map<string, number>()
  for (const { waypoint, id, token } of city.requests) {
    if (id !== undefined) known.set(id, waypoint)
    if (token === undefined) continue
    const [found] = await ask(`tokens/${encodeURIComponent(token)}.json`, {})
    const made = idOf(found?.['service_request_id'])
    yield made === undefined ? [] : [{ waypoint, id: made }]
  }
  const ids = [...known.keys()]
  for (let from = 0; from < ids.length; from += delivering.city.asked) {
    const some = ids.slice(from, from + delivering.city.asked)
    const found = await ask('requests.json', { service_request_id: some.join(',') })
    yield found.flatMap((one) => {
      const id = textOf(one['service_request_id']) ?? ''
      const waypoint = known.get(id)
      if (waypoint === undefined || one['status'] !== 'closed') return []
      known.delete(id)
      const words = commentOf(one)
      return [{ waypoint, isClosed: true as const, ...(words !== '' && { words }) }]
    })
  }
}
