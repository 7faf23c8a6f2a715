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
  /** Absent when it comes from the site's own data: an edit then changes its fields whatever they are now. */
  readonly etag?: string
  /** Whether only the fields of {@link mapFields} are known. */
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

/** What the server returned for a fountain; it is read anew before the next edit. */
export function forgetRead(id: number): void {
  read.delete(id)
}

/** The same from what the map shows, where the server cannot be reached. What the map does not know is not there. */
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

/** The same with what of it is kept and not sent yet. */
export async function withWaiting(known: Known): Promise<Known> {
  const { waypoint } = known
  const waiting = (await outbox().list()).filter(
    (act) => act.kind === 'edit' && act.state !== 'refused' && waypointIdOf(act) === waypoint.id,
  )
  return { ...known, waypoint: overlaid(waypoint, ...waiting.map(({ body }) => body)) }
}
