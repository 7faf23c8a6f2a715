import type { Properties } from '@openfountain/core/fields'
import {
  canonicalJson,
  jsonInForm,
  recordTags,
  sourceRefsOf,
  type PageField,
  type PagePiece,
  type PageTemplate,
  type RecordPage,
  type RecordText,
  type TextForm,
  type TextPiece,
  type TextTemplate,
} from '@openfountain/core/internal'
import { isMadeName } from '@openfountain/core/names'
import { csvField, csvValue, neutraliseCell } from './cell.ts'
import type { WaypointRecord } from '../snapshot.ts'

/** The texts that a template makes of a record, as a registry's database makes them of its rows. */
export function textsOf(record: WaypointRecord, template: TextTemplate): RecordText {
  const { id, latitude, longitude, reviewCount, sources } = record
  const { state, stateSince, lastConfirmed, lastListed, sourceUpdated, place, rating } = record
  const { osmType, osmId, osmObjectTags } = record
  const amenities = JSON.stringify(record.amenities)
  const texts = template.map((pieces) => {
    const [first, second] = pieces
    const alone = typeof first === 'object' && second === undefined && first.before === undefined
    if (alone && record[first.field] === undefined) return null
    return pieces.map((piece) => written(record, piece)).join('')
  })
  const around = { id, latitude, longitude, amenities, state, reviewCount, sources, texts }
  return {
    ...around,
    ...(stateSince !== undefined && { stateSince }),
    ...(lastConfirmed !== undefined && { lastConfirmed }),
    ...(lastListed !== undefined && { lastListed }),
    ...(sourceUpdated !== undefined && { sourceUpdated }),
    ...(place !== undefined && { place }),
    ...(rating !== undefined && { rating }),
    ...(osmType !== undefined && { osmType, osmId }),
    ...(osmObjectTags !== undefined && { osmObjectTags }),
  }
}

function written(record: WaypointRecord, piece: TextPiece): string {
  if (typeof piece === 'string') return piece
  const { field, form, before = '' } = piece
  const value = storedIn(record, field)
  return value === undefined ? '' : before + inForm(value, form)
}

/** Records in a page. */
const pageSize = 1000

/** The pages that a template makes of records, as a registry's database makes them of its rows. */
export function* pagesOf(records: Iterable<WaypointRecord>, template: PageTemplate): Iterable<RecordPage> {
  let texts: string[] = []
  const page = () => ({ bytes: utf8.encode(texts.join(template.between ?? '')), count: texts.length })
  for (const record of records) {
    texts.push(template.record.map((piece) => pieceOf(record, piece)).join(''))
    if (texts.length < pageSize) continue
    yield page()
    texts = []
  }
  if (texts.length > 0) yield page()
}

const utf8 = new TextEncoder()

function pieceOf(record: WaypointRecord, piece: PagePiece): string {
  if (typeof piece === 'string') return piece
  if ('osmTags' in piece) return jsonInForm(recordTags(record), piece.osmTags)
  if ('ofAmenities' in piece) return piece.ofAmenities(record.amenities)
  if ('ofSources' in piece) return piece.ofSources(record.sources.map(({ sourceId }) => sourceId))
  const { field, form, before = '', orNull } = piece
  const value = valueOf(record, field)
  if (value === undefined) return orNull ? `${before}null` : ''
  return before + inForm(value, form)
}

function valueOf(record: WaypointRecord, field: PageField) {
  if (field === 'nameIsGenerated') return isMadeName(record.name)
  if (field === 'sourceRefs') return sourceRefsOf(record)
  if (field === 'country' || field === 'subdivision') return record.place?.[field]
  return field === 'placeName' ? record.place?.name : storedIn(record, field)
}

/** A member as the database has it: custom fields are JSON text. */
function storedIn<Name extends keyof WaypointRecord>(record: WaypointRecord, field: Name) {
  const value = record[field]
  return field === 'properties' && value !== undefined
    ? canonicalJson(value)
    : (value as Exclude<WaypointRecord[Name], Properties>)
}

function inForm(value: string | number | boolean | readonly string[], form: TextForm): string {
  if (typeof value === 'string') {
    if (form === 'as it is') return value
    if (form === 'json' || form === 'json in a cell') return jsonInForm(value, form)
    return csvField(neutraliseCell(value))
  }
  if (typeof value !== 'object') return String(value)
  return typeof form === 'object' ? csvValue(value) : JSON.stringify(value)
}
