import { siteOfPage } from '../api/site.ts'
import { mapApps, webDirections } from '../map/card/apps.ts'
import { icon } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import { seasonWords } from '../hours/season.ts'
import { shownHours } from '../hours/shown.ts'
import { writeState } from '../map/data/state.ts'
import { noFilter } from '../map/list/filter.ts'
import { fill } from '../messages.ts'
import type { Nameable } from '../naming.ts'
import { showCustomFields } from './custom-fields.ts'
import { isId, record } from './entries.ts'
import { valuesIn } from './fold.ts'
import type { PageNews } from './fountain-page.ts'
import { label, nameIn, wordingOf, type Wording } from './wording.ts'

const longestText = 20_000
/** The most reviews on a page. */
const mostReviews = 500

/**
 * Shows a fountain's changes since the build on its page.
 *
 * @param isOpening whether the page was just opened: the page of a merged fountain then redirects to its target
 */
export async function show(article: HTMLElement, news: PageNews, isOpening: boolean): Promise<void> {
  const { mergedInto, isGone, at } = news
  const { base, ...site } = siteOfPage()
  if (mergedInto !== undefined && isOpening) return location.replace(`${base}waypoint/${mergedInto}/`)
  const wording = await wordingOf({ base, ...site })
  if (at !== undefined) {
    showFields(article, news.fields, wording)
    const updated = valueOf(article, 'waypoint.updated')?.querySelector('time')
    if (updated) {
      updated.dateTime = at
      updated.textContent = wording.format.date(at)
    }
  }
  showReviews(article, news.reviews, wording)
  showEnd(article, isGone, mergedInto, base, wording)
}

/** Replaces the page by a notice that the fountain is gone. */
function showEnd(
  article: HTMLElement,
  isGone: boolean,
  mergedInto: number | undefined,
  base: string,
  wording: Wording,
): void {
  const endNotice = article.querySelector('.live-end')
  // Not by each part's own attribute, which some have for other reasons.
  article.toggleAttribute('data-gone', isGone)
  endNotice?.remove()
  if (!isGone) return
  const sentence = element(
    'p',
    { class: 'notice live-end', role: 'status' },
    label(wording, mergedInto === undefined ? 'live.gone' : 'waypoint.mergedInto'),
    ...(mergedInto === undefined
      ? []
      : [' ', element('a', { href: `${base}waypoint/${mergedInto}/` }, `#${mergedInto}`)]),
  )
  article.querySelector('.waypoint-head')?.after(sentence)
}

function showFields(article: HTMLElement, fields: PageNews['fields'], wording: Wording): void {
  const { name, latitude, longitude, amenities, approved, verified } = valuesIn(fields)
  if (name !== undefined) showName(article, { name, amenities: amenities ?? amenitiesOf(article) }, wording)
  if ('description' in fields) showDescription(article, textIn(fields['description']))
  if (amenities !== undefined) showAmenities(article, amenities, wording)
  if (verified !== undefined || approved !== undefined) showFlags(article, { verified, approved }, wording)
  if (latitude !== undefined || longitude !== undefined) {
    const [builtLatitude, builtLongitude] = placeOf(article)
    showPosition(
      article,
      { latitude: latitude ?? builtLatitude, longitude: longitude ?? builtLongitude },
      wording,
    )
  }
  if ('properties' in fields) showCustomFields(article, fields['properties'], wording)
  for (const [field, value] of Object.entries(fields)) {
    if (wording.strings[`fact.${field}`] !== undefined) showFact(article, field, textIn(value), wording)
  }
}

const textIn = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, longestText) : undefined

/** The amenities that the page shows. */
function amenitiesOf(article: HTMLElement): string[] {
  const shown = article.querySelectorAll<HTMLElement>('ul.amenities [data-t]')
  return [...shown].map(({ dataset }) => dataset['t']?.slice('amenity.'.length) ?? '')
}

function showName(article: HTMLElement, fountain: Nameable, wording: Wording): void {
  const name = nameIn(wording, fountain)
  const title = article.querySelector('h1 bdi')
  if (!title || title.textContent === name) return
  const before = title.textContent
  title.textContent = name
  document.title = document.title.replace(before, () => name)
  const directions = article.querySelector<HTMLElement>('a[data-directions]')
  if (directions) directions.dataset['name'] = name
}

function showDescription(article: HTMLElement, text: string | undefined): void {
  const known = article.querySelector('.waypoint-main > p.lead')
  if (text === undefined) return known?.remove()
  const shown = known ?? element('p', { class: 'lead text-user', dir: 'auto' })
  shown.textContent = text
  if (!known) article.querySelector('.waypoint-main')?.prepend(shown)
}

function showAmenities(article: HTMLElement, amenities: readonly string[], wording: Wording): void {
  const { strings } = wording
  article.querySelector('ul.amenities')?.closest('section')?.remove()
  if (amenities.length === 0) return
  const section = element(
    'section',
    { class: 'section' },
    element('h2', { 'data-t': 'waypoint.amenities' }, strings['waypoint.amenities']),
    element(
      'ul',
      { class: 'amenities' },
      ...amenities.map((key) =>
        element(
          'li',
          {},
          icon(key),
          strings[`amenity.${key}`] === undefined
            ? element('bdi', {}, key)
            : label(wording, `amenity.${key}`),
        ),
      ),
    ),
  )
  const above = article.querySelectorAll('.waypoint-main > p')
  const last = above[above.length - 1]
  if (last) last.after(section)
  else article.querySelector('.waypoint-main')?.prepend(section)
}

function showFlags(
  article: HTMLElement,
  { verified, approved }: { readonly verified: boolean | undefined; readonly approved: boolean | undefined },
  wording: Wording,
): void {
  const tags = article.querySelector('ul.tags')
  // A listing by a source is the stronger statement.
  const isListed = tags?.querySelector('[data-t="waypoint.listed"]') != null
  const remove = (...keys: readonly string[]) => {
    for (const key of keys) tags?.querySelector(`[data-t="waypoint.${key}"]`)?.closest('li')?.remove()
  }
  const add = (key: string, drawing: string, kind = '') =>
    tags?.append(
      element('li', {}, element('span', { class: `tag ${kind}`.trim() }, icon(drawing), label(wording, key))),
    )
  if (verified !== undefined) {
    remove('verified', 'notVerified', 'verifiedHint')
    if (verified) add('waypoint.verified', 'verified', 'tag-verified')
    else if (!isListed) add('waypoint.notVerified', 'unverified')
  }
  if (approved !== undefined) {
    remove('notApproved')
    if (!approved && !isListed) add('waypoint.notApproved', 'waiting', 'tag-warm')
  }
}

function placeOf(article: HTMLElement): readonly [latitude: number, longitude: number] {
  const [latitude = 0, longitude = 0] = (article.querySelector('[data-copy-source]')?.textContent ?? '')
    .split(',')
    .map(Number)
  return [latitude, longitude]
}

function showPosition(
  article: HTMLElement,
  place: { readonly latitude: number; readonly longitude: number },
  { prefix }: Wording,
): void {
  const { latitude, longitude } = place
  const text = article.querySelector('[data-copy-source]')
  if (text) text.textContent = `${latitude}, ${longitude}`
  const directions = article.querySelector<HTMLAnchorElement>('a[data-directions]')
  if (directions) {
    directions.dataset['directions'] = `${latitude},${longitude}`
    directions.href = webDirections(place)
  }
  const map = article.querySelector<HTMLAnchorElement>('a[data-query]')
  if (map) {
    const fountain = Number(article.dataset['live'])
    const query = writeState({ at: { ...place, zoom: 16 }, filter: noFilter, fountain })
    map.dataset['query'] = query
    map.href = `${siteOfPage().base}${prefix}${query}`
  }
  const links = valueOf(article, 'waypoint.openIn')?.querySelectorAll('a') ?? []
  const object = article.querySelector<HTMLAnchorElement>('.osm-object a')?.href
  for (const [place_, app] of mapApps(place, object).entries()) {
    const link = links[place_]
    if (link) link.href = app.href
  }
  // The drawing and the distances are for the old position.
  article.querySelector('figure.plan')?.remove()
  article.querySelector('ol.nearby')?.closest('section')?.remove()
}

/** The element of a fact's value, by the key of its label. */
function valueOf(article: HTMLElement, key: string): HTMLElement | null | undefined {
  return article.querySelector(`dt[data-t="${key}"]`)?.parentElement?.querySelector('dd')
}

function showFact(article: HTMLElement, field: string, text: string | undefined, wording: Wording): void {
  const key = `fact.${field}`
  const known = valueOf(article, key)
  if (text === undefined) return known?.parentElement?.remove()
  const { strings } = wording
  const value = valueElement(article, field, text, wording)
  if (known) return known.replaceChildren(value)
  const row = element('div', {}, element('dt', { 'data-t': key }, strings[key]), element('dd', {}, value))
  article.querySelector('dt[data-t="waypoint.source"]')?.parentElement?.before(row)
}

function valueElement(article: HTMLElement, field: string, text: string, wording: Wording): HTMLElement {
  const { strings, format } = wording
  const key = `fact.${field}.${text}`
  if (strings[key] !== undefined) return label(wording, key)
  if (field === 'season') return element('span', { 'data-season': text }, seasonWords(strings, format, text))
  if (field !== 'openingHours') return element('bdi', {}, text)
  const [, longitude] = placeOf(article)
  const shown = shownHours(strings, format, text, { longitude })
  return element('span', { 'data-hours': text, 'data-longitude': String(longitude) }, shown)
}

function showReviews(article: HTMLElement, reviews: readonly unknown[], wording: Wording): void {
  const section = article.querySelector('#reviews')
  if (!section) return
  const shown = new Map(
    [...section.querySelectorAll<HTMLElement>('[data-review]')].map((item) => [item.dataset['review'], item]),
  )
  const items = reviews.slice(-mostReviews).flatMap((one) => {
    const { id, rating, comment, createdAt } = record(one) ?? {}
    if (!isId(id) || typeof rating !== 'number' || typeof createdAt !== 'string') return []
    const stars = Math.max(1, Math.min(5, Math.round(rating)))
    const item = shown.get(String(id)) ?? newReview(article, id, createdAt, wording)
    showStars(item, stars, wording)
    const text = textIn(comment)
    const known = item.querySelector('.text-user')
    if (text === undefined) known?.remove()
    else if (known) known.textContent = text
    else item.append(element('p', { class: 'text-user', dir: 'auto' }, text))
    return [item]
  })
  const order = [...items].toReversed()
  section.querySelector('.reviews')?.remove()
  section.querySelector('.quiet')?.remove()
  section.append(
    order.length === 0
      ? element(
          'p',
          { class: 'quiet', 'data-t': 'waypoint.noReviews' },
          wording.strings['waypoint.noReviews'],
        )
      : element('ul', { class: 'reviews' }, ...order),
  )
}

function newReview(article: HTMLElement, id: number, createdAt: string, wording: Wording): HTMLElement {
  const { format } = wording
  const date = Number.isNaN(Date.parse(createdAt)) ? '' : format.date(createdAt)
  return element(
    'li',
    { class: 'review', 'data-review': String(id) },
    element(
      'p',
      { class: 'review-head' },
      element('span', { class: 'stars', role: 'img' }),
      element('time', { class: 'faint', datetime: createdAt, 'data-date': true }, date),
      reportButton(article, id, wording),
    ),
  )
}

/** The same button as that of built reviews. */
function reportButton(article: HTMLElement, id: number, { strings }: Wording): HTMLElement {
  return element(
    'button',
    {
      class: 'text-button review-report no-print',
      type: 'button',
      id: `report-${id}`,
      'data-contribute': 'report',
      'data-report-review': String(id),
      'data-name': article.querySelector('h1 bdi')?.textContent,
      'data-t': 'contribute.report',
      'data-t-label': 'contribute.reportReview',
      'aria-label': strings['contribute.reportReview'],
    },
    strings['contribute.report'],
  )
}

function showStars(item: HTMLElement, stars: number, { strings }: Wording): void {
  const row = item.querySelector<HTMLElement>('.stars')
  if (!row || row.dataset['stars'] === String(stars)) return
  row.dataset['stars'] = String(stars)
  row.setAttribute('aria-label', fill(strings['waypoint.stars'] ?? '', { n: stars }))
  row.replaceChildren(
    ...[1, 2, 3, 4, 5].map((star) => {
      const drawn = icon('star')
      drawn.classList.add(star <= stars ? 'star-full' : 'star-empty')
      return drawn
    }),
  )
}
