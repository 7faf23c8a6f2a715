import { siteOfPage } from '../api/site.ts'
import { icon, kindOf, kinds } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import { getJson } from './asking.ts'
import { isId, record, type LiveEntry } from './entries.ts'
import { changeTo, foldChange, type Change, type ShownFields } from './fold.ts'
import type { LiveList } from './lists.ts'
import { besideName } from '../naming.ts'
import { nameIn, wordingOf, type Wording } from './wording.ts'

/** Fountains that came from another region are read one by one, at most this number. */
const mostRead = 50
/** The number of amenity icons in a row, as in built rows. */
const mostIcons = 6

/** Shows changes since the build in the table of a region. */
export class RegionList implements LiveList {
  readonly #table: HTMLElement
  readonly #api: string
  readonly #region: string
  /** Whether fountains without a region are here, by the place around them. */
  readonly #isByPlace: boolean
  readonly #page: number
  readonly #pages: number
  readonly #changes = new Map<number, Change>()
  /** Rows by fountain id, including hidden ones. */
  readonly #rows = new Map<number, HTMLTableRowElement>()
  readonly #read = new Set<number>()

  constructor(place: HTMLElement, api: string) {
    const { region = '', pageOf = '1 1', byPlace } = place.dataset
    const [page = 1, pages = 1] = pageOf.split(' ').map(Number)
    this.#table = place.querySelector('tbody') ?? place
    this.#api = api
    this.#region = region
    this.#isByPlace = byPlace !== undefined
    this.#page = page
    this.#pages = pages
    for (const row of place.querySelectorAll<HTMLTableRowElement>('tr[data-waypoint]'))
      this.#rows.set(Number(row.dataset['waypoint']), row)
  }

  async take(entries: readonly LiveEntry[]): Promise<void> {
    const ids = new Set<number>()
    for (const entry of entries) {
      const { subject, subjectId: id } = entry
      if (subject !== 'waypoint' || !isId(id)) continue
      this.#changes.set(id, foldChange(this.#changes.get(id), entry))
      ids.add(id)
    }
    const touched = [...ids].filter((id) => this.#rows.has(id) || this.#belongs(this.#changes.get(id)))
    if (touched.length === 0) return
    const { base, tag } = siteOfPage()
    const wording = await wordingOf({ base, tag })
    for (const id of touched) {
      await this.#complete(id)
      this.#show(id, wording, base)
    }
    this.#count(wording)
  }

  /** Whether a change puts the fountain into the region of this page. */
  #belongs(change: Change | undefined): boolean {
    if (!change || change.isGone) return false
    const { values, isWhole } = change
    // The log lacks the place around a fountain.
    const isNamed = values.region !== undefined || !this.#isByPlace
    return isNamed && (isWhole || 'region' in values) && (values.region ?? '') === this.#region
  }

  /** Reads a fountain that came from another region: its entries only have the changed fields. */
  async #complete(id: number): Promise<void> {
    const change = this.#changes.get(id)
    if (!change || change.isWhole || change.isGone || this.#rows.has(id)) return
    if (this.#read.has(id) || this.#read.size >= mostRead) return
    const { json } = await getJson(`${this.#api}/waypoints/${id}`)
    this.#read.add(id)
    const whole = changeTo(record(json)?.['waypoint'], change.at)
    if (whole) this.#changes.set(id, whole)
  }

  #show(id: number, wording: Wording, base: string): void {
    const change = this.#changes.get(id)
    if (!change) return
    const { values, isGone, isWhole, at } = change
    const known = this.#rows.get(id)
    const isByPlace = this.#isByPlace && !values.region
    const isElsewhere =
      !isByPlace && (isWhole || 'region' in values) && (values.region ?? '') !== this.#region
    if (isGone || isElsewhere) return known?.remove()
    if (!known && !isWhole) return
    const row = known ?? emptyRow(id, `${base}${wording.prefix}?fountain=${id}`)
    fill(row, values, at.slice(0, 10), wording)
    this.#rows.set(id, row)
    if (!row.isConnected) this.#insert(row, wording)
  }

  /** Inserts a row in the order of names; one that belongs on another page of the list is left out. */
  #insert(row: HTMLTableRowElement, { format }: Wording): void {
    const rows = [...this.#table.querySelectorAll<HTMLTableRowElement>('tr[data-waypoint]')]
    const next = rows.find((other) => format.compare(nameOf(other), nameOf(row)) > 0)
    if (next === rows[0] && rows.length > 0 && this.#page > 1) return
    if (next === undefined && this.#page < this.#pages) return
    if (next) next.before(row)
    else this.#table.append(row)
  }

  /** Counts the shown rows, where they are the whole region. */
  #count({ counts, format }: Wording): void {
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

function emptyRow(id: number, href: string): HTMLTableRowElement {
  return element(
    'tr',
    { 'data-waypoint': String(id) },
    element('th', { scope: 'row' }, element('a', { class: 'row-name', href }, icon('water'), element('bdi'))),
    element('td', { class: 'wide-only' }, element('span', { class: 'row-icons' })),
    element('td', { class: 'number' }),
    element('td', { class: 'wide-only quiet' }, element('time')),
  )
}

/** Writes the known values of a fountain into its row; other cells stay. */
function fill(row: HTMLTableRowElement, values: Partial<ShownFields>, day: string, wording: Wording): void {
  const { name, amenities, region, verified } = values
  const { strings, format } = wording
  const shown = row.querySelector('.row-name bdi')
  if (shown && name !== undefined)
    shown.textContent = nameIn(wording, { name, amenities: amenities ?? [], region })
  if (amenities !== undefined) {
    row.querySelector('.row-name .icon')?.replaceWith(icon(kindOf(amenities) ?? 'water'))
    const beside = name === undefined ? amenities : besideName({ name, amenities }, kinds).amenities
    row.querySelector('.row-icons')?.replaceChildren(
      ...beside.slice(0, mostIcons).map((key) => {
        const text = strings[`amenity.${key}`] ?? key
        return element('span', { title: text }, named(icon(key), text))
      }),
    )
  }
  const mark = row.querySelector('.is-verified')
  if (verified === false) mark?.remove()
  if (verified === true && !mark) {
    const drawn = named(icon('verified'), strings['waypoint.verified'] ?? '')
    drawn.classList.add('is-verified')
    row.querySelector('th')?.append(' ', drawn)
  }
  const time = row.querySelector('time')
  if (time && day > time.dateTime.slice(0, 10)) {
    time.dateTime = day
    time.textContent = format.date(day)
  }
}

/** An icon with an accessible label, where no text beside it has the same meaning. */
function named(drawn: SVGElement, text: string): SVGElement {
  drawn.removeAttribute('aria-hidden')
  drawn.setAttribute('role', 'img')
  drawn.setAttribute('aria-label', text)
  return drawn
}
