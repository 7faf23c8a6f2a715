import { siteOfPage } from '../api/site.ts'
import type { AnyEntry } from '../data/entry.ts'
import type { Position } from '../map/page/position.ts'
import type { Town } from '../naming.ts'
import { onPage } from '../views/on-page.tsx'
import type { Page } from '../views/page.ts'
import { placed } from '../views/placed.ts'
import { FountainRow, tellingOf, type Telling } from '../views/row.tsx'
import { foldInto, type Change, type Changes } from './fold.ts'
import { pageNow } from './page.ts'
import { rowNow } from './row-now.ts'
import { fountainOfPhoto, readFountain } from './answers.ts'

/** The number of changed fountains that are read, the last changed ones. */
const mostRead = 100

export class RegionList {
  readonly #table: HTMLElement
  readonly #region: string
  readonly #town?: Town
  readonly #middle: Position
  /** Whether fountains without a region are here, by the place around them. */
  readonly #isByPlace: boolean
  readonly #isEveryBuilt: boolean
  /** Whether the table has all of the region. */
  readonly #isWhole: boolean
  readonly #page: number
  readonly #pages: number
  readonly #changes: Changes = new Map()
  readonly #rows = new Map<number, HTMLElement>()
  readonly #holders = new Map<number, HTMLElement>()

  constructor(place: HTMLElement) {
    const { region = '', town, middle = '0 0', pageOf = '1 1', byPlace, every, whole } = place.dataset
    const [page = 1, pages = 1] = pageOf.split(' ').map(Number)
    this.#table = place.querySelector('tbody') ?? place
    this.#region = region
    if (town !== undefined) this.#town = JSON.parse(town) as Town
    const [latitude = 0, longitude = 0] = middle.split(' ').map(Number)
    this.#middle = { latitude, longitude }
    this.#isByPlace = byPlace !== undefined
    this.#isEveryBuilt = every !== undefined
    this.#isWhole = whole !== undefined
    this.#page = page
    this.#pages = pages
    for (const row of place.querySelectorAll<HTMLElement>('tr[data-waypoint]'))
      this.#rows.set(Number(row.dataset['waypoint']), row)
  }

  /** Shows entries; the same ones may come twice. @throws when something cannot be read */
  async take(entries: readonly AnyEntry[], signal: AbortSignal): Promise<void> {
    const ids = [...foldInto(this.#changes, entries)]
    for (const { subject, subjectId, action } of entries) {
      if (subject !== 'photo') continue
      const row = this.#table.querySelector<HTMLElement>(`tr[data-photo="${Number(subjectId)}"]`)
      ids.push(Number(row?.dataset['waypoint']))
      if (action === 'shown')
        ids.push(Number(await fountainOfPhoto(siteOfPage().api, Number(subjectId), signal)))
    }
    const touched = ids.filter((id) => this.#rows.has(id) || this.#belongs(this.#changes.get(id)))
    if (touched.length === 0) return
    const page = await pageNow()
    for (const id of touched.slice(-mostRead)) await this.#show(id, page, signal)
    if (this.#isWhole) this.#count(page)
  }

  #belongs(change: Change | undefined): boolean {
    if (!change || change.isGone) return false
    const { values, isWhole } = change
    // The log lacks the place around a fountain.
    const isNamed = values.region !== undefined || !this.#isByPlace
    return isNamed && (isWhole || 'region' in values) && (values.region ?? '') === this.#region
  }

  async #show(id: number, page: Page, signal: AbortSignal): Promise<void> {
    const change = this.#changes.get(id)
    const known = this.#rows.get(id)
    if (change?.isGone) return known?.remove()
    const now = {
      ...rowNow(await readFountain(siteOfPage().api, id, signal)),
      ...(known && { town: this.#town }),
      ...(known && !('latitude' in (change?.values ?? {})) && { street: known.dataset['street'] }),
    }
    const isByPlace = this.#isByPlace && !now.region
    if (!isByPlace && (now.region ?? '') !== this.#region) return known?.remove()
    const isBuilt = known?.querySelector('a[href*="waypoint/"]') != null
    const hasPage = isBuilt || (this.#isEveryBuilt && change?.isWhole !== true)
    const holder = this.#holders.get(id) ?? document.createElement('tbody')
    this.#holders.set(id, holder)
    const built = known?.dataset['telling'] as Telling
    const telling = built ?? tellingOf(page, [{ ...now, hasPage }], this.#middle)[0]
    const view = <FountainRow row={{ ...now, hasPage }} middle={this.#middle} telling={telling} />
    const row = placed(onPage(page, view), holder)
    if (telling) document.querySelector('#from-middle')?.removeAttribute('hidden')
    this.#rows.set(id, row)
    if (known !== row) known?.remove()
    this.#insert(row, page)
  }

  /** Moves a row to its place in the order of names, private ones last; one that belongs on another page of the list is left out. */
  #insert(row: HTMLElement, { format }: Page): void {
    row.remove()
    const rows = [...this.#table.querySelectorAll<HTMLElement>('tr[data-waypoint]')]
    const next = rows.find(
      (other) =>
        (Number(isPrivate(other)) - Number(isPrivate(row)) || format.compare(nameOf(other), nameOf(row))) > 0,
    )
    if (next === rows[0] && rows.length > 0 && this.#page > 1) return
    if (next === undefined && this.#page < this.#pages) return
    if (next) next.before(row)
    else this.#table.append(row)
  }

  #count({ counts, format }: Page): void {
    const place = document.querySelector('#region-counts')
    const { fountains, verified } = counts
    if (!place || !fountains || !verified) return
    const all = this.#table.querySelectorAll('tr[data-waypoint]').length
    const some = this.#table.querySelectorAll('.is-verified').length
    place.textContent = `${format.count(fountains, all)}, ${format.count(verified, some)}`
  }
}

const isPrivate = (row: HTMLElement): boolean => row.dataset['access'] === 'private'
const nameOf = (row: HTMLElement): string => row.querySelector('.row-name bdi')?.textContent ?? ''
