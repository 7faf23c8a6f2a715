import { CellReader, type Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import type { CustomFields } from './custom-fields.ts'
import { exclusionReason, type ExclusionTerms } from './exclusion.ts'
import { ownRef, ownRefAt, ownText, readOwnRow } from '../read/own-rows.ts'
import type { Placement, Placing } from './placement.ts'
import type { Position } from '../read/geometry.ts'
import { rowPosition } from './row-position.ts'
import type { SourceRow } from '../read/source-row.ts'
import type { LeftOutReason, RefusedReason } from '../reasons.ts'
import { WaypointReading, type ReadWaypoint } from './waypoint-reading.ts'

/** A row as it was understood: a waypoint to import, or why it is not one. */
export type Interpreted =
  | {
      readonly kind: 'waypoint'
      readonly row: number
      /** The row's identity at its source; absent when the file gives none. */
      readonly ref?: string | undefined
      readonly waypoint: ReadWaypoint
    }
  | {
      readonly kind: 'left-out'
      readonly row: number
      readonly reason: LeftOutReason
      /** What it is, and its identity, where it is there but out of use or not for drinking: what is known already stays, and is so. */
      readonly ref?: string
      readonly waypoint?: ReadWaypoint
    }
  | {
      readonly kind: 'refused'
      readonly row: number
      readonly reason: RefusedReason
      readonly original: string
    }

export interface InterpretationOptions extends ExclusionTerms {
  readonly placing: Placing
  readonly customFields: CustomFields
  /** The place for names of nameless fountains without an address. */
  readonly place: string | undefined
}

/** Makes waypoints of rows. */
export class Interpretation {
  readonly #options: InterpretationOptions
  readonly #columns: Columns
  readonly #cells: CellReader
  readonly #reading: WaypointReading
  readonly #chosenSources: readonly string[]

  constructor(options: InterpretationOptions) {
    const { columns, map, place = map.place } = options
    this.#options = options
    this.#columns = columns
    this.#cells = new CellReader(columns, map)
    this.#reading = new WaypointReading(columns, map, place)
    const chosen = map.only?.['sources']
    this.#chosenSources = Array.isArray(chosen) ? chosen : []
  }

  read(source: SourceRow): Interpreted {
    const { row } = source
    const cells = this.#cells.row(source.fields)
    const leftOut = exclusionReason(cells, this.#options)
    if (leftOut !== undefined)
      return { kind: 'left-out', row, reason: leftOut, ...this.#kept(leftOut, source, cells) }
    const placed = this.#placed(source, cells)
    if ('reason' in placed)
      return { kind: 'refused', row, reason: placed.reason, original: source.original() }
    const waypoint = this.#waypoint(cells, placed.position)
    return { kind: 'waypoint', row, ref: this.#ref(source, cells), waypoint }
  }

  #waypoint(cells: Cells, position: Position): ReadWaypoint {
    const { properties: exported, ...waypoint } = this.#columns.own
      ? readOwnRow(cells.fields, position)
      : this.#reading.read(cells, position)
    const { customFields: custom } = this.#options
    const properties = { ...custom.taken(exported), ...custom.read(cells.fields) }
    return Object.keys(properties).length === 0 ? waypoint : { ...waypoint, properties }
  }

  /** A fountain that is there, and not in use or not for drinking. */
  #kept({ code }: LeftOutReason, source: SourceRow, cells: Cells) {
    if (code !== 'DISUSED' && code !== 'ABANDONED' && code !== 'NOT_DRINKABLE') return {}
    const ref = this.#ref(source, cells)
    if (ref === undefined) return {}
    const placed = this.#placed(source, cells)
    return 'reason' in placed ? {} : { ref, waypoint: this.#reading.read(cells, placed.position) }
  }

  #placed(source: SourceRow, cells: Cells): Placement {
    const raw = rowPosition(source, cells, this.#columns)
    return 'reason' in raw ? raw : this.#options.placing.place(raw.position)
  }

  #ref(source: SourceRow, cells: Cells): string | undefined {
    const { fields } = cells
    if (this.#columns.own) {
      const [column = 'id'] = this.#columns.byRole.get('ref') ?? []
      if (column === 'source_refs') return ownRefAt(fields, column, this.#chosenSources)
      if (column !== 'id') return ownText(fields, column)
      return ownRef(fields, fields['id'] ?? source.id)
    }
    if (this.#columns.formatId && source.id !== undefined) return source.id
    const value = cells.first('ref')
    if (value === undefined) return undefined
    const text = String(value).trim()
    const type = fields['@type'] ?? fields['type']
    const element =
      this.#columns.osm && /^\d+$/u.test(text) && (type === 'node' || type === 'way' || type === 'relation')
    if (element) return `${type}/${text}`
    // A spreadsheet's 1032.0 is number 1032.
    return text.replace(/^(\d+)\.0$/u, '$1').slice(0, 200)
  }
}
