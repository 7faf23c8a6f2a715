import { siteOfPage } from '../api/site.ts'
import { getJson } from './asking.ts'
import { isId, record } from './entries.ts'
import { LogReader } from './log-reader.ts'
import { poll } from './polling.ts'
import { mergeOf } from './state-now.ts'

/** What happened to the fountain of a page since the page was built. */
export interface PageNews {
  /** The fields that it got, as the log has them; `null` for one that was cleared. */
  readonly fields: Readonly<Record<string, unknown>>
  /** When it was last changed, ISO 8601 UTC; absent when it was not. */
  readonly at?: string
  readonly isGone: boolean
  readonly mergedInto?: number
  /** All its reviews now, oldest first; checked by whoever shows them. */
  readonly reviews: readonly unknown[]
}

const entriesAtOnce = 100
/** A fountain that was changed more often since the site was built is shown with the oldest of the changes. */
const mostPages = 10

/** Follows the fountain whose page this is, and shows what happened to it. What shows it is loaded when it is needed. */
function follow(article: HTMLElement): void {
  const id = Number(article.dataset['live'])
  const { api } = siteOfPage()
  let after = Number(article.dataset['liveAfter'])
  let isStale = true
  let isFirst = true
  let news: PageNews = { fields: {}, isGone: false, reviews: [] }

  /** Reads the log of this fountain from where it was read last. */
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
      // What is restored comes back by `created`; an edit of what is gone clears text that was redacted.
      isGone: isGone || (news.isGone && action !== 'created'),
      ...(mergedInto !== undefined && { mergedInto }),
    }
    after = entryId
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    await readHistory(signal)
    const { json } = await getJson(`${api}/reviews?bubblerId=${id}`, signal)
    const reviews = record(json)?.['reviews']
    news = { ...news, reviews: Array.isArray(reviews) ? reviews : [] }
    if (isFirst && news.at === undefined && areShown(article, news.reviews)) return
    const { show } = await import('./fountain-view.ts')
    await show(article, news, isFirst)
    isFirst = false
  }

  const log = new LogReader({
    api,
    onEntries(entries) {
      isStale ||= entries.some(
        ({ subject, subjectId, fields }) =>
          (subject === 'waypoint' && subjectId === id) ||
          (subject === 'review' && (fields['waypoint'] === id || isShown(article, subjectId))),
      )
    },
    onTooMany: () => undefined,
    onAnother: () => undefined,
  })
  poll({
    async ask(signal) {
      const outcome = await log.read(signal)
      if (isStale) await refresh(signal)
      isStale = false
      return outcome
    },
  })
}

function isShown(article: HTMLElement, review: number | string): boolean {
  return article.querySelector(`[data-review="${Number(review)}"]`) !== null
}

/** Whether the page was built with exactly these reviews. */
function areShown(article: HTMLElement, reviews: readonly unknown[]): boolean {
  const comments = new Map(
    [...article.querySelectorAll<HTMLElement>('[data-review]')].map((item) => [
      Number(item.dataset['review']),
      item.querySelector('.text-user')?.textContent ?? '',
    ]),
  )
  return (
    comments.size === reviews.length &&
    reviews.every((one) => {
      const { id, comment = '' } = record(one) ?? {}
      return comments.get(Number(id)) === comment
    })
  )
}

const article = document.querySelector<HTMLElement>('article[data-live]')
if (article) follow(article)
