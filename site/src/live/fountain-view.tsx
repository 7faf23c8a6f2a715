import { hydrate, render } from 'preact'
import { onLanguage } from '../api/site.ts'
import { namesOf, whereabouts } from '../naming.ts'
import { entryOf, redacted, type AnyEntry } from '../data/entry.ts'
import type { Waypoint } from '../data/records.ts'
import type { ShownEntry } from '../views/entry.tsx'
import { Fountain, type Around, type FountainData } from '../views/fountain.tsx'
import { onPage } from '../views/on-page.tsx'
import type { Person } from '../views/parts.tsx'
import { deletionIn, stageIn } from './answers.ts'
import { record } from './asking.ts'
import type { ShownPhoto } from '../photo.ts'
import type { FountainNews } from './fountain-page.ts'
import { pageNow } from './page.ts'
import { reviewRow, rowNow } from './row-now.ts'

const mostReviews = 50

export interface ShowOptions {
  readonly own: unknown
  /** Whether the page was just opened: that of a merged fountain then leads to its target. */
  readonly isOpening: boolean
}

let shown:
  | { readonly mount: HTMLElement; readonly built: FountainData; readonly data: FountainData }
  | undefined

/** Renders the page of a fountain again, as it is now. */
export async function show(
  mount: HTMLElement,
  built: FountainData,
  news: FountainNews | undefined,
  { own, isOpening }: ShowOptions,
): Promise<void> {
  const data = news ? fountainNow(built, news) : built
  const stage = stageIn(own, data.row.season)
  shown = { mount, built, data: stage ? { ...data, stages: [stage] } : data }
  const { into } = data.end ?? {}
  if (into && isOpening) return location.replace((await pageNow()).fountain(into.id, true))
  await draw()
}

async function draw(): Promise<void> {
  const page = await pageNow()
  if (!shown) return
  const { mount, built, data } = shown
  const { rendered: before } = mount.dataset
  if (before === undefined) {
    hydrate(onPage(page.with({ now: undefined, userAgent: undefined }), <Fountain data={built} />), mount)
    onLanguage(() => void draw())
  }
  render(onPage(page, <Fountain data={data} isMoved={!isSame(built.row, data.row, place)} />), mount)
  const titleOf = (row: Waypoint) => {
    const name = page.title(row)
    return [name, ...whereabouts(row, built.tag, name)].map(page.format.isolate).join(', ')
  }
  const title = titleOf(data.row)
  document.title = document.title.replace(before ?? titleOf(built.row), () => title)
  mount.dataset['rendered'] = title
}

const place = ['latitude', 'longitude'] as const
const parts = ['country', 'subdivision', 'region', 'place'] as const

const isSame = (one: Waypoint, other: Waypoint, columns: readonly (keyof Waypoint)[]): boolean =>
  columns.every((column) => (one[column] ?? '') === (other[column] ?? ''))

function fountainNow(built: FountainData, news: FountainNews): FountainData {
  const { found, logs, total, entries, people } = news
  const person = (id: unknown): Person => people.get(String(id)) ?? { id: String(id) }
  const { stages, ...row } = found ? rowNow(found, built.row) : { ...built.row, stages: [] }
  const merged = entries.get(Number(deletionIn(logs)?.['id']))?.links.mergedInto
  return {
    ...built,
    row,
    within: isSame(built.row, row, parts) ? built.within : aroundNow(built, row),
    adder: person(row.added_by),
    stages: stages.length > 0 ? stages : built.stages,
    photos: photosNow(built.photos ?? [], news.photos),
    reviews: news.reviews
      .map((review) => ({ ...reviewRow(review), by: person(review['userId']) }))
      .toReversed()
      .slice(0, mostReviews),
    history: logs.flatMap((log): ShownEntry[] => {
      const known = built.history.find(({ id }) => id === log['id'])
      const entry = known ?? shownEntry(entries.get(Number(log['id'])), person)
      const fields = record(log['redacted'])?.['fields']
      return entry ? [Array.isArray(fields) ? withoutFields(entry, fields) : entry] : []
    }),
    hasMore: total > logs.length,
    ...(!found && { end: merged === undefined ? {} : { into: { id: merged, hasPage: true } } }),
  }
}

function photosNow(built: readonly ShownPhoto[], now: readonly ShownPhoto[]): ShownPhoto[] {
  const known = new Set(built.map(({ id }) => id))
  return now.map(({ urls, ...photo }) => ({ ...photo, ...(urls && !known.has(photo.id) && { urls }) }))
}

/** The regions around a fountain that is in another part of the directory than when the site was built. */
function aroundNow({ within }: FountainData, row: Waypoint): Around[] {
  const { country, subdivision, region, place, town } = row
  const district = region ?? place
  const known = (kind: Around['kind'], name: string | null | undefined): Around[] =>
    name ? [within.find((one) => one.kind === kind && one.name === name) ?? { kind, name }] : []
  return [
    ...known('country', country),
    ...known('subdivision', subdivision),
    ...(town ? known('town', town.name).map((around) => ({ ...around, town })) : []),
    ...(town && district && namesOf(town).includes(district) ? [] : known('region', district)),
  ]
}

function shownEntry(logged: AnyEntry | undefined, person: (id: unknown) => Person): ShownEntry | undefined {
  const entry = logged && entryOf(logged)
  if (!entry) return undefined
  const { mergedInto, userId, waypointId: _about, ...shown } = entry
  const into = mergedInto === undefined ? undefined : { id: mergedInto, hasPage: true }
  return { ...shown, by: person(userId), into }
}

function withoutFields(entry: ShownEntry, fields: readonly unknown[]): ShownEntry {
  const names = fields.filter((name) => typeof name === 'string')
  const { fields: listed, removed } = redacted({ ...entry, waypointId: 0, userId: '' }, names)
  return { ...entry, fields: listed, removed }
}
