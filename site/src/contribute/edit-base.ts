import type { Waypoint } from '@openfountain/core'
import { isRefusal, Refusal } from '../api/request.ts'
import type { Fountain } from '../map/data/cell.ts'
import { overlaid } from './members.ts'
import { outbox } from './outbox/outbox.ts'
import { unsentWaypoint, waypointIdOf } from './outbox/submission.ts'
import { readQuickly } from './setting.ts'

export interface EditBase {
  readonly waypoint: Waypoint
  /** Absent when the fountain comes from the site's own data: an edit then overwrites its fields unconditionally. */
  readonly etag?: string | undefined
}

/** Whether only {@link mapFields} are known: the map's fountain has no date of creation. */
export const isPartial = ({ createdAt }: Waypoint): boolean => createdAt === ''

export const mapFields: readonly string[] = ['name', 'latitude', 'longitude', 'amenities', 'region']

const read = new Map<number, EditBase>()

/** Reads a fountain, so that it can be edited offline later. @throws Refusal, also for one that is not sent yet */
export async function readWaypoint(id: number): Promise<EditBase> {
  // The server does not know it.
  if (id < 0) throw new Refusal('OFFLINE')
  try {
    const { body, etag } = await readQuickly<{ waypoint: Waypoint }>(`/waypoints/${id}`)
    const base = { waypoint: body.waypoint, etag }
    read.set(id, base)
    return base
  } catch (error) {
    const before = read.get(id)
    if (before && isRefusal(error, 'OFFLINE')) return before
    throw error
  }
}

/** Forgets the fountain from before its edit, unless it was read again since. */
export function forgetRead({ waypoint: { id }, etag }: EditBase): void {
  if (read.get(id)?.etag === etag) read.delete(id)
}

/** The same from the map's data, when the server cannot be reached. Fields that the map lacks are absent. */
export function baseFromMap(fountain: Fountain): EditBase {
  const { id, name, latitude, longitude, amenities, region, verified, approved } = fountain
  const known = { id, name, latitude, longitude, region: region ?? undefined, verified, approved }
  return { waypoint: { ...unsentWaypoint(''), ...known, amenities: [...amenities] } }
}

export async function withQueued(base: EditBase): Promise<EditBase> {
  const { waypoint } = base
  const waiting = (await outbox().list()).filter(
    (submission) =>
      submission.kind === 'edit' &&
      submission.state !== 'refused' &&
      waypointIdOf(submission) === waypoint.id,
  )
  return { ...base, waypoint: overlaid(waypoint, ...waiting.map(({ body }) => body)) }
}
