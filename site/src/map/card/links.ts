import { mapApps } from './apps.ts'
import { element } from './markup.ts'
import type { Fountain } from '../data/cell.ts'
import type { MapStrings } from '../data/config.ts'
import { objectLinks } from '../../views/origin.ts'

/** External links of a card, each in a new tab. */

const away = (href: string, text: Node | string): HTMLElement =>
  element('a', { href, rel: 'noopener noreferrer', target: '_blank' }, text)

/** The map apps that can open a fountain. */
export function appsOf(fountain: Fountain, { waypoint }: MapStrings): HTMLElement {
  const page = fountain.object === undefined ? undefined : objectLinks(fountain.object).href
  return element(
    'p',
    { class: 'card-apps' },
    `${waypoint.openIn} `,
    ...mapApps(fountain, page).flatMap(({ name, href }, place) => [
      place === 0 ? undefined : ' · ',
      away(href, element('bdi', {}, name)),
    ]),
  )
}

/** The sources of a fountain, with its OpenStreetMap object and the link to edit it. */
export function sourceOf({ source, object }: Fountain, { waypoint }: MapStrings): string | Node {
  const name = source ?? waypoint.sourceHere
  if (object === undefined) return name
  const { href, edit } = objectLinks(object)
  return element(
    'span',
    {},
    element('bdi', {}, name),
    ' · ',
    away(href, element('bdi', {}, object)),
    ' · ',
    away(edit, waypoint.osmEdit),
  )
}
