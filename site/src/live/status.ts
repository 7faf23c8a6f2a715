import type { StateOfWaypoint } from '@openfountain/core/status'
import { beginAfter, today, type Stage } from '../status/stage.ts'
import { getJson } from './asking.ts'
import { record } from './entries.ts'

const states: ReadonlySet<unknown> = new Set<StateOfWaypoint>([
  'works',
  'unconfirmed',
  'reported',
  'broken',
  'off',
  'gone',
])

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/u.test(value) ? value : undefined

/**
 * A status of the API as a stage without an end; undefined when it is not valid.
 *
 * @param season of the fountain, from which the end of an off state follows
 */
export function stageIn(status: unknown, season?: string): Stage | undefined {
  const { state, since, lastConfirmed, supporters, contradicted } = record(status) ?? {}
  if (!states.has(state)) return undefined
  const [from, confirmed] = [dayIn(since), dayIn(lastConfirmed)]
  const back =
    state === 'off' && season !== undefined && /^\d\d-\d\d\//u.test(season)
      ? beginAfter(season.slice(0, 5), today())
      : undefined
  return {
    state: state as StateOfWaypoint,
    people: typeof supporters === 'number' ? supporters : 0,
    since: from,
    confirmed,
    ...(contradicted === true && { contradicted }),
    back,
  }
}

/** The current status of a fountain from the server. @throws when it cannot be read */
export async function statusNow(
  api: string,
  id: number,
  signal?: AbortSignal,
): Promise<{ readonly status: unknown; readonly season: string | undefined }> {
  const { json } = await getJson(`${api}/waypoints/${id}`, signal)
  const answer = record(json)
  const season = record(answer?.['waypoint'])?.['season']
  return { status: answer?.['status'], season: typeof season === 'string' ? season : undefined }
}
