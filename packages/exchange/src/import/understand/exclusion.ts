import type { Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import { conditionOf } from './conditions.ts'
import { kindMeaning, lifecycleOf, tagMeaning } from './kinds.ts'
import type { MapFile } from './map-file.ts'
import { drinkableIn } from './drinkable.ts'
import type { LeftOutReason } from '../reasons.ts'
import { waypointFields } from '../../export/fields.ts'
import { ownList } from '../read/own-rows.ts'
import { isPlaceholder } from './cell-text.ts'

/** The columns of an own export that are lists. */
const listColumns: ReadonlySet<string> = new Set(
  waypointFields.flatMap(({ name, type }) => (type === 'list' ? [name] : [])),
)

const isFilled = (item: string): boolean => item !== ''
const meets = (some: readonly string[], wanted: readonly string[]): boolean =>
  some.some((one) => wanted.includes(one))

/** Decides which rows are left out: what is not for drinking, what is not there, what a map does not want. */
export class Exclusion {
  readonly #columns: Columns
  readonly #map: MapFile
  readonly #keepAll: boolean

  constructor(columns: Columns, map: MapFile, keepAll: boolean) {
    this.#columns = columns
    this.#map = map
    this.#keepAll = keepAll
  }

  /** Why a row is left out, or undefined. */
  reason(cells: Cells): LeftOutReason | undefined {
    const { leaveOut, only } = this.#map
    const { fields } = cells
    for (const [column, values] of Object.entries(only ?? {})) {
      const found = this.#valuesOf(fields, column)
      const fits = typeof values === 'boolean' ? found.length > 0 === values : meets(found, values)
      if (!fits) return { code: 'NOT_CHOSEN', column }
    }
    if (this.#columns.own || this.#keepAll) return undefined
    for (const [column, values] of Object.entries(leaveOut ?? {})) {
      const value = fields[column]
      if (isPlaceholder(value)) continue
      if (values === true || values.includes(String(value).trim()))
        return { code: 'UNWANTED', column, value: String(value).trim() }
    }
    if (this.#columns.osm) {
      if (Object.keys(fields).length === 0) return { code: 'NO_TAGS' }
      const reason = tagMeaning(fields).leftOut
      if (reason !== undefined) return reason
    } else if (drinkableIn(cells) === 'no') return { code: 'NOT_DRINKABLE' }
    for (const kind of cells.all('kind')) {
      const reason = this.#columns.osm ? undefined : kindMeaning(kind).leftOut
      if (reason !== undefined) return reason
    }
    return this.#gone(cells)
  }

  /** The values of a column, of which a list has several. */
  #valuesOf(fields: Cells['fields'], column: string): readonly string[] {
    if (this.#columns.own && listColumns.has(column)) return ownList(fields, column).filter(isFilled)
    const value = fields[column]
    return isPlaceholder(value) ? [] : [String(value).trim()]
  }

  #gone(cells: Cells): LeftOutReason | undefined {
    const { osm } = this.#columns
    const { fields } = cells
    const lifecycle = osm ? lifecycleOf(fields) : undefined
    if (lifecycle?.stage === 'disused') return { code: 'DISUSED' }
    if (lifecycle?.stage === 'abandoned') return { code: 'ABANDONED' }
    if (lifecycle !== undefined) return { code: 'GONE', status: lifecycle.tag }
    const gone = cells.all('status').find((value) => conditionOf(value) === 'gone')
    return gone === undefined ? undefined : { code: 'GONE', status: gone }
  }
}
