import { elementBy } from '../../client/element-by.ts'
import { followChanges } from '../../live/follow.ts'
import { workOffline } from '../../offline/register.ts'
import { Search } from '../../search/search.ts'
import { extentOf } from '../../search/shard.ts'
import { readConfig } from '../data/config.ts'
import { FilterForm } from '../list/filter-form.tsx'
import { ListPanel } from '../list/list-panel.tsx'
import { SearchBox } from '../list/search-box.tsx'
import { Sheet } from '../list/sheet.ts'
import { jsonReader } from './loading.ts'
import { MapPage } from './map-page.tsx'

/** The home page's script: starts the map and the panel around it. */

declare global {
  interface Window {
    /** The events that the page's inline script has recorded, see `client/inline-scripts.ts`. */
    early?: Event[]
  }
}

/** Clicks, changes and submits in the panel from before this script ran, but for those that start a contribution. */
const early = (window.early ?? []).filter(
  ({ target }) =>
    target instanceof Element &&
    elementBy('#panel').contains(target) &&
    !target.closest('[data-contribute],a'),
)
delete window.early
/** Changed boxes with their current state. */
const changed = early.flatMap(({ type, target }) =>
  type === 'change' && target instanceof HTMLInputElement ? [{ target, checked: target.checked }] : [],
)

const config = readConfig(document)
const page = new MapPage(config, { framed: false })
const search = new Search(jsonReader(config, 'search/'))

// Scripts that load later ask for the page by this event.
document.addEventListener('openfountain:page', ({ detail }) => detail(page))

const sheet = new Sheet()
const filters = new FilterForm(page)
const box = new SearchBox(page, search, sheet)
const panel = new ListPanel(page, filters, sheet)
page.parts = {
  onIdle: () => void panel.show(),
  onUserMove: () => panel.leave(),
  onPress: (at) => panel.moveCircle(at),
  onUpdated: () => box.refresh(),
}
elementBy('#near-me').addEventListener('click', () => panel.nearMe())
elementBy('#near-centre').addEventListener('click', () => panel.nearCentre())
elementBy<HTMLInputElement>('#route').addEventListener('change', ({ currentTarget: input }) => {
  if (!(input instanceof HTMLInputElement)) return
  const [file] = input.files ?? []
  if (file) void panel.followRoute(file)
  input.value = ''
})
page.container.addEventListener('dragover', (event) => event.preventDefault())
page.container.addEventListener('drop', (event) => {
  event.preventDefault()
  const [file] = event.dataTransfer?.files ?? []
  if (file) void panel.followRoute(file)
})

for (const { target, checked } of changed) target.checked = checked
for (const { type, target } of early)
  target?.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))

void begin()

async function begin(): Promise<void> {
  await page.start().finally(() => {
    // Without a map there is the list by region.
    if (!page.map) sheet.show('full')
  })
  followChanges(page, search)
  void workOffline(page)
  await page.places().then(
    (places) => filters.offer(places),
    // The filter then lacks its regions; the map reports the network error.
    () => undefined,
  )
  await showRegion()
}

async function showRegion(): Promise<void> {
  const { region } = page.filter
  if (region === undefined || page.first.at) return
  if (filters.bounds) return page.fit(filters.bounds)
  const { regions } = await search.find(region).catch(() => ({ regions: [] }))
  const found = regions.find(([name]) => name === region)
  if (found) page.fit(extentOf(found))
}
