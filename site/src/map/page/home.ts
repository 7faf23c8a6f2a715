import { elementBy } from '../../client/element-by.ts'
import { followChanges } from '../../live/follow.ts'
import { workOffline } from '../../offline/register.ts'
import { Search } from '../../search/search.ts'
import type { RegionEntry } from '../../search/shard.ts'
import { readConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { FilterForm } from '../list/filter-form.tsx'
import { ListPanel } from '../list/list-panel.tsx'
import { SearchBox } from '../list/search-box.tsx'
import { jsonReader } from './loading.ts'
import { MapPage } from './map-page.ts'

/** The home page's script: starts the map and the panel around it. */

declare global {
  interface Window {
    /** The events that the page's inline script has recorded, see `client/early-script.ts`. */
    early?: Event[]
  }
}

/** Clicks, changes and submits from before this script ran, oldest first. Later ones are not recorded. */
const early = window.early ?? []
delete window.early

const config = readConfig(document)
const page = new MapPage(config, { framed: false })
const { words } = page
const search = new Search(jsonReader(config, 'search/'))

// Scripts that load later ask for the page by this event.
document.addEventListener('openfountain:page', ({ detail }) => detail(page))

/** From this zoom on the middle of the map is an exact place. */
const distanceZoom = 8

const filters = new FilterForm(
  {
    form: elementBy('#filter-form'),
    badge: elementBy('#filter-count'),
    words,
    onChange: (filter, bounds) => page.setFilter(filter, bounds),
  },
  page.filter,
  early,
)

const [form, input] = [elementBy<HTMLFormElement>('#search'), elementBy<HTMLInputElement>('#query')]
const box = new SearchBox({
  form,
  input,
  results: elementBy('#results'),
  status: page.status,
  search,
  words,
  from: () => (page.map && page.map.place.zoom >= distanceZoom ? page.map.place : undefined),
  onRegion: (region) => page.fit(boundsOf(region)),
  onFountain: (fountain) => void page.openAt(fountain),
})
page.onUpdated = () => box.refresh()
if (early.some(({ type, target }) => type === 'submit' && target === form)) form.requestSubmit()
else if (input.value !== '') input.dispatchEvent(new Event('input'))

const panel = new ListPanel(page, elementBy('#list-section'), elementBy('#directory'), (filter) => {
  filters.set(filter)
  page.setFilter(filter)
})
page.parts = panel
const nearButtons = { 'near-me': () => panel.nearMe(), 'near-centre': () => panel.nearCentre() }
for (const [id, press] of Object.entries(nearButtons)) elementBy(`#${id}`).addEventListener('click', press)
early
  .filter(({ type }) => type === 'click')
  .map(({ target }) => (target instanceof Element ? target.closest<HTMLElement>('button[id]') : null))
  .findLast((button) => button !== null && button.id in nearButtons)
  ?.click()

void begin()

async function begin(): Promise<void> {
  await page.start()
  followChanges(page, search)
  void workOffline(page)
  await page.places().then(
    (places) => filters.offer(places),
    // The filter then lacks its regions; the map reports the network error.
    () => undefined,
  )
  await showRegion()
}

/** An address with a region and no place shows the whole region. */
async function showRegion(): Promise<void> {
  const { region } = page.filter
  if (region === undefined || new URLSearchParams(page.firstSearch).has('at')) return
  if (filters.bounds) return page.fit(filters.bounds)
  const { regions } = await search.find(region).catch(() => ({ regions: [] }))
  const found = regions.find(([name]) => name === region)
  if (found) page.fit(boundsOf(found))
}

function boundsOf([, , , , west, south, east, north]: RegionEntry): Bounds {
  return [west, south, east, north]
}
