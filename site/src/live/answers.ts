import { photos } from '@openfountain/core/rules'
import { waypointStates, type StateOfWaypoint } from '@openfountain/core/status'
import { beginAfter, today, type Stage } from '../status/stage.ts'
import { ask, isId, listIn, record, type Answer } from './asking.ts'
import type { Person } from '../views/parts.tsx'
import { photoSizes, type PhotoSize, type ShownPhoto } from '../photo.ts'
import { readEntry } from './log.ts'

const states: ReadonlySet<unknown> = new Set(waypointStates)

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/u.test(value) ? value : undefined

/** A status of the API as a stage without an end; undefined when it is not valid. @param season of the fountain */
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

/** A fountain with its status, its place, its rating and its photos. @throws when it cannot be read */
export const readFountain = async (api: string, id: number, signal?: AbortSignal): Promise<Answer> =>
  (await ask(`${api}/waypoints/${id}?include=rating,photos`, signal)).answer

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

/** Whether a fountain still exists, and its merge target, by the log: browsers report a 404 as an error of the page. */
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

export const personIn = (id: string, { name, badge }: Answer = {}): Person => ({
  id,
  ...(typeof name === 'string' && id !== 'api' && { name }),
  ...(badge === 'moderator' && { isModerator: true }),
})

/** The shown photos of a fountain, the best first, with their addresses at the API. */
export const photosIn = (api: string, found: Answer = {}): ShownPhoto[] =>
  'photos' in found ? listIn(found, 'photos').flatMap((photo) => photoIn(api, photo) ?? []) : []

/** The fountain of a photo that is shown; undefined for any other. @throws when it cannot be read */
export async function fountainOfPhoto(api: string, id: number, signal: AbortSignal): Promise<unknown> {
  const { answer } = await ask(`${api}/photos?after=${id - 1}&limit=1`, signal)
  return listIn(answer, 'photos').find((photo) => photo['id'] === id)?.['bubblerId']
}

function photoIn(api: string, given: Answer): ShownPhoto | undefined {
  const { id, width, height, license, author, alt, takenAt, createdAt } = given
  const urls = record(given['urls'])
  const sizes = photoSizes.map((size) => [size, fileAt(api, urls?.[size])] as const)
  const day = dayIn(String(takenAt ?? createdAt).slice(0, 10))
  const isSized = [width, height].every((side) => Number.isSafeInteger(side) && Number(side) > 0)
  if (!isId(id) || !isSized || !day || sizes.some(([, url]) => url === undefined)) return undefined
  return {
    id,
    width: Number(width),
    height: Number(height),
    license: String(license),
    date: day,
    ...(typeof author === 'string' && author !== photos.formerAuthor && { author }),
    ...(typeof alt === 'string' && alt !== '' && { alt }),
    urls: Object.fromEntries(sizes) as Record<PhotoSize, string>,
  }
}

export function fileAt(api: string, url: unknown): string | undefined {
  const [file] = /[\da-f]{64}\.webp$/u.exec(String(url)) ?? []
  return file && `${api}/photos/files/${file}`
}
