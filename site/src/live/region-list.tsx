import type { Waypoint } from '../data/records.ts'
import type { Stages } from '../status/stage.ts'
import { onPage } from '../views/on-page.tsx'
import type { Page } from '../views/page.ts'
import { placed } from '../views/placed.ts'
import { FountainRow, type RowData } from '../views/row.tsx'
import { siteOfPage } from '../api/site.ts'
import { getJson } from './asking.ts'
import { isId, record, type LiveEntry } from './entries.ts'
import { foldChange, type Change } from './fold.ts'
import { rowNow } from './row-now.ts'
import type { LiveList } from './lists.ts'
import { pageNow } from './page.ts'
import { stageIn } from './status.ts'

/** The number of changed fountains that are read, the last changed ones. */
const mostRead = 100

/** Shows changes since the build in the table of a region. */
export class RegionList implements LiveList {
  readonly #table: HTMLElement
  readonly #region: string
  /** Whether fountains without a region are here, by the place around them. */
  readonly #isByPlace: boolean
  /** Whether every fountain of the build has a page. */
  readonly #isEveryBuilt: boolean
  readonly #page: number
  readonly #pages: number
  readonly #changes = new Map<number, Change>()
  /** Rows by fountain id, including removed ones. */
  readonly #rows = new Map<number, HTMLElement>()
  readonly #holders = new Map<number, HTMLElement>()

  constructor(place: HTMLElement) {
    const { region = '', pageOf = '1 1', byPlace, every } = place.dataset
    const [page = 1, pages = 1] = pageOf.split(' ').map(Number)
    this.#table = place.querySelector('tbody') ?? place
    this.#region = region
    this.#isByPlace = byPlace !== undefined
    this.#isEveryBuilt = every !== undefined
    this.#page = page
    this.#pages = pages
    for (const row of place.querySelectorAll<HTMLElement>('tr[data-waypoint]'))
      this.#rows.set(Number(row.dataset['waypoint']), row)
  }

  async take(entries: readonly LiveEntry[], signal: AbortSignal): Promise<void> {
    const ids = new Set<number>()
    for (const entry of entries) {
      const { subject, subjectId, fields } = entry
      const id = subject === 'waypoint' ? subjectId : fields['waypoint']
      if (!isId(id)) continue
      if (subject === 'waypoint') this.#changes.set(id, foldChange(this.#changes.get(id), entry))
      ids.add(id)
    }
    const touched = [...ids].filter((id) => this.#rows.has(id) || this.#belongs(this.#changes.get(id)))
    if (touched.length === 0) return
    const page = await pageNow()
    for (const id of touched.slice(-mostRead)) await this.#show(id, page, signal)
    this.#count(page)
  }

  /** Whether a change puts the fountain into the region of this page. */
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
    const now = await this.#read(id, change, known, signal)
    if (!now) return
    const isByPlace = this.#isByPlace && !now.region
    if (!isByPlace && (now.region ?? '') !== this.#region) return known?.remove()
    const holder = this.#holders.get(id) ?? document.createElement('tbody')
    this.#holders.set(id, holder)
    const row = placed(onPage(page, <FountainRow row={now} />), holder)
    this.#rows.set(id, row)
    if (known?.isConnected && known !== row) known.replaceWith(row)
    this.#insert(row, page)
  }

  /** A fountain as it is now; undefined when it is gone meanwhile. */
  async #read(
    id: number,
    change: Change | undefined,
    known: HTMLElement | undefined,
    signal: AbortSignal,
  ): Promise<RowData | undefined> {
    const { json } = await getJson(`${siteOfPage().api}/waypoints/${id}?include=rating`, signal)
    const found = record(json)
    if (!record(found?.['waypoint'])) return undefined
    const row = rowNow({} as Waypoint, found ?? {})
    const stage = stageIn(found?.['status'], row.season ?? undefined)
    const stages: Stages = stage ? [stage] : []
    const isBuilt = known?.querySelector('a[href*="waypoint/"]') != null
    return { ...row, stages, hasPage: isBuilt || (this.#isEveryBuilt && change?.isWhole !== true) }
  }

  /** Moves a row to its place in the order of names; one that belongs on another page of the list is left out. */
  #insert(row: HTMLElement, { format }: Page): void {
    row.remove()
    const rows = [...this.#table.querySelectorAll<HTMLElement>('tr[data-waypoint]')]
    const next = rows.find((other) => format.compare(nameOf(other), nameOf(row)) > 0)
    if (next === rows[0] && rows.length > 0 && this.#page > 1) return
    if (next === undefined && this.#page < this.#pages) return
    if (next) next.before(row)
    else this.#table.append(row)
  }

  /** Counts the shown rows, where they are the whole region. */
  #count({ counts, format }: Page): void {
    const place = document.querySelector('#region-counts')
    const isWhole = this.#table.closest<HTMLElement>('[data-whole]') !== null
    const { fountains, verified } = counts
    if (!place || !isWhole || !fountains || !verified) return
    const all = this.#table.querySelectorAll('tr[data-waypoint]').length
    const some = this.#table.querySelectorAll('.is-verified').length
    place.textContent = `${format.count(fountains, all)}, ${format.count(verified, some)}`
  }
}

const nameOf = (row: HTMLElement): string => row.querySelector('.row-name bdi')?.textContent ?? ''
