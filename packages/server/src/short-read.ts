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

/** The most entries of all kinds, with their proofs, that are read on the serving thread. */
const fewEntries = 200
/** The log of a registry of which the serving thread reads every short list. */
const smallLog = 40_000
/** The most rows that it skips in a larger one, and the widest box, in degrees. */
const fewSkipped = 1000
const smallBox = 1

/** Whether the serving thread reads something short: in a small registry everything, in others what an index has. */
export async function isLight(
  registry: { readonly changes: Pick<Registry['changes'], 'head'> },
  read: ShortRead,
): Promise<boolean> {
  if (read.of === 'changes') return read.limit <= fewEntries
  return isIndexed(read) || (await registry.changes.head()).id <= smallLog
}

function isIndexed(read: Exclude<ShortRead, { readonly of: 'changes' }>): boolean {
  switch (read.of) {
    case 'waypoints': {
      const { after: _after, limit: _limit, near, bbox, ...filters } = read.filter
      if (Object.values(filters).some((value) => value !== undefined)) return false
      if (bbox === undefined) return near === undefined || read.filter.after === undefined
      const [west, south, east, north] = bbox
      return east - west <= smallBox && north - south <= smallBox && west <= east
    }
    case 'logs': {
      const { action, userId, offset = 0 } = read.query
      return action === undefined && userId === undefined && offset <= fewSkipped
    }
    case 'users':
    case 'leaderboard':
      return (read.page.offset ?? 0) <= fewSkipped
    case 'sources':
      return false
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
