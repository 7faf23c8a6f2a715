import { joinList } from '@openfountain/core/published'
import { attributionHtml, escaped } from './attribution-html.ts'
import { rowsOf, waypointFields, type WaypointRow } from '../fields.ts'
import { textFormat } from '../format.ts'
import { descriptionOf } from './gpx.ts'
import { xmlElement, xmlText } from './xml.ts'

const columns = waypointFields
  .map((field) => field.name)
  .filter((name) => name !== 'name' && name !== 'latitude' && name !== 'longitude')

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
    for (const row of rowsOf(edition)) {
      tally.rows += 1
      yield placemark(row)
    }
    yield '</Document>\n</kml>\n'
  },
})

function placemark(row: WaypointRow): string {
  const description = descriptionOf(row)
  return (
    `<Placemark id="waypoint-${row.id}">` +
    xmlElement('name', row.name) +
    xmlElement('description', description === undefined ? undefined : html(description)) +
    '<ExtendedData>' +
    columns.map((name) => data(name, row[name])).join('') +
    `</ExtendedData><Point><coordinates>${row.longitude},${row.latitude}</coordinates></Point></Placemark>\n`
  )
}

function data(name: string, value: WaypointRow[keyof WaypointRow]): string {
  if (value === undefined) return ''
  return `<Data name="${name}"><value>${xmlText(textOf(value))}</value></Data>`
}

function textOf(value: NonNullable<WaypointRow[keyof WaypointRow]>): string {
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) ? joinList(value) : JSON.stringify(value)
}

/** Viewers show a description as HTML, so text has to be escaped for that first. */
const html = (text: string): string => escaped(text).replaceAll('\n', '<br/>')
