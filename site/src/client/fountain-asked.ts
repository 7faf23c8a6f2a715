import { writeState } from '../map/data/state.ts'
import { noFilter } from '../map/list/filter.ts'

const root = document.documentElement
const base = root.dataset['base'] ?? '/'

/** The id of the fountain in the page's address. */
export function fountainAsked(): number | undefined {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : ''
  const id = /^waypoint\/([1-9]\d{0,14})(?:\/|\/index\.html|\.html)?$/u.exec(path)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The address of the map that shows a fountain, in the visitor's language. */
export function mapWith(fountain: number): string {
  const { lang, dataset } = root
  const [first = lang] = (dataset['languages'] ?? lang).split(' ')
  // Set by labels.ts, which runs during the request for the fountain.
  const language = dataset['wanted'] ?? lang
  const home = language === first ? base : `${base}${language}/`
  return `${home}${writeState({ filter: noFilter, fountain })}`
}
