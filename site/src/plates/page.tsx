import { render } from 'preact'
import { elementBy } from '../client/element-by.ts'
import { ReadingError, readRows, type Row } from '../explore/data.ts'
import { choose, facetOf } from '../explore/facets.ts'
import { facetColumns, readSelection } from '../explore/selection.ts'
import { fill, formatFor } from '../messages.ts'
import { shownName, whereabouts } from '../naming.ts'
import type { PlateConfig } from './config.ts'
import { Plates } from './plate.ts'

/** Shows the plates of the fountains that the address selects: `id`s, or what the page to explore data understands. */

const config: PlateConfig = JSON.parse(elementBy('#plates-config').textContent)
const found = elementBy('#plates-found')
const button = elementBy<HTMLButtonElement>('#plates-print')

/** A fountain's number, its title in the language of the page, and its place. */
function plated({ id, name, name_is_generated: isMade, amenities, region, place }: Row) {
  const { tag, amenity } = config
  const fountain = {
    name: String(name),
    nameIsMade: isMade === true,
    amenities: Array.isArray(amenities) ? amenities.map(String) : [],
    region: String(region ?? ''),
    place: String(place ?? ''),
  }
  const title = shownName(fountain, { tag, amenity: (key) => amenity[key] ?? key })
  return { id: Number(id), title, where: whereabouts(fountain, tag).join(', ') }
}

async function show(): Promise<void> {
  found.textContent = config.loading
  const parameters = new URLSearchParams(location.search)
  const ids = parameters.getAll('id').map(Number)
  const all = await readRows(config.files)
  const facets = facetColumns.map((column) => facetOf(column, all))
  const fountains = choose(all, facets, readSelection(parameters)).rows.flatMap((row) =>
    ids.length === 0 || ids.includes(Number(row['id'])) ? [plated(row)] : [],
  )
  const { fountains: plural, none, registry, site, base, tag, words } = config
  found.textContent = fountains.length === 0 ? none : formatFor(tag).count(plural, fountains.length)
  render(
    <Plates {...{ fountains, registry, words }} site={site ?? `${location.origin}${base}`} />,
    elementBy('#plates'),
  )
  button.disabled = fountains.length === 0
}

button.addEventListener('click', () => print())
show().catch((error: unknown) => {
  if (!(error instanceof ReadingError)) throw error
  found.textContent = ''
  elementBy('#plates-problem').textContent = fill(config.problems[error.code], { reason: error.message })
})
