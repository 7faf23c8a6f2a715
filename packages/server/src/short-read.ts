import type { LogQuery, Registry, WaypointFilterInput } from '@openfountain/core'
import type { Page } from '@openfountain/core/internal'
import { withTerms } from './row-terms.ts'

/** A read with a short result, which may still take too long for the serving thread. */
export type ShortRead =
  | { readonly of: 'waypoints'; readonly filter: WaypointFilterInput }
  | { readonly of: 'logs'; readonly query: LogQuery }
  /** A page of entries of all kinds. */
  | { readonly of: 'changes'; readonly after: number; readonly limit: number }
  | { readonly of: 'users' | 'leaderboard'; readonly page: Page }
  | { readonly of: 'sources' }

/** The most entries of all kinds that are read on the serving thread. */
const fewEntries = 200

/** Whether reading takes a few milliseconds at most. @throws RegistryError INVALID_INPUT, INVALID_COORDINATES */
export async function isLight(registry: Registry, read: ShortRead): Promise<boolean> {
  switch (read.of) {
    case 'waypoints':
      return registry.waypoints.isBounded(read.filter)
    case 'logs':
      return registry.changes.isBounded(read.query)
    case 'changes':
      return read.limit <= fewEntries || (await registry.changes.head()).id - read.after <= fewEntries
    case 'sources':
      return registry.sources.isBounded()
    default:
      return registry.users.isBounded(read.page)
  }
}

/** The result of a read as the text of a JSON object, without the members of the envelope. */
export async function resultOf(registry: Registry, read: ShortRead): Promise<string> {
  switch (read.of) {
    case 'waypoints':
      return waypointsText(registry, await waypointTexts(registry, read.filter))
    case 'logs':
      return JSON.stringify(await registry.changes.list(read.query))
    case 'changes': {
      const changes = await registry.changes.entries(read.after, read.limit)
      // Read after the entries, so that the head covers all of them.
      const [head, origin] = await Promise.all([registry.changes.head(), registry.changes.origin()])
      return JSON.stringify({ changes, head, origin })
    }
    case 'users':
      return JSON.stringify(await registry.users.list(read.page))
    case 'leaderboard':
      return JSON.stringify(await registry.users.leaderboard(read.page))
    case 'sources':
      return JSON.stringify({ sources: await registry.sources.list() })
  }
}

/** The JSON texts of all waypoints that match a filter, with their terms. */
export async function waypointTexts(registry: Registry, filter: WaypointFilterInput): Promise<string[]> {
  const found: string[] = []
  for await (const texts of registry.waypoints.texts(filter))
    found.push(...(await withTerms(registry, texts)))
  return found
}

/** The object that lists these waypoints. */
export function waypointsText(registry: Registry, texts: readonly string[]): string {
  return `{${beforeWaypoints(registry)}${texts.join(',')}]}`
}

/** The text before the first waypoint of a list. */
export function beforeWaypoints({ author }: Registry): string {
  return `"author":${JSON.stringify(author)},"waypoints":[`
}
