import { CellReader, type Cells } from './cells.ts'
import type { Columns } from './columns.ts'
import type { CustomFields } from './custom-fields.ts'
import { exclusionReason, type ExclusionTerms } from './exclusion.ts'
import { ownRef, ownRefAt, ownText, readOwnRow } from '../read/own-rows.ts'
import type { Placement, Placing } from './placement.ts'
import { angleOf, geometryIn, pairOf } from './coordinates.ts'
import { representative, type Position, type Representative } from '../read/geometry.ts'
import type { SourceRow } from '../read/source-row.ts'
import type { LeftOutReason, RefusedReason } from '../reasons.ts'
import { WaypointReading, type ReadWaypoint } from './waypoint-reading.ts'

/** An interpreted row: a waypoint to import, or the reason for leaving it out. */
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
      /** Kind and identity of a fountain out of use or not for drinking: a known waypoint stays and gets that status. */
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

  /** An existing fountain, out of use or not for drinking. */
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

/** Where a row says it is, in the file's own coordinate system, or why that is not understood. */
function rowPosition(source: SourceRow, cells: Cells, columns: Columns): Representative {
  if (
    source.geometry !== undefined &&
    (source.geometry !== null || columns.byRole.get('latitude')?.length === 0)
  ) {
    return representative(source.geometry)
  }
  const [latitude, longitude] = [cells.first('latitude'), cells.first('longitude')]
  if (latitude !== undefined && longitude !== undefined) {
    const [y, x] = [angleOf(latitude), angleOf(longitude)]
    if (y === undefined || x === undefined) {
      const values = { latitude: String(latitude), longitude: String(longitude) }
      return { reason: { code: 'UNREADABLE_COORDINATES', ...values } }
    }
    const swapped = y.axis === 'longitude' || x.axis === 'latitude'
    return { position: swapped ? [y.degrees, x.degrees] : [x.degrees, y.degrees] }
  }
  const cell = cells.first('geometry')
  if (cell !== undefined) {
    const geometry = geometryIn(cell)
    if (geometry === undefined)
      return { reason: { code: 'UNREADABLE_GEOMETRY', value: String(cell).slice(0, 60) } }
    return representative(geometry)
  }
  const pair = cells.first('position')
  if (pair === undefined) return { reason: { code: 'NO_POSITION' } }
  const found = pairOf(pair)
  if (found === undefined)
    return { reason: { code: 'UNREADABLE_POSITION', value: String(pair).slice(0, 60) } }
  return { position: columns.longitudeFirst ? [found[0], found[1]] : [found[1], found[0]] }
}
