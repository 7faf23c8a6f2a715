import { attributionLine } from '@openfountain/core'
import { xmlElement, xmlText } from '@openfountain/core/internal'
import { amenityOf } from '@openfountain/core/vocabulary'
import { licenceOf } from '../../licences/licences.ts'
import { counted, textFormat } from '../format.ts'
import type { WaypointRecord } from '../snapshot.ts'
import { waypointTable, type ListedWaypoint } from '../tables/waypoints.ts'

/** The names of Garmin's symbols and types, by whether the water is for drinking. */
const drinking = { symbol: 'Drinking Water', type: 'drinking water' }
const undrinkable = { symbol: 'Water Source', type: 'water not for drinking' }

export const drinkableLabels = {
  yes: 'Declared to be drinking water',
  no: 'Not drinking water',
  unsigned: 'Not signed as drinking water',
} as const satisfies Record<NonNullable<WaypointRecord['drinkable']>, string>

/** https://creativecommons.org/ns */
const creativeCommons = 'http://creativecommons.org/ns#'

/** https://www.topografix.com/GPX/1/1/ */
export const gpx = textFormat({
  name: 'gpx',
  file: 'waypoints.gpx',
  mediaType: 'application/gpx+xml',
  title: 'GPX for hiking devices',
  subject: 'waypoints',
  isDaily: true,
  holds:
    'Name, position, description with amenities and whether the water is for drinking, picture, source, a symbol, and the licence and the attribution of rows under another licence than the file’s.',
  loses: 'Flags, region, maintainer, rating and tags; characters that XML cannot hold become U+FFFD.',
  *text(edition, tally) {
    const { publisher, snapshot, license, attributions } = edition
    const links = new Map(attributions.flatMap(({ parties }) => parties.map(({ name, url }) => [url, name])))
    yield (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<gpx version="1.1" creator="openfountain" xmlns="http://www.topografix.com/GPX/1/1">\n<metadata>' +
        xmlElement('name', publisher.name) +
        `<author>${xmlElement('name', publisher.author)}</author>` +
        `<copyright author="${xmlText(attributionLine(attributions))}">${xmlElement('license', licenceOf(license)?.url)}</copyright>` +
        Array.from(links, ([url, name]) => linkElement(url, name)).join('') +
        xmlElement('time', snapshot.dataTime) +
        '</metadata>\n'
    )
    for (const listed of counted(waypointTable.rows(edition), tally)) yield waypointElement(listed, license)
    yield '</gpx>\n'
  },
})

function waypointElement({ record, terms }: ListedWaypoint, license: string): string {
  const { symbol, type } = record.drinkable === 'no' ? undrinkable : drinking
  return (
    `<wpt lat="${decimal(record.latitude)}" lon="${decimal(record.longitude)}">` +
    xmlElement('time', record.updatedAt) +
    xmlElement('name', record.name) +
    xmlElement('desc', descriptionOf(record)) +
    xmlElement('src', terms.sources.length === 0 ? undefined : [...new Set(terms.sources)].join('; ')) +
    linkElement(record.image, 'Picture') +
    xmlElement('sym', symbol) +
    xmlElement('type', type) +
    (terms.license === license ? '' : termsElement(terms)) +
    '</wpt>\n'
  )
}

function termsElement({ license, attribution }: ListedWaypoint['terms']): string {
  const terms = xmlElement('cc:license', license) + xmlElement('cc:attributionName', attribution)
  return `<extensions xmlns:cc="${creativeCommons}">${terms}</extensions>`
}

function linkElement(url: string | undefined, text: string): string {
  return url === undefined ? '' : `<link href="${xmlText(url)}">${xmlElement('text', text)}</link>`
}

/** The schema's degrees are xsd:decimal, which has no exponents. GPX has no longitude of 180. */
function decimal(degrees: number): string {
  const text = String(degrees === 180 ? -180 : degrees)
  return text.includes('e') ? degrees.toFixed(20).replace(/0+$/u, '').replace(/\.$/u, '') : text
}

/** Description, and the amenities and whether the water is for drinking as people read them, on lines of their own. */
export function descriptionOf({ description, amenities, drinkable }: WaypointRecord): string | undefined {
  const labels = amenities.map((amenity) => amenityOf(amenity)?.label ?? amenity)
  if (drinkable !== undefined) labels.push(drinkableLabels[drinkable])
  const lines = [description ?? '', labels.join(', ')].filter((line) => line !== '')
  return lines.length === 0 ? undefined : lines.join('\n')
}
