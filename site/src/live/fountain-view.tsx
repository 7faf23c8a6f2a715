import { hydrate, render } from 'preact'
import { entryOf, redacted } from '../data/entry.ts'
import type { Waypoint } from '../data/records.ts'
import type { ShownEntry } from '../views/entry.tsx'
import { Fountain, type Around, type FountainData } from '../views/fountain.tsx'
import { onPage } from '../views/on-page.tsx'
import type { Person } from '../views/parts.tsx'
import type { ShownReview } from '../views/reviews.tsx'
import { record } from './entries.ts'
import type { Answer, FountainNews } from './fountain-page.ts'
import { pageNow } from './page.ts'
import { reviewRow, rowNow } from './row-now.ts'
import { stageIn } from './status.ts'

/** The number of reviews on a page. */
const mostReviews = 50

export interface ShowOptions {
  /** The status after the visitor's unsent observation. */
  readonly own: unknown
  /** Whether the page was just opened: that of a merged fountain then leads to its target. */
  readonly isOpening: boolean
}

/** Renders the page of a fountain again, as it is now. */
export async function show(
  mount: HTMLElement,
  built: FountainData,
  news: FountainNews | undefined,
  { own, isOpening }: ShowOptions,
): Promise<void> {
  const data = news ? fountainNow(built, news) : built
  const stage = stageIn(own, data.row.season ?? undefined)
  shown = { mount, built, data: stage ? { ...data, stages: [stage] } : data }
  const page = await pageNow()
  const { into } = data.end ?? {}
  if (into && isOpening) return location.replace(page.fountain(into.id, true))
  await draw()
}

let shown:
  | { readonly mount: HTMLElement; readonly built: FountainData; readonly data: FountainData }
  | undefined

async function draw(): Promise<void> {
  const page = await pageNow()
  if (!shown) return
  const { mount, built, data } = shown
  const { rendered: before } = mount.dataset
  if (before === undefined) {
    hydrate(onPage(page.with({ now: undefined, userAgent: undefined }), <Fountain data={built} />), mount)
    new MutationObserver(() => void draw()).observe(document.documentElement, { attributeFilter: ['lang'] })
  }
  render(onPage(page, <Fountain data={data} isMoved={!isAtSamePlace(built.row, data.row)} />), mount)
  const title = page.title(data.row)
  document.title = document.title.replace(before ?? page.title(built.row), () => title)
  mount.dataset['rendered'] = title
}

const isAtSamePlace = (one: Waypoint, other: Waypoint): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude

/** The built page's data with what the API says now. */
export function fountainNow(built: FountainData, news: FountainNews): FountainData {
  const { found, logs, total, entries, people } = news
  const person = (id: unknown): Person => people.get(String(id)) ?? { id: String(id) }
  const row = found ? rowNow(built.row, found) : built.row
  const stage = found && stageIn(found['status'], row.season ?? undefined)
  const last = entries.get(Number(logs.find(({ action }) => action === 'deleted')?.['id']))
  return {
    ...built,
    row,
    within: isSamePart(built.row, row) ? built.within : aroundNow(built, row),
    adder: person(row.added_by),
    stages: stage ? [stage] : built.stages,
    reviews: news.reviews
      .flatMap((review) => reviewIn(review, person))
      .toReversed()
      .slice(0, mostReviews),
    history: logs.flatMap((log): ShownEntry[] => {
      const entry =
        built.history.find(({ id }) => id === log['id']) ?? entryIn(entries.get(Number(log['id'])), person)
      const fields = record(log['redacted'])?.['fields']
      return entry ? [Array.isArray(fields) ? withoutFields(entry, fields) : entry] : []
    }),
    hasMore: total > logs.length,
    ...(!found && {
      end: last?.mergedInto === undefined ? {} : { into: { id: last.mergedInto, hasPage: true } },
    }),
  }
}

const isSamePart = (one: Waypoint, other: Waypoint): boolean =>
  (['region', 'place', 'country', 'subdivision'] as const).every(
    (column) => (one[column] ?? '') === (other[column] ?? ''),
  )

/** The regions around a fountain that is in another part of the directory than when the site was built. */
function aroundNow({ within }: FountainData, { country, subdivision, region, place }: Waypoint): Around[] {
  const known = (kind: Around['kind'], name: string | null | undefined): Around[] =>
    name ? [within.find((one) => one.kind === kind && one.name === name) ?? { kind, name }] : []
  return [
    ...known('country', country),
    ...known('subdivision', subdivision),
    ...known('region', region ?? place),
  ]
}

function reviewIn(review: Answer, person: (id: unknown) => Person): ShownReview[] {
  const { id, rating, createdAt, userId } = review
  if (typeof id !== 'number' || typeof rating !== 'number' || typeof createdAt !== 'string') return []
  return [{ ...reviewRow(review), by: person(userId) }]
}

function entryIn(
  logged: Parameters<typeof entryOf>[0] | undefined,
  person: (id: unknown) => Person,
): ShownEntry | undefined {
  const entry = logged && entryOf(logged)
  if (!entry) return undefined
  const { mergedInto, userId, waypointId: _about, ...shown } = entry
  return {
    ...shown,
    by: person(userId),
    ...(mergedInto !== undefined && { into: { id: mergedInto, hasPage: true } }),
  }
}

function withoutFields(entry: ShownEntry, fields: readonly unknown[]): ShownEntry {
  const names = fields.filter((name) => typeof name === 'string')
  const { fields: listed, removed } = redacted({ ...entry, waypointId: 0, userId: '' }, names)
  return { ...entry, fields: listed, removed }
}
