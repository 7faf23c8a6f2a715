import { Cells } from '../map/data/cells.ts'
import { jsonReader } from '../map/page/loading.ts'
import { writeState } from '../map/data/state.ts'
import { noFilter } from '../map/list/filter.ts'

/**
 * For addresses without a page: leads to the map when the address is that of a fountain which has no page of its own.
 * Every other page is reported as not found.
 */
const root = document.documentElement
const base = root.dataset['base'] ?? '/'
const missing = document.querySelector<HTMLElement>('.missing')
const looking = document.querySelector<HTMLElement>('.looking')

/** The fountain whose page the address would be. */
function fountainAsked(): number | undefined {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : ''
  const id = /^waypoint\/([1-9]\d{0,14})(?:\/|\/index\.html|\.html)?$/u.exec(path)?.[1]
  return id === undefined ? undefined : Number(id)
}

function mapWith(fountain: number): string {
  const { lang, dataset } = root
  const [first = lang] = (dataset['languages'] ?? lang).split(' ')
  // Set by labels.ts, which runs while the fountain is looked for.
  const language = dataset['wanted'] ?? lang
  const home = language === first ? base : `${base}${language}/`
  return `${home}${writeState({ filter: noFilter, fountain })}`
}

/** Whether the site has the fountain; true as well when that cannot be read now, because the map then says so. */
async function isThere(id: number, version: string): Promise<boolean> {
  try {
    return (await new Cells(jsonReader({ base, version }, 'map/cells/')).cellOf(id)) !== undefined
  } catch {
    return true
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
    if (await isThere(id, missing.dataset['version'] ?? '')) location.replace(mapWith(id))
    else show(missing, looking)
  }
  missing.classList.add('is-sure')
}
