import { siteOfPage } from '../api/site.ts'
import { getJson } from './asking.ts'
import { isId, record } from './entries.ts'
import { LogReader } from './log-reader.ts'
import { poll } from './polling.ts'
import { writeStages } from '../status/stage.ts'
import { mergeOf } from './state-now.ts'
import { stageIn, statusNow } from './status.ts'

/** The changes of a page's fountain since the build. */
export interface PageNews {
  /** The new values of fields, as in the log; `null` for a cleared one. */
  readonly fields: Readonly<Record<string, unknown>>
  /** When it was last changed, ISO 8601 UTC; absent when it was not. */
  readonly at?: string
  readonly isGone: boolean
  readonly mergedInto?: number
  /** All its current reviews, oldest first; validated when they are shown. */
  readonly reviews: readonly unknown[]
}

const entriesAtOnce = 100
/** With more changes since the build, only the oldest are shown. */
const mostPages = 10

/** Follows the fountain of a page and shows its changes. The code that shows them is loaded at the first one. */
function follow(article: HTMLElement): void {
  const id = Number(article.dataset['live'])
  const { api } = siteOfPage()
  let after = Number(article.dataset['liveAfter'])
  let isStale = true
  /** Whether there may be observations that are not in the log. */
  let hasUnlogged = false
  let isFirst = true
  /** The known status, without the visitor's unsent observation. */
  let known = statusIn(article)?.dataset['stages'] ?? ''
  let news: PageNews = { fields: {}, isGone: false, reviews: [] }

  /** Reads the log of this fountain from the last read entry. */
  async function readHistory(signal: AbortSignal): Promise<void> {
    for (let page = 0; page < mostPages; page += 1) {
      const query = `bubblerId=${id}&order=asc&after=${after}&limit=${entriesAtOnce}`
      const { json } = await getJson(`${api}/logs?${query}`, signal)
      const logs = record(json)?.['logs']
      if (!Array.isArray(logs) || logs.length > entriesAtOnce) throw new Error('This is no history')
      for (const one of logs) await add(record(one) ?? {}, signal)
      if (logs.length < entriesAtOnce) return
    }
  }

  async function add(entry: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const { id: entryId, bubblerId, action, timestamp, changes } = entry
    if (!isId(entryId) || entryId <= after || bubblerId !== id)
      throw new Error('This is no entry of the history')
    if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp)))
      throw new Error('This is no time')
    const isGone = action === 'deleted'
    const mergedInto = isGone ? await mergeOf(api, entryId, signal) : undefined
    const { mergedInto: _before, ...others } = news
    news = {
      ...others,
      fields: { ...news.fields, ...record(changes) },
      at: timestamp,
      // A restoration is a `created` entry; an edit of a deleted fountain only clears redacted text.
      isGone: isGone || (news.isGone && action !== 'created'),
      ...(mergedInto !== undefined && { mergedInto }),
    }
    after = entryId
  }

  /** A removed fountain has no status, and browsers report a 404 as an error of the page. */
  async function readStatus(signal: AbortSignal): Promise<void> {
    try {
      const { status, season } = await statusNow(api, id, signal)
      known = showStatus(article, status, { season }) ?? known
    } catch {
      // It is then as the site was built with it.
    }
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    await readHistory(signal)
    if (!news.isGone) await readStatus(signal)
    const { json } = await getJson(`${api}/reviews?bubblerId=${id}`, signal)
    const reviews = record(json)?.['reviews']
    news = { ...news, reviews: Array.isArray(reviews) ? reviews : [] }
    if (isFirst && news.at === undefined && areShown(article, news.reviews)) return
    const { show } = await import('./fountain-view.ts')
    await show(article, news, isFirst)
    isFirst = false
  }

  document.addEventListener('openfountain:status', (event) => {
    const { id: about, status, isWaiting } = (event instanceof CustomEvent && record(event.detail)) || {}
    if (about !== id) return
    if (status === undefined) showStages(article, known)
    else known = showStatus(article, status, { isWaiting: isWaiting === true }) ?? known
  })
  const log = new LogReader({
    api,
    onEntries(entries) {
      isStale ||= entries.some(
        ({ subject, subjectId, fields }) =>
          (subject === 'waypoint' && subjectId === id) ||
          (subject === 'observation' && fields['waypoint'] === id) ||
          (subject === 'review' && (fields['waypoint'] === id || isShown(article, subjectId))),
      )
    },
    onUnlogged: () => (hasUnlogged = true),
    onTooMany: () => undefined,
    onAnother: () => undefined,
  })
  poll({
    async ask(signal) {
      const outcome = await log.read(signal)
      if (isStale) await refresh(signal)
      else if (hasUnlogged && !news.isGone) await readStatus(signal)
      isStale = false
      hasUnlogged = false
      return outcome
    },
  })
}

/**
 * Shows the status of the fountain; another script writes the text in the visitor's language.
 *
 * @returns the known status; undefined while the visitor's observation is unsent
 */
function showStatus(
  article: HTMLElement,
  status: unknown,
  { season, isWaiting = false }: { readonly season?: string | undefined; readonly isWaiting?: boolean } = {},
): string | undefined {
  const { season: shown } = article.querySelector<HTMLElement>('[data-season]')?.dataset ?? {}
  const stage = stageIn(status, season ?? shown)
  const stages = stage && writeStages([stage])
  if (stages !== undefined) showStages(article, stages)
  return isWaiting ? undefined : stages
}

const statusIn = (article: HTMLElement): HTMLElement | null =>
  article.querySelector<HTMLElement>('.status[data-stages]')

function showStages(article: HTMLElement, stages: string): void {
  const place = statusIn(article)
  if (!place) return
  // The script that writes the text may load later, and reads the built status from here.
  place.dataset['built'] ??= place.dataset['stages'] ?? ''
  place.dataset['stages'] = stages
  document.dispatchEvent(new Event('openfountain:stage'))
}

function isShown(article: HTMLElement, review: number | string): boolean {
  return article.querySelector(`[data-review="${Number(review)}"]`) !== null
}

/** Whether the built page has exactly these reviews. */
function areShown(article: HTMLElement, reviews: readonly unknown[]): boolean {
  const shown = new Map(
    [...article.querySelectorAll<HTMLElement>('[data-review]')].map((item) => [
      Number(item.dataset['review']),
      {
        text: item.querySelector('.text-user')?.textContent ?? '',
        stars: Number(item.querySelector<HTMLElement>('.stars')?.dataset['stars']),
      },
    ]),
  )
  return (
    shown.size === reviews.length &&
    reviews.every((one) => {
      const { id, rating, comment = '' } = record(one) ?? {}
      const { text, stars } = shown.get(Number(id)) ?? {}
      return text === comment && stars === rating
    })
  )
}

const article = document.querySelector<HTMLElement>('article[data-live]')
if (article) follow(article)
