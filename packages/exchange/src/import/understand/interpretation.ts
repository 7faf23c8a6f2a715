import { cellReader, type Cells, type Columns, type MapFile } from './columns.ts'
import { ownRef, ownRefAt, ownText, readOwnRow, ownList } from '../read/own-rows.ts'
import type { Placing } from './placement.ts'
import { angleOf, geometryIn, pairOf, isPlaceholder, yesOrNo, numberOf } from './values.ts'
import { representative, type Position, type Representative } from '../read/geometry.ts'
import type { SourceRow } from '../read/source-row.ts'
import type { LeftOutReason, RefusedReason, ImportNote } from '../reasons.ts'
import { WaypointReading, type ReadWaypoint, conditionOf, drinkableIn } from './waypoint-reading.ts'
import { kindMeaning, lifecycleOf, tagMeaning } from './kinds.ts'
import { waypointFields } from '../../export/fields.ts'
import type { PropertiesSchema } from '@openfountain/core'
import type { PropertySchema } from '@openfountain/core/internal'
import type { Properties, PropertyValue } from '@openfountain/core/fields'

export type Interpreted = { readonly row: number } & (
  | ({ readonly kind: 'waypoint' } & Identified)
  /** Of a fountain out of use or not for drinking: a known waypoint stays and gets that status. */
  | ({ readonly kind: 'left-out'; readonly reason: LeftOutReason } & Partial<Identified>)
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly original: string }
)

/** `ref`: the row's identity at its source; absent when the file gives none. */
type Identified = { readonly ref?: string | undefined; readonly waypoint: ReadWaypoint }

interface InterpretationOptions {
  readonly columns: Columns
  readonly map: MapFile
  /** Whether fountains without drinking water are imported too. */
  readonly keepAll: boolean
  readonly placing: Placing
  readonly customFields: CustomFields
  /** The region of fountains that have none. */
  readonly place: string | undefined
}

export class Interpretation {
  readonly #options: InterpretationOptions
  readonly #columns: Columns
  readonly #cellsOf: ReturnType<typeof cellReader>
  readonly #reading: WaypointReading
  readonly #chosenSources: readonly string[]

  constructor(options: InterpretationOptions) {
    const { columns, map, place = map.place } = options
    this.#options = options
    this.#columns = columns
    this.#cellsOf = cellReader(columns, map)
    this.#reading = new WaypointReading({ ...columns, map, place })
    const chosen = map.only?.['sources']
    this.#chosenSources = Array.isArray(chosen) ? chosen : []
  }

  read(source: SourceRow): Interpreted {
    const { row } = source
    const cells = this.#cellsOf(source.fields)
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

  #placed(source: SourceRow, cells: Cells): Representative {
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
  const { geometry: given } = source
  if (given !== undefined && (given !== null || columns.byRole.get('latitude')?.length === 0))
    return representative(given)
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

const listColumns: ReadonlySet<string> = new Set(
  waypointFields.flatMap(({ name, type }) => (type === 'list' ? [name] : [])),
)

/** Why a row is left out, or undefined: it is not for drinking, it is not there, or the map does not want it. */
function exclusionReason(cells: Cells, options: InterpretationOptions): LeftOutReason | undefined {
  const { own, osm } = options.columns
  const { leaveOut, only } = options.map
  const { fields } = cells
  for (const [column, values] of Object.entries(only ?? {})) {
    const found = valuesOf(fields, column, own)
    const fits =
      typeof values === 'boolean' ? found.length > 0 === values : found.some((each) => values.includes(each))
    if (!fits) return { code: 'NOT_CHOSEN', column }
  }
  if (own || options.keepAll) return undefined
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

/** Custom fields of rows that the registry declares; undeclared ones are left out and counted. */
export class CustomFields {
  readonly #declared: ReadonlyMap<string, PropertySchema>
  readonly #columns: ReadonlyMap<string, readonly string[]>
  readonly #leftOut = new Map<string, number>()

  /** @param declared the custom fields of the registry. Default none */
  constructor(declared: PropertiesSchema | undefined, map: MapFile = {}) {
    this.#declared = new Map(Object.entries(declared?.properties ?? {}))
    this.#columns = new Map(
      Object.entries(map.properties ?? {}).map(([name, columns]) => [name, [columns].flat()]),
    )
  }

  /** The custom fields of a row from columns named by a map; a value of another type is left out. */
  read(fields: Readonly<Record<string, unknown>>): Properties {
    const found: Record<string, PropertyValue> = {}
    for (const [name, columns] of this.#columns) {
      const given = columns.map((column) => fields[column]).find((each) => !isPlaceholder(each))
      if (given === undefined) continue
      const schema = this.#declared.get(name)
      const value = schema === undefined ? undefined : valueOf(schema, given)
      if (value === undefined) this.#count(name)
      else found[name] = value
    }
    return found
  }

  /** The declared custom fields of a row of this project's own export, unchanged. */
  taken(properties: Properties | undefined): Properties | undefined {
    if (properties === undefined) return undefined
    const names = Object.keys(properties)
    for (const name of names) if (!this.#declared.has(name)) this.#count(name)
    return Object.fromEntries(Object.entries(properties).filter(([name]) => this.#declared.has(name)))
  }

  notes(): ImportNote[] {
    if (this.#leftOut.size === 0) return []
    const fields = [...this.#leftOut].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return [{ code: 'PROPERTIES_LEFT_OUT', fields: fields.map(([name, rows]) => ({ name, rows })) }]
  }

  #count(name: string): void {
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1)
  }
}

function valueOf({ type }: PropertySchema, given: unknown): PropertyValue | undefined {
  switch (type) {
    case 'number':
    case 'integer':
      return numberOf(given)
    case 'boolean':
      return yesOrNo(given)
    case 'array':
      return (Array.isArray(given) ? given.map(String) : String(given).split(';'))
        .map((each) => each.trim())
        .filter((each) => each !== '')
    case 'string':
      return typeof given === 'object' ? undefined : String(given).trim()
  }
}
