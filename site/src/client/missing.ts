import { Cells } from '../map/data/cells.ts'
import { jsonReader } from '../map/page/loading.ts'
import { fountainAsked, mapWith } from './fountain-asked.ts'

/** An address without a page leads to the map when it is that of a fountain; with an API also of a new or a merged one. */
const root = document.documentElement
const base = root.dataset['base'] ?? '/'
const missing = document.querySelector<HTMLElement>('.missing')
const looking = document.querySelector<HTMLElement>('.looking')

/** The place of the fountain: on the map, merged into another one, or none. */
async function placeOf(id: number, version: string): Promise<'map' | 'nowhere' | number> {
  try {
    const cells = new Cells(jsonReader({ base, version }, 'map/cells/'))
    if ((await cells.cellOf(id)) !== undefined) return 'map'
    const { api } = root.dataset
    if (!import.meta.env.WITH_API || api === undefined) return 'nowhere'
    const { stateNow } = await import('../live/pages.ts')
    const { isGone, mergedInto } = await stateNow(api, id)
    return isGone ? (mergedInto ?? 'nowhere') : 'map'
  } catch {
    // The map shows an error when the data cannot be read now.
    return 'map'
  }
}

function show(shown: HTMLElement, instead: HTMLElement): void {
  shown.hidden = false
  instead.hidden = true
}

if (missing && looking) {
  const id = fountainAsked()
  if (id !== undefined) {
    show(looking, missing)
    const place = await placeOf(id, missing.dataset['version'] ?? '')
    if (place === 'nowhere') show(missing, looking)
    else location.replace(place === 'map' ? mapWith(id) : `${base}waypoint/${place}/`)
  }
  missing.classList.add('is-sure')
}
