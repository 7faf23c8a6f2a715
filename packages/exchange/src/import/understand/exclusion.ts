import type { Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import { conditionOf, drinkableIn } from './conditions.ts'
import { kindMeaning, lifecycleOf, tagMeaning } from './kinds.ts'
import type { MapFile } from './map-file.ts'
import type { LeftOutReason } from '../reasons.ts'
import { waypointFields } from '../../export/fields.ts'
import { ownList } from '../read/own-rows.ts'
import { isPlaceholder } from './cell-text.ts'

/** The columns of an own export that are lists. */
const listColumns: ReadonlySet<string> = new Set(
  waypointFields.flatMap(({ name, type }) => (type === 'list' ? [name] : [])),
)

/** The conditions for leaving out rows. */
export interface ExclusionTerms {
  readonly columns: Columns
  readonly map: MapFile
  readonly keepAll: boolean
}

/** Why a row is left out, or undefined: it is not for drinking, it is not there, or the map does not want it. */
export function exclusionReason(
  cells: Cells,
  { columns: { own, osm }, map: { leaveOut, only }, keepAll }: ExclusionTerms,
): LeftOutReason | undefined {
  const { fields } = cells
  for (const [column, values] of Object.entries(only ?? {})) {
    const found = valuesOf(fields, column, own)
    const fits =
      typeof values === 'boolean' ? found.length > 0 === values : found.some((each) => values.includes(each))
    if (!fits) return { code: 'NOT_CHOSEN', column }
  }
  if (own || keepAll) return undefined
  for (const [column, values] of Object.entries(leaveOut ?? {})) {
    const value = fields[column]
    if (isPlaceholder(value)) continue
    if (values === true || values.includes(String(value).trim()))
      return { code: 'UNWANTED', column, value: String(value).trim() }
  }
  if (osm) {
    if (Object.keys(fields).length === 0) return { code: 'NO_TAGS' }
    const reason = tagMeaning(fields).leftOut
    if (reason !== undefined) return reason
  } else if (drinkableIn(cells) === 'no') return { code: 'NOT_DRINKABLE' }
  for (const kind of cells.all('kind')) {
    const reason = osm ? undefined : kindMeaning(kind).leftOut
    if (reason !== undefined) return reason
  }
  return goneReason(cells, osm)
}

/** The values of a column, several for a list of an own export. */
function valuesOf(fields: Cells['fields'], column: string, own: boolean): readonly string[] {
  if (own && listColumns.has(column)) return ownList(fields, column).filter((item) => item !== '')
  const value = fields[column]
  return isPlaceholder(value) ? [] : [String(value).trim()]
}

function goneReason(cells: Cells, osm: boolean): LeftOutReason | undefined {
  const lifecycle = osm ? lifecycleOf(cells.fields) : undefined
  if (lifecycle?.stage === 'disused') return { code: 'DISUSED' }
  if (lifecycle?.stage === 'abandoned') return { code: 'ABANDONED' }
  const gone = lifecycle?.tag ?? cells.all('status').find((value) => conditionOf(value) === 'gone')
  return gone === undefined ? undefined : { code: 'GONE', status: gone }
}
