import { siteOfPage } from '../api/site.ts'
import type { AnyEntry } from '../data/entry.ts'
import { stageOn, today, type Stage } from '../status/stage.ts'
import type { FountainData } from '../views/fountain.tsx'
import type { Person } from '../views/parts.tsx'
import type { ShownPhoto } from '../photo.ts'
import { deletionIn, personIn, readFountain, readLogs, photosIn, stageIn } from './answers.ts'
import { ask, listIn, record, type Answer } from './asking.ts'
import { LogReader, readEntry } from './log.ts'
import { poll } from './polling.ts'

export interface FountainNews {
  /** The answer of GET /waypoints/{id}; undefined once it is gone. */
  readonly found: Answer | undefined
  /** The newest entries of its log, newest first, and how many there are. */
  readonly logs: readonly Answer[]
  readonly total: number
  /** The same as in the whole log, of those that the built page does not have. */
  readonly entries: ReadonlyMap<number, AnyEntry>
  /** The best first. */
  readonly photos: readonly ShownPhoto[]
  /** By id. */
  readonly reviews: readonly Answer[]
  readonly people: ReadonlyMap<string, Person>
}

const mostEntries = 20

/** Follows the fountain of a page. The views are loaded when there is news. */
export function followFountain(mount: HTMLElement, built: FountainData): void {
  const { api } = siteOfPage()
  const { id } = built.row
  const people = peopleOf(built)
  const entries = new Map<number, AnyEntry>()
  let news: FountainNews | undefined
  /** The status after the visitor's unsent observation. */
  let own: unknown
  let isStale = true
  /** Whether there may be observations that are not in the log. */
  let hasUnlogged = false
  let isFirst = true
  let isShown = false

  async function readEntries(logs: readonly Answer[], signal: AbortSignal): Promise<void> {
    for (const log of logs) {
      const entry = Number(log['id'])
      if (entries.has(entry) || built.history.some((one) => one.id === entry)) continue
      const found = await readEntry(api, entry, signal)
      if (found) entries.set(entry, found)
    }
  }

  async function readPeople(ids: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (const person of new Set(ids)) {
      if (typeof person !== 'string' || person === 'api' || people.has(person)) continue
      const { answer } = await ask(`${api}/users/${encodeURIComponent(person)}`, signal).catch(() => ({
        answer: {} as Answer,
      }))
      people.set(person, personIn(person, record(answer['user'])))
    }
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    const { logs, total } = await readLogs(api, id, mostEntries, signal)
    await readEntries(logs, signal)
    // Browsers report a 404 as an error of the page.
    const found = deletionIn(logs) ? undefined : await readFountain(api, id, signal)
    const reviews = listIn((await ask(`${api}/reviews?bubblerId=${id}`, signal)).answer, 'reviews')
    const photos = photosIn(api, found)
    const authors = [...reviews.map(({ userId }) => userId), ...[...entries.values()].map(({ by }) => by)]
    await readPeople([...authors, record(found?.['waypoint'])?.['addedByUserId']], signal)
    news = { found, logs, total, entries, photos, reviews, people }
  }

  async function show(): Promise<void> {
    if (!news && own === undefined) return
    if (!isShown && own === undefined && news && isAsBuilt(built, news)) return
    const view = await import('./fountain-view.tsx')
    await view.show(mount, built, news, { own, isOpening: isFirst })
    isShown = true
  }

  document.addEventListener('openfountain:status', ({ detail: { id: about, status, isWaiting } }) => {
    if (about !== id) return
    if (!isWaiting && news?.found && status !== undefined)
      news = { ...news, found: { ...news.found, status } }
    own = isWaiting || news === undefined ? status : undefined
    void show()
  })
  const isAbout = ({ subject, subjectId, action, fields }: AnyEntry): boolean => {
    if (fields['waypoint'] === id || (subject === 'waypoint' && subjectId === id)) return true
    const { photos = [], reviews = [], logs } = news ?? {}
    // Its entry does not name the fountain.
    if (subject === 'photo' && action === 'shown') return true
    if (subject === 'photo') return [...(built.photos ?? []), ...photos].some((one) => one.id === subjectId)
    if (subject === 'review') return [...built.reviews, ...reviews].some((one) => one.id === subjectId)
    // A redaction may be about an entry of a review.
    return subject === 'entry' && (!logs || reviews.length > 0 || logs.some((one) => one['id'] === subjectId))
  }
  const log = new LogReader({
    api,
    onEntries: (found) => void (isStale ||= found.some(isAbout)),
    onUnlogged: () => (hasUnlogged = true),
  })
  poll(async (signal) => {
    await log.read(signal)
    if (isStale) await refresh(signal)
    else if (hasUnlogged && news?.found)
      news = { ...news, found: await readFountain(api, id, signal).catch(() => news?.found) }
    if (isStale || hasUnlogged) await show()
    isFirst = isStale = hasUnlogged = false
  })
}

function peopleOf({ adder, reviews, history }: FountainData): Map<string, Person> {
  const all = [adder, ...reviews.map(({ by }) => by), ...history.flatMap(({ by }) => by ?? [])]
  return new Map(all.map((person) => [person.id, person]))
}

function isAsBuilt(built: FountainData, { found, logs, photos, reviews }: FountainNews): boolean {
  const stage = stageIn(found?.['status'], built.row.season)
  const day = stageOn(built.stages, today()) ?? { state: 'unconfirmed', people: 0 }
  const isRemoved = (id: unknown) => built.history.some((one) => one.id === id && one.removed.length > 0)
  return (
    logs[0]?.['id'] === built.history[0]?.id &&
    logs.every(({ id, redacted }) => redacted === undefined || isRemoved(id)) &&
    (stage === undefined || stageText(stage) === stageText(day)) &&
    photosText(photos) === photosText(built.photos ?? []) &&
    reviewsText(reviews) === reviewsText(built.reviews.toReversed())
  )
}

const stageText = ({ state, since, confirmed, people, contradicted, back }: Stage): string =>
  [state, since, confirmed, people, contradicted, back].join()

const photosText = (photos: readonly ShownPhoto[]): string =>
  JSON.stringify(photos.map(({ id, author, alt }) => [id, author, alt]))

const reviewsText = (reviews: readonly { readonly [Name in 'id' | 'rating' | 'comment']?: unknown }[]) =>
  JSON.stringify(reviews.map(({ id, rating, comment }) => [id, rating, comment ?? '']))
