import type { LogEntry, LogQuery, Registry, WaypointFilterInput } from '@openfountain/core'
import type { Page } from '@openfountain/core/internal'

/** A read with a short result, which may still take too long for the serving thread. */
export type ShortRead =
  | { readonly of: 'waypoints'; readonly filter: WaypointFilterInput }
  | { readonly of: 'logs'; readonly query: LogQuery }
  | { readonly of: 'users' | 'leaderboard'; readonly page: Page }
  | { readonly of: 'sources' }

/** Whether reading takes a few milliseconds at most. @throws RegistryError INVALID_INPUT, INVALID_COORDINATES */
export function isLight(registry: Registry, read: ShortRead): boolean {
  switch (read.of) {
    case 'waypoints':
      return registry.waypoints.isBounded(read.filter)
    case 'logs':
      return registry.changes.isBounded(read.query)
    case 'sources':
      return registry.sources.isBounded()
    default:
      return registry.users.isBounded(read.page)
  }
}

/** The result of a read as the text of a JSON object, without the members of the envelope. */
export async function resultOf(registry: Registry, read: ShortRead): Promise<string> {
  switch (read.of) {
    case 'waypoints': {
      const texts = [...registry.waypoints.texts(read.filter)].flat()
      return waypointsText(registry, texts)
    }
    case 'logs':
      return JSON.stringify(await logs(registry, read.query))
    case 'users':
      return JSON.stringify(await registry.users.list(read.page))
    case 'leaderboard':
      return JSON.stringify(await registry.users.leaderboard(read.page))
    case 'sources':
      return JSON.stringify({ sources: await registry.sources.list() })
  }
}

/** The object that lists these waypoints. */
export function waypointsText(registry: Registry, texts: readonly string[]): string {
  return `{${beforeWaypoints(registry)}${texts.join(',')}]}`
}

/** The text before the first waypoint of a list. */
export function beforeWaypoints({ author }: Registry): string {
  return `"author":${JSON.stringify(author)},"waypoints":[`
}

async function logs(registry: Registry, query: LogQuery) {
  const page = await registry.changes.list(query)
  return query.order === 'asc' ? { ...page, logs: await sealed(registry, page.logs) } : page
}

/** The entries with their seals, so that a mirror can check the chain. */
async function sealed(registry: Registry, logs: readonly LogEntry[]): Promise<readonly LogEntry[]> {
  const first = logs[0]
  const last = logs.at(-1)
  if (first === undefined || last === undefined) return []
  if (last.id - first.id === logs.length - 1) return registry.changes.sealed(first.id - 1, logs.length)
  const each = await Promise.all(logs.map(({ id }) => registry.changes.sealed(id - 1, 1)))
  return each.flat()
}
