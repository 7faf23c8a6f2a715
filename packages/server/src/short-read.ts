import type { LogEntry, LogQuery, Registry, WaypointFilterInput } from '@openfountain/core'
import type { Page } from '@openfountain/core/internal'

/** A read that may take too long for the serving thread, though its result is short. */
export type Question =
  | { readonly about: 'waypoints'; readonly filter: WaypointFilterInput }
  | { readonly about: 'logs'; readonly query: LogQuery }
  | { readonly about: 'users' | 'leaderboard'; readonly page: Page }
  | { readonly about: 'sources' }

/** Whether reading takes a few milliseconds at most. @throws RegistryError INVALID_INPUT, INVALID_COORDINATES */
export function isLight(registry: Registry, question: Question): boolean {
  switch (question.about) {
    case 'waypoints':
      return registry.waypoints.isBounded(question.filter)
    case 'logs':
      return registry.changes.isBounded(question.query)
    case 'sources':
      return registry.sources.isBounded()
    default:
      return registry.users.isBounded(question.page)
  }
}

/** The text of the JSON object that answers a question, without the members of the envelope. */
export async function answerTo(registry: Registry, question: Question): Promise<string> {
  switch (question.about) {
    case 'waypoints': {
      const texts = [...registry.waypoints.texts(question.filter)].flat()
      return waypointsText(registry, texts)
    }
    case 'logs':
      return JSON.stringify(await logs(registry, question.query))
    case 'users':
      return JSON.stringify(await registry.users.list(question.page))
    case 'leaderboard':
      return JSON.stringify(await registry.users.leaderboard(question.page))
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
