import type { Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import { conditionOf } from './conditions.ts'
import { kindMeaning, tagMeaning } from './kinds.ts'
import type { MapFile } from './map-file.ts'
import { isPlaceholder, yesOrNo } from './wording.ts'

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
  reason(cells: Cells): string | undefined {
    const { leaveOut, only } = this.#map
    const { fields } = cells
    for (const [column, values] of Object.entries(only ?? {})) {
      const value = fields[column]
      const filled = !isPlaceholder(value)
      const fits = typeof values === 'boolean' ? filled === values : values.includes(String(value).trim())
      if (!fits) return `the map reads other rows only (${column})`
    }
    if (this.#columns.own || this.#keepAll) return undefined
    for (const [column, values] of Object.entries(leaveOut ?? {})) {
      const value = fields[column]
      if (isPlaceholder(value)) continue
      if (values === true || values.includes(String(value).trim()))
        return `${column} is ${String(value).trim()}`
    }
    if (this.#columns.osm) {
      if (Object.keys(fields).length === 0) return 'it has no tags; it is a corner of something else'
      const reason = tagMeaning(fields).leftOut
      if (reason !== undefined) return reason
    } else if (yesOrNo(cells.first('drinkable')) === false) return 'its water is not for drinking'
    for (const kind of cells.all('kind')) {
      const reason = this.#columns.osm ? undefined : kindMeaning(kind).leftOut
      if (reason !== undefined) return reason
    }
    return this.#gone(cells)
  }

  #gone(cells: Cells): string | undefined {
    const { osm } = this.#columns
    const { fields } = cells
    if (osm && (yesOrNo(fields['disused']) === true || fields['disused:amenity'] !== undefined))
      return 'it is disused'
    if (osm && (yesOrNo(fields['abandoned']) === true || fields['abandoned:amenity'] !== undefined))
      return 'it is abandoned'
    const gone = cells.all('status').find((value) => conditionOf(value) === 'gone')
    return gone === undefined ? undefined : `it is not there any more, or not yet (${gone})`
  }
}
