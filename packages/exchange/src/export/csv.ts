import type { TextField, TextTemplate } from '@openfountain/core'
import { csvCell, csvValue } from './cell.ts'
import { waypointFields } from './fields.ts'
import { textFormat } from './format.ts'
import { sourceRefOf } from './provenance.ts'
import { ofAmenities, ofTerms } from './texts.ts'

const text = (field: TextField) => ({ before: ',', field, form: csvCell })
const plain = (field: TextField) => ({ field, form: 'as it is' as const })

/** Between the texts stand latitude and longitude, the amenities, the last confirmation with the rating, and the rest. */
const template: TextTemplate = [
  [plain('id'), ',', { field: 'name', form: csvCell }, ','],
  [',', { field: 'description', form: csvCell }, ','],
  [
    ',',
    { field: 'image', form: csvCell },
    ',',
    { field: 'maintainer', form: csvCell },
    ',',
    { field: 'region', form: csvCell },
    ',',
    plain('approved'),
    ',',
    plain('verified'),
    text('addedByUserId'),
    ',',
    plain('createdAt'),
    ',',
    plain('updatedAt'),
    ',',
  ],
]

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export const csv = textFormat({
  name: 'csv',
  file: 'waypoints.csv',
  mediaType: 'text/csv; charset=utf-8',
  title: 'CSV for spreadsheets',
  subject: 'waypoints',
  holds: 'Every column; amenities joined by `;`, tags as JSON text.',
  loses:
    'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
  fields: waypointFields,
  *text(edition, tally) {
    const cells = ofAmenities((amenities, tags) => [csvValue(amenities), csvValue(tags)] as const)
    const sourceCell = ofTerms(({ source }) => csvValue(source))
    const ending = ofTerms(({ license, attribution }) => `,${csvValue(license)},${csvValue(attribution)}\r\n`)
    yield `${waypointFields.map((field) => field.name).join(',')}\r\n`
    for (const record of edition.texts(template)) {
      tally.rows += 1
      const { texts } = record
      const terms = edition.terms(record)
      const [amenities, tags] = cells(record.amenities)
      yield (
        `${texts[0]}${record.latitude},${record.longitude}${texts[1]}${amenities}${texts[2]}` +
          `${record.lastConfirmed},${record.rating ?? ''},${record.reviewCount},${tags},` +
          `${sourceCell(terms)},${csvValue(sourceRefOf(record))}${ending(terms)}`
      )
    }
  },
})
