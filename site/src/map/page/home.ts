import { workOffline } from '../../offline/register.ts'
import { Search } from '../../search/search.ts'
import { type Bounds, readConfig } from '../data/config.ts'
import { lastPressed, takeEarly } from './early.ts'
import { jsonReader } from './loading.ts'
import { followChanges } from '../../live/begin.ts'
import { FilterForm } from '../list/filter-form.ts'
import { FountainList } from '../list/fountain-list.ts'
import { ListPanel } from '../list/list-panel.ts'
import { MapPage } from './map-page.ts'
import { pageAsked } from './page-events.ts'
import { byId } from '../card/markup.ts'
import { SearchBox } from '../list/search-box.ts'

/** The home page's script: starts the map and the panel around it. */

const early = takeEarly(window)
const config = readConfig(document)
const page = new MapPage(config, { framed: false })
const search = new Search(jsonReader(config, 'search/'))

// Scripts that load later ask for the page by this event.
document.addEventListener(pageAsked, ({ detail }) => detail(page))

/** From this zoom on the middle of the map is an exact place. */
const distanceZoom = 8

const filterForm = byId('filter-form', HTMLFormElement)
const filters =
  filterForm &&
  new FilterForm({
    form: filterForm,
    badge: byId('filter-count', HTMLElement),
    onChange: (filter, bounds) => page.setFilter(filter, bounds),
  })
filters?.begin(page.filter, early)

const [form, input, results] = [
  byId('search', HTMLFormElement),
  byId('query', HTMLInputElement),
  byId('results', HTMLElement),
]
if (form && input && results) {
  const box = new SearchBox({
    form,
    input,
    results,
    status: page.status,
    search,
    wording: page.wording,
    from: () => (page.map && page.map.place.zoom >= distanceZoom ? page.map.place : undefined),
    onRegion: ([, , , , west, south, east, north]) => page.fit([west, south, east, north]),
    onFountain: (fountain) => void page.openAt(fountain),
  })
  box.start()
  page.onUpdated = () => box.refresh()
  if (early.some(({ type, target }) => type === 'submit' && target === form)) form.requestSubmit()
  else if (input.value !== '') input.dispatchEvent(new Event('input'))
}

const [section, heading, note, list] = [
  byId('list-section', HTMLElement),
  byId('list-heading', HTMLElement),
  byId('list-note', HTMLElement),
  byId('list', HTMLElement),
]
if (section && heading && note && list) {
  const panel = new ListPanel(
    page,
    new FountainList({
      section,
      heading,
      note,
      list,
      wording: page.wording,
      waiting: config.live?.words.waiting,
      address: (fountain) => page.addressOf(fountain),
      onChoose: (fountain) => void page.openAt(fountain),
    }),
    byId('directory', HTMLElement),
  )
  page.parts = panel
  byId('near-me', HTMLElement)?.addEventListener('click', () => panel.nearMe())
  byId('near-centre', HTMLElement)?.addEventListener('click', () => panel.nearCentre())
  lastPressed(early, ['near-me', 'near-centre'])?.click()
}

void begin()

async function begin(): Promise<void> {
  await page.start()
  void followChanges(page, search)
  void workOffline(page)
  await page.places().then(
    (places) => filters?.offer(places, (name, fountains) => page.wording.region(name, fountains)),
    // The filter then lacks its regions; the map reports the network error.
    () => undefined,
  )
  await showRegion()
}

/** An address with a region and no place shows the whole region. */
async function showRegion(): Promise<void> {
  const { region } = page.filter
  if (region === undefined || new URLSearchParams(page.firstSearch).has('at')) return
  const known = filters?.bounds ?? (await regionBounds(region))
  if (known) page.fit(known)
}

async function regionBounds(name: string): Promise<Bounds | undefined> {
  const { regions } = await search.find(name).catch(() => ({ regions: [] }))
  const [, , , , west, south, east, north] = regions.find(([found]) => found === name) ?? []
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return [west, south, east, north]
}
