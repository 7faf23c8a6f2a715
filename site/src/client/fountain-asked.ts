import { pageAddress, siteOfPage } from '../api/site.ts'
import { writeState } from '../map/data/state.ts'

export function fountainAsked(): number | undefined {
  const { base } = siteOfPage()
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : ''
  const id = /^waypoint\/([1-9]\d{0,14})(?:\/|\/index\.html|\.html)?$/u.exec(path)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The address of the map that shows a fountain, in the visitor's language, which labels.ts sets meanwhile. */
export const mapWith = (fountain: number): string =>
  pageAddress(writeState({ fountain }), document.documentElement.dataset['wanted'])
