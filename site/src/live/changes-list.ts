import { madeName } from '@openfountain/core/names'
import { siteOfPage } from '../api/site.ts'
import { effectIcons } from '../data/effects.ts'
import type { Effect } from '../data/entry.ts'
import { icon } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import type { Nameable } from '../naming.ts'
import { getJson } from './asking.ts'
import { isId, record, type LiveEntry } from './entries.ts'
import { valuesIn } from './fold.ts'
import type { LiveList } from './lists.ts'
import { nameIn, wordingOf, type Wording } from './wording.ts'

/** The number of entries that the server returns names with. */
const mostNamed = 50
/** The length of the built page. */
const mostShown = 200

/** Fields of the entry itself, not of the fountain. */
const entryFields: ReadonlySet<string> = new Set(['via', 'reason'])

/** Shows new changes on the page of changes, above those of the build. */
export class ChangesList implements LiveList {
  readonly #place: HTMLElement
  readonly #api: string
  /** Rows by the ids of their entries, oldest first. */
  readonly #rows = new Map<number, HTMLElement>()
  /** The inputs of the fountains' current names. */
  readonly #names = new Map<number, Nameable>()
  /** Names of the authors of entries, by user id; empty for a deleted account. */
  readonly #people = new Map<number, { readonly name: string; readonly isModerator: boolean }>()

  constructor(place: HTMLElement, api: string) {
    this.#place = place
    this.#api = api
  }

  async take(entries: readonly LiveEntry[]): Promise<void> {
    const found = entries.filter(({ subject, subjectId }) => subject === 'waypoint' && isId(subjectId))
    if (found.length === 0) return
    const { base, tag } = siteOfPage()
    const wording = await wordingOf({ base, tag })
    for (const { subjectId, fields } of found) {
      const { name, amenities = [] } = valuesIn(fields)
      if (name !== undefined) this.#names.set(Number(subjectId), { name, amenities })
    }
    await this.#readNames()
    for (const entry of found.slice(-mostShown))
      if (!this.#rows.has(entry.id)) this.#add(entry, wording, base)
    for (const [id, row] of this.#rows) {
      if (this.#rows.size <= mostShown) break
      row.remove()
      this.#rows.delete(id)
    }
    this.#rename()
  }

  /** Reads the names of the fountains and the authors of the newest entries. */
  async #readNames(): Promise<void> {
    const { json } = await getJson(`${this.#api}/logs/recent?limit=${mostNamed}`)
    const logs = record(json)?.['logs']
    for (const one of Array.isArray(logs) ? logs : []) {
      const { id, bubblerId, user, waypoint } = record(one) ?? {}
      const { name } = valuesIn(record(waypoint) ?? {})
      if (isId(bubblerId) && name !== undefined)
        this.#names.set(bubblerId, { amenities: [], ...this.#names.get(bubblerId), name })
      const { name: person, badge } = record(user) ?? {}
      if (isId(id))
        this.#people.set(id, {
          name: typeof person === 'string' ? person : '',
          isModerator: badge === 'moderator',
        })
    }
  }

  #add(entry: LiveEntry, wording: Wording, base: string): void {
    const row = this.#rowOf(entry, wording, base)
    this.#rows.set(entry.id, row)
    const day = entry.at.slice(0, 10)
    const known = [...this.#place.querySelectorAll('section.day')].find(
      (section) => section.querySelector('h2 time')?.getAttribute('datetime') === day,
    )
    const section =
      known ??
      element(
        'section',
        { class: 'day' },
        element('h2', {}, element('time', { datetime: day }, wording.format.date(day))),
        element('ol', { class: 'timeline' }),
      )
    if (!known) {
      this.#place.querySelector('.notice')?.remove()
      this.#place.prepend(section)
    }
    section.querySelector('ol')?.prepend(row)
  }

  #rowOf(entry: LiveEntry, wording: Wording, base: string): HTMLElement {
    const { strings, format, prefix } = wording
    const { at, fields, links = {}, mergedInto } = entry
    const id = Number(entry.subjectId)
    const effect = effectOf(entry)
    const isGone = effect === 'deleted' || effect === 'merged'
    const name = element('bdi', {}, this.#nameOf(id, wording))
    const address = (fountain: number) =>
      this.#builtAddress(fountain) ?? `${base}${prefix}?fountain=${fountain}`
    const changed =
      entry.action === 'edited'
        ? Object.keys(fields).flatMap((field) =>
            entryFields.has(field) ? [] : [strings[`field.${field}`] ?? field],
          )
        : []
    const what = strings[`action.${effect}`] ?? effect
    return element(
      'li',
      { class: `entry entry-${effect}`, 'data-waypoint': String(id) },
      element('span', { class: 'entry-icon' }, icon(effectIcons[effect])),
      element(
        'div',
        { class: 'entry-text' },
        isGone
          ? element('span', { class: 'entry-name' }, name)
          : element('a', { class: 'entry-name', href: address(id) }, name),
        element(
          'span',
          { class: 'entry-what' },
          what,
          ...(mergedInto === undefined
            ? []
            : [
                ' ',
                element(
                  'a',
                  { href: address(mergedInto) },
                  element('bdi', {}, this.#nameOf(mergedInto, wording)),
                ),
              ]),
          changed.length === 0 ? undefined : `: ${changed.join(', ')}`,
          links['reverts'] === undefined ? undefined : ` · ${strings['waypoint.reverts'] ?? ''}`,
        ),
        element(
          'span',
          { class: 'entry-meta' },
          element('time', { datetime: at }, format.time(at)),
          ' ',
          this.#personOf(entry, strings),
        ),
      ),
    )
  }

  #personOf({ id, by }: LiveEntry, strings: Wording['strings']): Node | undefined {
    if (by === 'api') return element('span', {}, strings['contributors.system'])
    const person = this.#people.get(id)
    if (person === undefined) return undefined
    const { name, isModerator } = person
    if (name === '') return element('span', {}, strings['contributors.former'])
    const badge = element('span', { class: 'moderator' }, strings['contributors.moderator'])
    return element('span', {}, element('bdi', {}, name), ...(isModerator ? [' ', badge] : []))
  }

  #nameOf(id: number, wording: Wording): string {
    const built = this.#place.querySelector(`[data-waypoint="${id}"] .entry-name`)?.textContent
    const known = this.#names.get(id)
    return known === undefined ? (built ?? `#${id}`) : nameIn(wording, known)
  }

  /** The address of a fountain on the built page. */
  #builtAddress(id: number): string | undefined {
    return (
      this.#place.querySelector(`[data-waypoint="${id}"] a.entry-name`)?.getAttribute('href') ?? undefined
    )
  }

  /** Updates the names in all rows: a fountain may have been renamed, or its name redacted. */
  #rename(): void {
    for (const row of this.#place.querySelectorAll<HTMLElement>('[data-waypoint]')) {
      const { name } = this.#names.get(Number(row.dataset['waypoint'])) ?? {}
      const shown = row.querySelector('.entry-name bdi')
      // Generated names are not shown as they are, and the row has more facts for a title than the log.
      if (!shown || name === undefined || madeName(name)) continue
      if (shown.textContent !== name) shown.textContent = name
    }
  }
}

/** The effect of an entry, as the built pages name it. */
function effectOf({ action, links = {}, mergedInto }: LiveEntry): Effect {
  if (links['restores'] !== undefined) return 'restored'
  if (mergedInto !== undefined) return 'merged'
  return Object.hasOwn(effectIcons, action) ? (action as Effect) : 'edited'
}
