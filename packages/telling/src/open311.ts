import type { City, CityRequest, HappenedEvent, StoredWebhook } from '@openfountain/core/internal'
import { RegistryError } from '@openfountain/core'
import { delivering, limits } from '@openfountain/core/rules'
import type { Answer, Sender } from './sending.ts'

/** A city's endpoint of Open311 GeoReport v2: faults are posted to it, and it says what is closed. */

interface At {
  readonly sender: Sender
  readonly webhook: Pick<StoredWebhook, 'url'>
  readonly city: City
}

/** The address of a resource below the endpoint. */
const below = (url: string, path: string): string => `${url.replace(/\/+$/u, '')}/${path}`

/** The objects of an answer, which is a list; of any other answer none. */
function listIn({ text = '' }: Answer): readonly Readonly<Record<string, unknown>>[] {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found.filter((each) => typeof each === 'object' && each !== null) : []
  } catch {
    return []
  }
}

/** A text or a number of an answer as a text; undefined for an empty one. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined

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
  const [made] = listIn({ ...(text !== undefined && { text }) })
  const request = textOf(made?.['service_request_id'])
  const token = textOf(made?.['token'])
  if (request !== undefined) return { ...answer, request: { waypoint: waypoint.id, id: request } }
  return token === undefined ? answer : { ...answer, request: { waypoint: waypoint.id, token } }
}

/** What a city says of one of its requests: its id, or that it is closed, in its words. */
export interface Said {
  readonly waypoint: number
  readonly id?: string
  readonly words?: string
  readonly isClosed?: true
}

/** What a city says of its open requests, each once, as far as there is news. */
export async function news({ sender, webhook: { url }, city }: At): Promise<readonly Said[]> {
  const place: Readonly<Record<string, string>> =
    city.jurisdiction === undefined ? {} : { jurisdiction_id: city.jurisdiction }
  const ask = async (path: string, query: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams({ ...place, ...query }).toString()
    return listIn(await sender.ask(`${below(url, path)}${search && `?${search}`}`, { headers: accept }))
  }
  const said: Said[] = []
  const known = new Map<string, number>()
  for (const { waypoint, id, token } of city.requests) {
    if (id !== undefined) known.set(id, waypoint)
    if (token === undefined) continue
    const [found] = await ask(`tokens/${encodeURIComponent(token)}.json`, {})
    const made = textOf(found?.['service_request_id'])
    if (made !== undefined) said.push({ waypoint, id: made })
  }
  const ids = [...known.keys()]
  for (let from = 0; from < ids.length; from += delivering.city.asked) {
    const some = ids.slice(from, from + delivering.city.asked)
    for (const one of await ask('requests.json', { service_request_id: some.join(',') })) {
      const waypoint = known.get(textOf(one['service_request_id']) ?? '')
      if (waypoint === undefined || one['status'] !== 'closed') continue
      const words = [one['agency_responsible'], one['status_notes']].flatMap((each) => textOf(each) ?? [])
      const text = words
        .join(': ')
        .replaceAll(/[\p{C}\s]+/gu, ' ')
        .trim()
        .slice(0, limits.comment)
      said.push({ waypoint, isClosed: true, ...(text !== '' && { words: text }) })
    }
  }
  return said
}
