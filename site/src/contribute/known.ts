import type { Waypoint } from '@openfountain/core'
import type { Fountain } from '../map/data/cell.ts'
import { Refusal } from '../api/request.ts'
import { waypointIdOf } from './outbox/act.ts'
import { overlaid } from './members.ts'
import { outbox } from './outbox/outbox.ts'
import { readSoon } from './setting.ts'

/** A fountain as an edit begins with it. */
export interface Known {
  readonly waypoint: Waypoint
  /** Absent when the fountain comes from the site's own data: an edit then overwrites its fields unconditionally. */
  readonly etag?: string
  /** Whether only {@link mapFields} are known. */
  readonly isPartial?: true
}

/** The fields that the map has in full. */
export const mapFields: readonly string[] = ['name', 'latitude', 'longitude', 'amenities', 'region']

const read = new Map<number, Known>()

/** Reads a fountain, so that it can be edited without a network later. @throws Refusal */
export async function readWaypoint(id: number): Promise<Known> {
  try {
    const { body, etag } = await readSoon<{ waypoint: Waypoint }>(`/waypoints/${id}`)
    const known = { waypoint: body.waypoint, ...(etag !== undefined && { etag }) }
    read.set(id, known)
    return known
  } catch (error) {
    const before = read.get(id)
    if (before && error instanceof Refusal && error.code === 'OFFLINE') return before
    throw error
  }
}

/** Forgets the server's answer for a fountain, so that the next edit reads it again. */
export function forgetRead(id: number): void {
  read.delete(id)
}

/** The same from the map's data, when the server cannot be reached. Fields that the map lacks are absent. */
export function knownFrom(fountain: Fountain): Known {
  const { id, name, latitude, longitude, amenities, region, verified, approved } = fountain
  return {
    isPartial: true,
    waypoint: {
      id,
      name,
      latitude,
      longitude,
      amenities: [...amenities],
      ...(region !== undefined && { region }),
      verified,
      approved,
      addedByUserId: '',
      createdAt: '',
      updatedAt: '',
    },
  }
}

/** The same with the queued edits applied. */
export async function withWaiting(known: Known): Promise<Known> {
  const { waypoint } = known
  const waiting = (await outbox().list()).filter(
    (act) => act.kind === 'edit' && act.state !== 'refused' && waypointIdOf(act) === waypoint.id,
  )
  return { ...known, waypoint: overlaid(waypoint, ...waiting.map(({ body }) => body)) }
}
