import type { FormerUser, LogEntry, PublicUser, QueueItem, Waypoint } from '@openfountain/core'
import type { PersonWork, WorkKind } from '@openfountain/core/internal'
import { distanceMetres } from '@openfountain/core/geodesy'
import { exchange, Refusal, request } from '../../api/request.ts'
import { record } from '../../live/asking.ts'

export const queueKinds = [
  'reported',
  'photos',
  'unapproved',
  'doubtful',
  'bursts',
  'duplicates',
  'unverified',
] as const
export type QueueKind = (typeof queueKinds)[number]

export interface Fountain {
  readonly waypoint: Waypoint
  readonly etag: string | undefined
}

export interface GoneFountain {
  readonly id: number
  readonly mergedInto?: number
}

/** Reads the current state of a fountain; a deleted one only has its number. @throws Refusal */
export async function readFountain(id: number): Promise<Fountain | GoneFountain> {
  try {
    const { body, etag } = await exchange<Omit<Fountain, 'etag'>>('GET', `/waypoints/${id}`)
    return { ...body, etag }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
    const { mergedInto } = error.details
    return { id, ...(typeof mergedInto === 'number' && { mergedInto }) }
  }
}

export interface Nearby {
  readonly waypoint: Waypoint
  readonly metres: number
}

const nearbyMetres = 500
const mostNearby = 6

/** The nearest fountains, nearest first. @throws Refusal */
export async function readNearby(of: Waypoint): Promise<readonly Nearby[]> {
  const { latitude, longitude, id: own } = of
  const { waypoints } = await request<{ waypoints: readonly Waypoint[] }>(
    'GET',
    `/waypoints?near=${latitude},${longitude}&radius=${nearbyMetres}&limit=${mostNearby + 1}`,
  )
  return waypoints
    .filter(({ id }) => id !== own)
    .slice(0, mostNearby)
    .map((waypoint) => ({ waypoint, metres: distanceMetres(of, waypoint) }))
}

export const historyPage = 50

/** A page of a fountain's history, newest first. @throws Refusal */
export const readHistory = (
  id: number,
  offset = 0,
): Promise<{ readonly logs: readonly LogEntry[]; readonly total: number }> =>
  request('GET', `/logs?bubblerId=${id}&limit=${historyPage}&offset=${offset}`)

/** A person with a current or a former account. */
export type Profile = (PublicUser | FormerUser) & { readonly name?: string }

const known = new Map<string, Promise<Profile | undefined>>()

/** A public profile, read once; undefined for programs and unknown ids. @throws Refusal */
export function person(id: string): Promise<Profile | undefined> {
  const found = known.get(id) ?? readPerson(id)
  known.set(id, found)
  found.catch(() => known.delete(id))
  return found
}

async function readPerson(id: string): Promise<Profile | undefined> {
  if (id === 'api') return undefined
  try {
    return (await request<{ user: Profile }>('GET', pathOf({ id }))).user
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

export interface NamedPerson {
  readonly id: string
  readonly name?: string | undefined
}

export const pathOf = ({ id }: NamedPerson): string => `/users/${encodeURIComponent(id)}`

/** A page of one kind of a person's work. @throws Refusal */
export const readWork = (id: string, kind: WorkKind, after = 0): Promise<PersonWork> =>
  request('GET', `/moderation/people/${encodeURIComponent(id)}?kind=${kind}&after=${after}`)

/** The subject of an item, and the number of its reports. */
export const keyOf = (item: QueueItem): string =>
  [
    item.kind,
    ...Object.values(item).flatMap((one) => (Array.isArray(one) ? one.length : (record(one)?.['id'] ?? []))),
  ].join(' ')

export interface QueuePage {
  readonly items: readonly QueueItem[]
  readonly total: number
  readonly next?: string
}

export const pageSize = 50
/** Most that the server answers at once. */
const mostAtOnce = 100

/** The first items of a queue, at most some number of them, the oldest first. @throws Refusal */
export async function readQueue(kind: QueueKind, most: number): Promise<QueuePage> {
  const items: QueueItem[] = []
  for (let after = '0'; ;) {
    const limit = String(Math.min(most - items.length, mostAtOnce))
    const query = new URLSearchParams({ kind, limit, after })
    const page = await request<QueuePage>('GET', `/moderation/queue?${query}`)
    items.push(...page.items)
    if (page.next === undefined || items.length >= most) return { ...page, items }
    after = page.next
  }
}
