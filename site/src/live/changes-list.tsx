import { siteOfPage } from '../api/site.ts'
import { entryOf, type AnyEntry, type Entry } from '../data/entry.ts'
import type { Nameable } from '../naming.ts'
import { Day } from '../views/day.tsx'
import { EntryItem, type ShownEntry } from '../views/entry.tsx'
import { onPage } from '../views/on-page.tsx'
import type { Page } from '../views/page.ts'
import type { Person } from '../views/parts.tsx'
import { placed } from '../views/placed.ts'
import { ask, listIn, record } from './asking.ts'
import { foldInto, valuesIn, type Changes } from './fold.ts'
import { pageNow } from './page.ts'
import { personIn, readFountain } from './answers.ts'

/** The number of entries that the server returns names with, and of fountains that are read. */
const mostNamed = 50
/** The length of the built page. */
const mostShown = 200

export class ChangesList {
  readonly #place: HTMLElement
  readonly #entries = new Map<number, { readonly entry: Entry; readonly holder: HTMLElement }>()
  readonly #changes: Changes = new Map()
  /** The inputs of the fountains' current names. */
  readonly #names = new Map<number, Nameable>()
  /** Authors of entries, by the ids of the entries. */
  readonly #people = new Map<number, Person>()

  constructor(place: HTMLElement) {
    this.#place = place
  }

  async take(entries: readonly AnyEntry[], signal: AbortSignal): Promise<void> {
    const found = entries.flatMap((entry) => entryOf(entry) ?? [])
    if (found.length === 0) return
    const page = await pageNow()
    foldInto(this.#changes, entries)
    for (const { waypointId } of found) this.#name(waypointId, this.#changes.get(waypointId)?.values)
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

  #name(
    id: number,
    { name, amenities = [], region }: ReturnType<typeof valuesIn> = {},
    place?: string,
  ): void {
    if (name !== undefined) this.#names.set(id, { name, amenities, region, place })
  }

  async #readNames(found: readonly Entry[], signal: AbortSignal): Promise<void> {
    const { api } = siteOfPage()
    const { answer } = await ask(`${api}/logs/recent?limit=${mostNamed}`, signal)
    for (const { id, userId, bubblerId, user, waypoint } of listIn(answer, 'logs')) {
      this.#people.set(Number(id), personIn(String(userId), record(user)))
      const { name } = valuesIn(record(waypoint) ?? {})
      const known = this.#names.get(Number(bubblerId))
      if (name !== undefined) this.#names.set(Number(bubblerId), { amenities: [], ...known, name })
    }
    // The title of a fountain without a name needs more facts than the log has.
    const unnamed = [...new Set(found.map(({ waypointId }) => waypointId))].filter(
      (id) => !this.#changes.get(id)?.isGone && (this.#names.get(id)?.name ?? '') === '',
    )
    for (const id of unnamed.slice(-mostNamed)) {
      const { waypoint, place } = await readFountain(api, id, signal)
      const { name } = (record(place) ?? {}) as { readonly name?: string }
      this.#name(id, valuesIn(record(waypoint) ?? {}), name)
    }
  }

  #shown({ waypointId, mergedInto, userId, ...entry }: Entry, page: Page): ShownEntry {
    const isGone = entry.effect === 'deleted' || entry.effect === 'merged'
    return {
      ...entry,
      about: { ...this.#subject(waypointId, page), isGone },
      ...(mergedInto !== undefined && { into: this.#subject(mergedInto, page) }),
      by: this.#people.get(entry.id) ?? (userId === 'api' ? { id: userId } : undefined),
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
    const sections = [...this.#place.querySelectorAll('section.day')]
    let section = sections.find((one) => one.querySelector('h2 time')?.getAttribute('datetime') === day)
    if (!section) {
      section = placed(onPage(page, <Day day={day} entries={[]} />), document.createElement('div'))
      this.#place.querySelector('.notice')?.remove()
      this.#place.prepend(section)
    }
    section.querySelector('ol')?.prepend(row)
  }

  /** Updates the names in built rows: a fountain may have been renamed, or its name redacted. */
  #rename(page: Page): void {
    for (const row of this.#place.querySelectorAll<HTMLElement>('[data-waypoint]:not([data-entry])')) {
      const fountain = this.#names.get(Number(row.dataset['waypoint']))
      const shown = row.querySelector('.entry-name bdi')
      if (!shown || !fountain) continue
      const isWhole = fountain.name !== '' || fountain.amenities.length > 0
      if (isWhole && shown.textContent !== page.title(fountain)) shown.textContent = page.title(fountain)
    }
  }
}
