import type { Person } from '../views/parts.tsx'
import type { FountainData } from '../views/fountain.tsx'
import { siteOfPage } from '../api/site.ts'
import { stageOn, today } from '../status/stage.ts'
import { getJson } from './asking.ts'
import { isId, readPage, record, type LiveEntry } from './entries.ts'
import { LogReader } from './log-reader.ts'
import { poll } from './polling.ts'
import { stageIn } from './status.ts'

/** A JSON object of the API; each member is validated where it is used. */
export type Answer = Readonly<Record<string, unknown>>

/** A fountain as the API answers it now. */
export interface FountainNews {
  /** The answer of GET /waypoints/{id}; undefined once it is gone. */
  readonly found: Answer | undefined
  /** The newest entries of its log, newest first, and how many there are. */
  readonly logs: readonly Answer[]
  readonly total: number
  /** The same as in the whole log, of those that the built page does not have. */
  readonly entries: ReadonlyMap<number, LiveEntry>
  /** By id. */
  readonly reviews: readonly Answer[]
  /** Those whom the page names. */
  readonly people: ReadonlyMap<string, Person>
}

/** The number of log entries that the page shows. */
const mostEntries = 20

/** Follows the fountain of a page. The views are loaded when there is news. */
function follow(mount: HTMLElement, built: FountainData): void {
  const { api } = siteOfPage()
  const { id } = built.row
  const people = peopleOf(built)
  const entries = new Map<number, LiveEntry>()
  let news: FountainNews | undefined
  /** The status after the visitor's unsent observation. */
  let own: unknown
  let isStale = true
  /** Whether there may be observations that are not in the log. */
  let hasUnlogged = false
  let isFirst = true
  let isShown = false

  const find = async (signal: AbortSignal): Promise<Answer | undefined> =>
    record((await getJson(`${api}/waypoints/${id}?include=rating`, signal)).json)

  async function logNow(signal: AbortSignal): Promise<Pick<FountainNews, 'logs' | 'total'>> {
    const { json } = await getJson(`${api}/logs?bubblerId=${id}&limit=${mostEntries}`, signal)
    const { logs, total } = record(json) ?? {}
    if (!Array.isArray(logs)) throw new Error('This is no history')
    for (const log of logs) {
      const { id: entry, bubblerId, timestamp } = record(log) ?? {}
      if (!isId(entry) || bubblerId !== id || Number.isNaN(Date.parse(String(timestamp))))
        throw new Error('This is no entry of the history')
      if (entries.has(entry) || built.history.some((one) => one.id === entry)) continue
      const page = await getJson(`${api}/changes?after=${entry - 1}&limit=1`, signal)
      const [found] = readPage(page.json, entry - 1).entries
      if (found) entries.set(entry, found)
    }
    return { logs: logs as Answer[], total: Number(total) }
  }

  async function readPeople(ids: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (const person of new Set(ids)) {
      if (typeof person !== 'string' || person === 'api' || people.has(person)) continue
      const { json } = await getJson(`${api}/users/${encodeURIComponent(person)}`, signal).catch(() => ({
        json: {},
      }))
      const { name, badge } = record(record(json)?.['user'] ?? json) ?? {}
      people.set(person, {
        id: person,
        ...(typeof name === 'string' && { name }),
        ...(badge === 'moderator' && { isModerator: true }),
      })
    }
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    const { logs, total } = await logNow(signal)
    const isGone = isDeleted(logs)
    // Browsers report a 404 as an error of the page.
    const found = isGone ? undefined : await find(signal)
    const { json } = await getJson(`${api}/reviews?bubblerId=${id}`, signal)
    const listed = record(json)?.['reviews']
    const reviews = (Array.isArray(listed) ? listed : []).flatMap((one): Answer[] => {
      const review = record(one)
      return review ? [review] : []
    })
    const authors = [...reviews.map(({ userId }) => userId), ...[...entries.values()].map(({ by }) => by)]
    await readPeople([...authors, record(found?.['waypoint'])?.['addedByUserId']], signal)
    news = { found, logs, total, entries, reviews, people }
  }

  async function show(): Promise<void> {
    if (!news && own === undefined) return
    if (!isShown && own === undefined && news && isAsBuilt(built, news)) return
    const view = await import('./fountain-view.tsx')
    await view.show(mount, built, news, { own, isOpening: isFirst })
    isShown = true
  }

  document.addEventListener('openfountain:status', (event) => {
    const { id: about, status, isWaiting } = (event instanceof CustomEvent && record(event.detail)) || {}
    if (about !== id) return
    if (isWaiting !== true && news?.found && status !== undefined)
      news = { ...news, found: { ...news.found, status } }
    own = isWaiting === true || news === undefined ? status : undefined
    void show()
  })
  const log = new LogReader({
    api,
    onEntries(found) {
      isStale ||= found.some(
        ({ subject, subjectId, fields }) =>
          (subject === 'waypoint' && subjectId === id) ||
          (subject === 'observation' && fields['waypoint'] === id) ||
          (subject === 'review' && (fields['waypoint'] === id || isShownReview(Number(subjectId)))) ||
          (subject === 'entry' && isShownEntry(Number(subjectId))),
      )
    },
    onUnlogged: () => (hasUnlogged = true),
  })
  const isShownReview = (review: number): boolean =>
    built.reviews.some((one) => one.id === review) ||
    (news?.reviews.some((one) => one['id'] === review) ?? false)
  /** A redaction may be about an entry of a review. */
  const isShownEntry = (entry: number): boolean =>
    news === undefined || news.reviews.length > 0 || news.logs.some((one) => one['id'] === entry)
  poll(async (signal) => {
    await log.read(signal)
    if (isStale) await refresh(signal)
    else if (hasUnlogged && news?.found)
      news = { ...news, found: (await find(signal).catch(() => undefined)) ?? news.found }
    if (isStale || hasUnlogged) await show()
    isFirst = isStale = hasUnlogged = false
  })
}

/** Whether the last creation or deletion of a log is a deletion: redacted text is cleared later. */
const isDeleted = (logs: readonly Answer[]): boolean =>
  logs.find(({ action }) => action === 'deleted' || action === 'created')?.['action'] === 'deleted'

/** The people whom the built page names. */
function peopleOf({ adder, reviews, history }: FountainData): Map<string, Person> {
  const all = [adder, ...reviews.map(({ by }) => by), ...history.flatMap(({ by }) => by ?? [])]
  return new Map(all.map((person) => [person.id, person]))
}

/** Whether the built page is right as it is. */
function isAsBuilt(built: FountainData, { found, logs, reviews }: FountainNews): boolean {
  const stage = stageIn(found?.['status'], built.row.season ?? undefined)
  const { until: _until, ...day } = stageOn(built.stages, today()) ?? { state: 'unconfirmed', people: 0 }
  const shown = new Map(built.reviews.map((review) => [review.id, review]))
  return (
    logs[0]?.['id'] === built.history[0]?.id &&
    logs.every(
      ({ id, redacted }) =>
        redacted === undefined || built.history.some((one) => one.id === id && one.removed.length > 0),
    ) &&
    (stage === undefined || isSame(stage, day)) &&
    reviews.length === shown.size &&
    reviews.every(({ id, rating, comment }) => {
      const review = shown.get(Number(id))
      return review?.rating === rating && (review?.comment ?? '') === (comment ?? '')
    })
  )
}

const isSame = (one: object, other: object): boolean => {
  const sorted = (value: object) => JSON.stringify(Object.entries(value).toSorted())
  return sorted(one) === sorted(other)
}

const mount = document.querySelector<HTMLElement>('#fountain')
const data = document.querySelector('#fountain-data')?.textContent
if (mount && data) follow(mount, JSON.parse(data) as FountainData)
