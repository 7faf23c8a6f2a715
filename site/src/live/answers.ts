import type { StateOfWaypoint } from '@openfountain/core/status'
import { beginAfter, today, type Stage } from '../status/stage.ts'
import { ask, isId, listIn, record, type Answer } from './asking.ts'
import type { Person } from '../views/parts.tsx'
import { readEntry } from './log.ts'

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
export function stageIn(status: unknown, season?: string | null): Stage | undefined {
  const { state, since, lastConfirmed, supporters, contradicted } = record(status) ?? {}
  if (!states.has(state)) return undefined
  const hasSeason = state === 'off' && /^\d\d-\d\d\//u.test(season ?? '')
  return {
    state: state as StateOfWaypoint,
    people: typeof supporters === 'number' ? supporters : 0,
    since: dayIn(since),
    confirmed: dayIn(lastConfirmed),
    ...(contradicted === true && { contradicted }),
    back: hasSeason ? beginAfter((season ?? '').slice(0, 5), today()) : undefined,
  }
}

/** A fountain with its status, its place and its rating. @throws when it cannot be read */
export const readFountain = async (api: string, id: number, signal?: AbortSignal): Promise<Answer> =>
  (await ask(`${api}/waypoints/${id}?include=rating`, signal)).answer

/** The newest entries about a fountain, newest first, and how many there are. @throws when they cannot be read */
export async function readLogs(api: string, id: number, limit: number, signal?: AbortSignal) {
  const { answer } = await ask(`${api}/logs?bubblerId=${id}&limit=${limit}`, signal)
  const logs = listIn(answer, 'logs')
  if (!logs.every((log) => isId(log['id']) && log['bubblerId'] === id)) throw new Error('This is no history')
  return { logs, total: Number(answer['total']) }
}

/** The entry that deleted a fountain; undefined while it exists. Redacted text is cleared later than it is deleted. */
export function deletionIn(logs: readonly Answer[]): Answer | undefined {
  const last = logs.find(({ action }) => action === 'deleted' || action === 'created')
  return last?.['action'] === 'deleted' ? last : undefined
}

/**
 * Whether a fountain still exists, and its merge target. This reads the log, since browsers report a 404 as an error of
 * the page.
 */
export async function stateNow(
  api: string,
  id: number,
): Promise<{ readonly isGone: boolean; readonly mergedInto?: number | undefined }> {
  const { logs } = await readLogs(api, id, 100)
  const deletion = deletionIn(logs)
  if (!deletion) return { isGone: logs.length === 0 }
  // Only the whole log has the target.
  return { isGone: true, mergedInto: (await readEntry(api, Number(deletion['id'])))?.links.mergedInto }
}

/** A person as the API answers it. */
export const personIn = (id: string, { name, badge }: Answer = {}): Person => ({
  id,
  ...(typeof name === 'string' && id !== 'api' && { name }),
  ...(badge === 'moderator' && { isModerator: true }),
})

/** The status of a fountain whose observations have expired. */
const unknown = { state: 'unconfirmed', supporters: 0 }

/**
 * A reader of the observations of passers-by since the build, which are not in the log.
 *
 * @param builtAt time of the data of the build, ISO 8601 UTC
 * @returns reads the statuses that changed since the last time, by fountain; throws when they cannot be read
 */
export function statusReader(api: string, builtAt: string): () => Promise<ReadonlyMap<number, unknown>> {
  const address = `${api}/status.json?seenSince=${builtAt.slice(0, 10)}`
  let before = new Map<number, unknown>()
  return async () => {
    const states = Object.entries(record((await ask(address)).answer['states']) ?? {})
    const now = new Map(states.map(([id, status]) => [Number(id), status]))
    const gone = [...before.keys()].flatMap((id) => (now.has(id) ? [] : [[id, unknown] as const]))
    const isNew = ([id, status]: readonly [number, unknown]): boolean =>
      JSON.stringify(before.get(id)) !== JSON.stringify(status)
    const changed = [...[...now].filter(isNew), ...gone]
    before = now
    return new Map(changed)
  }
}
