import type {
  PagePiece,
  PageTemplate,
  RecordPage,
  RecordText,
  TextForm,
  TextPiece,
  TextTemplate,
} from '@openfountain/core/internal'
import { osmTagsOf } from '@openfountain/core/vocabulary'
import { csvField, neutraliseCell } from './cell.ts'
import { sourceRefOf } from '@openfountain/core/internal'
import type { WaypointRecord } from '../snapshot.ts'

/** The texts that a template makes of a record, as a registry's database makes them of its rows. */
export function textsOf(record: WaypointRecord, template: TextTemplate): RecordText {
  const { id, latitude, longitude, lastConfirmed, lastListed, state, reviewCount, rating, sources } = record
  const amenities = JSON.stringify(record.amenities)
  const texts = template.map((pieces) => {
    const [first, second] = pieces
    const alone = typeof first === 'object' && second === undefined && first.before === undefined
    if (alone && record[first.field] === undefined) return null
    return pieces.map((piece) => written(record, piece)).join('')
  })
  const around = { id, latitude, longitude, amenities, lastConfirmed, reviewCount, sources, texts }
  return {
    ...around,
    ...(lastListed !== undefined && { lastListed }),
    ...(state !== undefined && { state }),
    ...(rating !== undefined && { rating }),
  }
}

function written(record: WaypointRecord, piece: TextPiece): string {
  if (typeof piece === 'string') return piece
  const { field, form, before = '' } = piece
  const value = record[field]
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
  if ('ofAmenities' in piece) return piece.ofAmenities(record.amenities)
  if ('ofSources' in piece) return piece.ofSources(record.sources.map(({ sourceId }) => sourceId))
  const { field, form, before = '' } = piece
  const value = field === 'sourceRef' ? sourceRefOf(record) : record[field]
  return value === undefined ? '' : before + inForm(value, form)
}

function inForm(value: string | number | boolean | readonly string[], form: TextForm): string {
  if (typeof value === 'string') {
    if (form === 'as it is') return value
    if (form === 'json in a cell') return JSON.stringify(value).replaceAll('"', '""')
    return form === 'json' ? JSON.stringify(value) : csvField(neutraliseCell(value))
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Combinations of amenities that are kept at most: far more than occur, and a bound for hostile data. */
const most = 20_000

/**
 * Returns a function that calls `make` once for each combination of amenities.
 *
 * @param make called with the amenities and their tags in OpenStreetMap
 */
export function ofAmenities<Made>(
  make: (amenities: readonly string[], tags: Readonly<Record<string, string>>) => Made,
): (amenitiesJson: string) => Made {
  const known = new Map<string, Made>()
  return (json) => {
    const found = known.get(json)
    if (found !== undefined) return found
    const amenities: string[] = JSON.parse(json)
    const made = make(amenities, osmTagsOf(amenities))
    if (known.size >= most) known.clear()
    known.set(json, made)
    return made
  }
}
