import { madeName } from '@openfountain/core/names'
import { siteOfPage } from '../api/site.ts'
import { entryOf, type Entry } from '../data/entry.ts'
import type { Nameable } from '../naming.ts'
import { Day } from '../views/day.tsx'
import { EntryItem, type ShownEntry } from '../views/entry.tsx'
import { onPage } from '../views/on-page.tsx'
import type { Page } from '../views/page.ts'
import { placed } from '../views/placed.ts'
import type { Person } from '../views/parts.tsx'
import { getJson } from './asking.ts'
import { isId, record, type LiveEntry } from './entries.ts'
import { valuesIn } from './fold.ts'
import type { LiveList } from './lists.ts'
import { pageNow } from './page.ts'

/** The number of entries that the server returns names with, and of fountains that are read. */
const mostNamed = 50
/** The length of the built page. */
const mostShown = 200

/** Shows new changes on the page of changes, above those of the build. */
export class ChangesList implements LiveList {
  readonly #place: HTMLElement
  /** New entries by their ids, oldest first, with the holders of their rows. */
  readonly #entries = new Map<number, { readonly entry: Entry; readonly holder: HTMLElement }>()
  /** The inputs of the fountains' current names. */
  readonly #names = new Map<number, Nameable>()
  readonly #gone = new Set<number>()
  /** Authors of entries, by the ids of the entries. */
  readonly #people = new Map<number, Person>()

  constructor(place: HTMLElement) {
    this.#place = place
  }

  async take(entries: readonly LiveEntry[], signal: AbortSignal): Promise<void> {
    const found = entries.flatMap((entry) => entryOf(entry) ?? [])
    if (found.length === 0) return
    const page = await pageNow()
    for (const { subject, subjectId, action, fields } of entries) {
      if (subject !== 'waypoint' || !isId(subjectId)) continue
      if (action === 'deleted') this.#gone.add(subjectId)
      if (action === 'created') this.#gone.delete(subjectId)
      const { name, amenities = [], region } = valuesIn(fields)
      if (name !== undefined) this.#names.set(subjectId, { name, amenities, region })
    }
    await this.#readNames(found, signal)
    for (const entry of found.slice(-mostShown))
      if (!this.#entries.has(entry.id))
        this.#entries.set(entry.id, { entry, holder: document.createElement('ol') })
    for (const [id, { entry, holder }] of this.#entries) {
      const isNew = holder.firstElementChild === null && !this.#place.querySelector(`[data-entry="${id}"]`)
      const row = placed(onPage(page, <EntryItem entry={this.#shown(entry, page)} isDated={false} />), holder)
      row.dataset['entry'] = String(id)
      if (isNew) this.#add(row, entry.timestamp.slice(0, 10), page)
      if (this.#entries.size <= mostShown) continue
      row.remove()
      this.#entries.delete(id)
    }
    this.#rename(page)
  }

  /** Reads the names of the fountains and the authors of the newest entries. */
  async #readNames(found: readonly Entry[], signal: AbortSignal): Promise<void> {
    const { api } = siteOfPage()
    const { json } = await getJson(`${api}/logs/recent?limit=${mostNamed}`, signal)
    const logs = record(json)?.['logs']
    for (const one of Array.isArray(logs) ? logs : []) {
      const { id, userId, bubblerId, user, waypoint } = record(one) ?? {}
      const { name } = valuesIn(record(waypoint) ?? {})
      if (isId(bubblerId) && name !== undefined)
        this.#names.set(bubblerId, { amenities: [], ...this.#names.get(bubblerId), name })
      const { name: person, badge } = record(user) ?? {}
      if (!isId(id)) continue
      this.#people.set(id, {
        id: String(userId),
        ...(typeof person === 'string' && userId !== 'api' && { name: person }),
        ...(badge === 'moderator' && { isModerator: true }),
      })
    }
    // The title of a fountain without a name needs more facts than the log has.
    const unnamed = [...new Set(found.map(({ waypointId }) => waypointId))].filter(
      (id) => !this.#gone.has(id) && madeName(this.#names.get(id)?.name ?? '') !== undefined,
    )
    for (const id of unnamed.slice(-mostNamed)) {
      const answer = record((await getJson(`${api}/waypoints/${id}`, signal)).json)
      const { name, amenities = [], region } = valuesIn(record(answer?.['waypoint']) ?? {})
      const place = record(answer?.['place'])?.['name']
      if (name !== undefined)
        this.#names.set(id, { name, amenities, region, ...(typeof place === 'string' && { place }) })
    }
  }

  #shown({ waypointId, mergedInto, userId, ...entry }: Entry, page: Page): ShownEntry {
    const by = this.#people.get(entry.id) ?? (userId === 'api' ? { id: userId } : undefined)
    const isEnd = entry.effect === 'deleted' || entry.effect === 'merged'
    const about = this.#subject(waypointId, page)
    return {
      ...entry,
      about: { ...about, isGone: isEnd },
      ...(mergedInto !== undefined && { into: this.#subject(mergedInto, page) }),
      by,
    }
  }

  #subject(id: number, page: Page) {
    const built = this.#place.querySelector(`[data-waypoint="${id}"] .entry-name`)
    const name = built?.textContent
    const fountain = this.#names.get(id) ?? (name == null ? undefined : { name, amenities: [] })
    const hasPage = built?.getAttribute('href') === page.fountain(id, true)
    return { id, hasPage, fountain }
  }

  #add(row: HTMLElement, day: string, page: Page): void {
    const known = [...this.#place.querySelectorAll('section.day')].find(
      (section) => section.querySelector('h2 time')?.getAttribute('datetime') === day,
    )
    if (known) return known.querySelector('ol')?.prepend(row)
    const section = placed(onPage(page, <Day day={day} entries={[]} />), document.createElement('div'))
    this.#place.querySelector('.notice')?.remove()
    this.#place.prepend(section)
    section.querySelector('ol')?.prepend(row)
  }

  /** Updates the names in built rows: a fountain may have been renamed, or its name redacted. */
  #rename(page: Page): void {
    for (const row of this.#place.querySelectorAll<HTMLElement>('[data-waypoint]:not([data-entry])')) {
      const fountain = this.#names.get(Number(row.dataset['waypoint']))
      const shown = row.querySelector('.entry-name bdi')
      if (!shown || !fountain) continue
      const isWhole = madeName(fountain.name) === undefined || fountain.amenities.length > 0
      if (isWhole && shown.textContent !== page.title(fountain)) shown.textContent = page.title(fountain)
    }
  }
}
