import { xmlElement, xmlText } from '@openfountain/core/internal'
import { joinList } from '@openfountain/core/published'
import { attributionHtml, escaped } from './attribution-html.ts'
import { counted, textFormat } from '../format.ts'
import { waypointTable, type ListedWaypoint } from '../tables/waypoints.ts'
import { descriptionOf } from './gpx.ts'

const columns = waypointTable.columns.filter(
  ({ name }) => name !== 'name' && name !== 'latitude' && name !== 'longitude',
)

/** https://www.ogc.org/standards/kml */
export const kml = textFormat({
  name: 'kml',
  file: 'waypoints.kml',
  mediaType: 'application/vnd.google-earth.kml+xml',
  title: 'KML for Google Earth and others',
  subject: 'waypoints',
  isDaily: true,
  holds: 'Every column as extended data; name, position, and a description with amenities.',
  loses:
    'Types: extended data is text, lists are joined by `;`, tags are JSON text; U+FFFD for what XML cannot hold.',
  *text(edition, tally) {
    const { publisher, license, attributions } = edition
    const about = `Public water fountains. Published by ${publisher.author}, ${license}.`
    yield (
      '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>' +
        xmlElement('name', publisher.name) +
        xmlElement('description', `${html(about)}<br/>Data: ${attributionHtml(attributions)}`) +
        '\n'
    )
    for (const listed of counted(waypointTable.rows(edition), tally)) yield placemark(listed)
    yield '</Document>\n</kml>\n'
  },
})

function placemark(listed: ListedWaypoint): string {
  const { record } = listed
  const description = descriptionOf(record)
  return (
    `<Placemark id="waypoint-${record.id}">` +
    xmlElement('name', record.name) +
    xmlElement('description', description === undefined ? undefined : html(description)) +
    '<ExtendedData>' +
    columns.map(({ name, value }) => data(name, value(listed))).join('') +
    `</ExtendedData><Point><coordinates>${record.longitude},${record.latitude}</coordinates></Point></Placemark>\n`
  )
}

function data(name: string, value: unknown): string {
  if (value === undefined) return ''
  const text = Array.isArray(value)
    ? joinList(value)
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return `<Data name="${name}"><value>${xmlText(text)}</value></Data>`
}

/** Viewers show a description as HTML, so text has to be escaped for that first. */
const html = (text: string): string => escaped(text).replaceAll('\n', '<br/>')
