import { workOffline } from '../offline/register.ts'
import { Search } from '../search/search.ts'
import { readConfig } from './config.ts'
import { jsonReader } from './loading.ts'
import { FilterForm } from './filter-form.ts'
import { FountainList } from './fountain-list.ts'
import { ListPanel } from './list-panel.ts'
import { MapPage } from './map-page.ts'
import { byId } from './markup.ts'
import { SearchBox } from './search-box.ts'

/** The home page's script: puts the map and what surrounds it to work. */

const config = readConfig(document)
const page = new MapPage(config, { framed: false })

const filterForm = byId('filter-form', HTMLFormElement)
const filters =
  filterForm &&
  new FilterForm({
    form: filterForm,
    badge: byId('filter-count', HTMLElement),
    onChange: (filter, bounds) => page.setFilter(filter, bounds),
  })
filters?.set(page.filter)

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
    search: new Search(jsonReader(config, 'search/')),
    wording: page.wording,
    onRegion: ([, , , , ...bounds]) => page.map?.fit(bounds),
    onFountain: (fountain) => void page.openAt(fountain),
  })
  box.start()
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
      address: (fountain) => page.addressOf(fountain),
      onChoose: (fountain) => void page.openAt(fountain),
    }),
    byId('directory', HTMLElement),
  )
  page.parts = panel
  byId('near-me', HTMLElement)?.addEventListener('click', () => panel.nearMe())
  byId('near-centre', HTMLElement)?.addEventListener('click', () => void panel.nearCentre())
}

await page.start()
void workOffline(page)
const region = filters?.bounds
if (region && !location.search.includes('at=')) page.map?.fit(region)
