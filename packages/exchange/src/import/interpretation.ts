import { limits, normaliseAmenity } from '@openfountain/core'
import type { Columns } from './columns.ts'
import { columnsOf } from './columns.ts'
import { conditionOf, seasonOf } from './conditions.ts'
import { angleOf, geometryIn, pairOf } from './coordinates.ts'
import { representative, type Position } from './geometry.ts'
import type { Role } from './headings.ts'
import { kindMeaning, tagMeaning } from './kinds.ts'
import type { MapFile } from './map-file.ts'
import { describedName, kindLabel } from './names.ts'
import { isRecord } from './nested-fields.ts'
import { readOwnRow } from './own-rows.ts'
import type { Placing } from './placement.ts'
import type { SourceRow } from './source-row.ts'
import { calm, isPlaceholder, plainText, shortened, yesOrNo } from './wording.ts'

/** What a row says of a waypoint, in the fields that the registry takes. */
export interface ReadWaypoint {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly description?: string
  readonly amenities: string[]
  readonly image?: string
  readonly maintainer?: string
  readonly region?: string
  readonly approved?: boolean
  readonly verified?: boolean
  /** The kind in a name that was made up because the source has none; absent when the name is the source's own. */
  readonly described?: string
}

/** What became of a row: a waypoint to import, or why it is none. */
export type Interpreted =
  | {
      readonly kind: 'waypoint'
      readonly row: number
      /** The row's identity at its source; absent when the file gives none. */
      readonly ref?: string
      readonly waypoint: ReadWaypoint
    }
  | { readonly kind: 'left-out'; readonly row: number; readonly reason: string }
  | { readonly kind: 'refused'; readonly row: number; readonly reason: string; readonly original: string }

export interface InterpretationOptions {
  readonly columns: Columns
  readonly placing: Placing
  readonly map?: MapFile
  /** Imports what is not for drinking, too. Default false. */
  readonly keepAll?: boolean
  /** The place for names of nameless fountains without an address. */
  readonly place?: string
}

/** Makes waypoints of rows. */
export class Interpretation {
  private readonly columns: Columns
  private readonly placing: Placing
  private readonly map: MapFile
  private readonly keepAll: boolean
  private readonly place: string | undefined
  private readonly templates = new Map<Role, Template[]>()
  private readonly nameTemplates: Template[]

  constructor({ columns, placing, map = {}, keepAll = false, place }: InterpretationOptions) {
    this.columns = columns
    this.placing = placing
    this.map = map
    this.keepAll = keepAll
    this.place = place ?? map.place
    for (const [role, entries] of columns.byRole) {
      const plain = role === 'name' ? entries.filter((entry) => !entry.includes('{')) : entries
      this.templates.set(role, plain.map(templateOf))
    }
    this.nameTemplates = (columns.byRole.get('name') ?? [])
      .filter((entry) => entry.includes('{'))
      .map(templateOf)
  }

  read(source: SourceRow): Interpreted {
    const { row } = source
    const fields = this.reworded(source.fields)
    const leftOut = this.leftOut(fields)
    if (leftOut !== undefined) return { kind: 'left-out', row, reason: leftOut }
    const located = this.located(source, fields)
    if (typeof located === 'string')
      return { kind: 'refused', row, reason: located, original: source.original() }
    const ref = this.ref(source, fields)
    const identity = ref === undefined ? {} : { ref }
    const waypoint = this.columns.own
      ? readOwnRow(fields, located)
      : this.waypoint(fields, located, this.columns.osm ? tagMeaning(fields).amenities : [])
    return { kind: 'waypoint', row, ...identity, waypoint }
  }

  /** Other words for values, as the map has them. */
  private reworded(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { values, columns } = this.map
    let result: Record<string, unknown> | undefined
    if (columns !== undefined) {
      result = {}
      for (const [name, value] of Object.entries(fields)) {
        const place = /^column(\d+)$/u.exec(name)?.[1]
        result[(place === undefined ? undefined : columns[Number(place) - 1]) ?? name] = value
      }
    }
    for (const [column, words] of Object.entries(values ?? {})) {
      const value = (result ?? fields)[column]
      const word = value === undefined ? undefined : words[String(value).trim()]
      if (word !== undefined) result = { ...(result ?? fields), [column]: word }
    }
    return result ?? fields
  }

  private leftOut(fields: Readonly<Record<string, unknown>>): string | undefined {
    const { leaveOut, only } = this.map
    for (const [column, values] of Object.entries(only ?? {})) {
      const value = fields[column]
      const filled = !isPlaceholder(value)
      const fits = typeof values === 'boolean' ? filled === values : values.includes(String(value).trim())
      if (!fits) return `the map reads other rows only (${column})`
    }
    if (this.columns.own || this.keepAll) return undefined
    for (const [column, values] of Object.entries(leaveOut ?? {})) {
      const value = fields[column]
      if (isPlaceholder(value)) continue
      if (values === true || values.includes(String(value).trim()))
        return `${column} is ${String(value).trim()}`
    }
    if (this.columns.osm) {
      if (Object.keys(fields).length === 0) return 'it has no tags; it is a corner of something else'
      const reason = tagMeaning(fields).leftOut
      if (reason !== undefined) return reason
    } else if (yesOrNo(this.first('drinkable', fields)) === false) return 'its water is not for drinking'
    for (const kind of this.all('kind', fields)) {
      const reason = this.columns.osm ? undefined : kindMeaning(kind).leftOut
      if (reason !== undefined) return reason
    }
    return this.gone(fields)
  }

  private gone(fields: Readonly<Record<string, unknown>>): string | undefined {
    const { osm } = this.columns
    if (osm && (yesOrNo(fields['disused']) === true || fields['disused:amenity'] !== undefined))
      return 'it is disused'
    if (osm && (yesOrNo(fields['abandoned']) === true || fields['abandoned:amenity'] !== undefined))
      return 'it is abandoned'
    for (const template of this.templates.get('status') ?? []) {
      const value = template(fields)
      if (conditionOf(value) === 'gone') return `it is not there any more, or not yet (${String(value)})`
    }
    return undefined
  }

  private located(source: SourceRow, fields: Readonly<Record<string, unknown>>): Position | string {
    const raw = this.rawPosition(source, fields)
    if (typeof raw === 'string') return raw
    const placed = this.placing.place(raw)
    return 'reason' in placed ? placed.reason : placed.position
  }

  private rawPosition(source: SourceRow, fields: Readonly<Record<string, unknown>>): Position | string {
    if (
      source.geometry !== undefined &&
      (source.geometry !== null || this.columns.byRole.get('latitude')?.length === 0)
    ) {
      const found = representative(source.geometry)
      return 'reason' in found ? found.reason : found.position
    }
    const [latitude, longitude] = [this.first('latitude', fields), this.first('longitude', fields)]
    if (latitude !== undefined && longitude !== undefined) {
      const [y, x] = [angleOf(latitude), angleOf(longitude)]
      if (y === undefined || x === undefined) {
        return `the coordinates "${String(latitude)}", "${String(longitude)}" are not understood`
      }
      return y.axis === 'longitude' || x.axis === 'latitude' ? [y.degrees, x.degrees] : [x.degrees, y.degrees]
    }
    const cell = this.first('geometry', fields)
    if (cell !== undefined) {
      const geometry = geometryIn(cell)
      if (geometry === undefined) return `the geometry "${String(cell).slice(0, 60)}" is not understood`
      const found = representative(geometry)
      return 'reason' in found ? found.reason : found.position
    }
    const pair = this.first('position', fields)
    if (pair === undefined) return 'has no coordinates'
    const found = pairOf(pair)
    if (found === undefined) return `the position "${String(pair).slice(0, 60)}" is not understood`
    return this.columns.longitudeFirst ? [found[0], found[1]] : [found[1], found[0]]
  }

  private ref(source: SourceRow, fields: Readonly<Record<string, unknown>>): string | undefined {
    if (this.columns.own) {
      const id = fields['id'] ?? source.id
      return id === undefined ? undefined : String(id)
    }
    if (this.columns.formatId && source.id !== undefined) return source.id
    const value = this.first('ref', fields)
    if (value === undefined) return undefined
    const text = String(value).trim()
    const type = fields['@type'] ?? fields['type']
    const element =
      this.columns.osm && /^\d+$/u.test(text) && (type === 'node' || type === 'way' || type === 'relation')
    if (element) return `${type}/${text}`
    // A spreadsheet's 1032.0 is number 1032.
    return text.replace(/^(\d+)\.0$/u, '$1').slice(0, 200)
  }

  private waypoint(
    fields: Readonly<Record<string, unknown>>,
    [longitude, latitude]: Position,
    tagged: readonly string[],
  ): ReadWaypoint {
    const kinds = this.columns.osm ? [] : this.all('kind', fields)
    const amenities = this.amenities(fields, tagged, kinds)
    const street = this.street(fields)
    const district = this.text('district', fields)
    const region = this.text('region', fields) ?? district
    const own = this.text('name', fields)
    const made = own ?? this.madeName(fields)
    const kind =
      kinds.map(calmKind).find((text) => text !== undefined) ?? this.map.kind ?? kindLabel(amenities)
    const place = street ?? district ?? region ?? this.place
    const name = made ?? describedName({ kind, place, latitude, longitude })
    const description = this.description(fields)
    const image = imageOf(this.all('image', fields))
    const maintainer = this.maintainer(fields)
    return {
      name: shortened(name.replaceAll('\n', ' '), limits.waypointName),
      latitude: rounded(latitude),
      longitude: rounded(longitude),
      amenities,
      ...(description === undefined ? {} : { description }),
      ...(image === undefined ? {} : { image }),
      ...(maintainer === undefined
        ? {}
        : {
            maintainer: shortened(
              maintainer.includes(' ') ? calm(maintainer) : maintainer,
              limits.maintainer,
            ),
          }),
      ...(region === undefined ? {} : { region: shortened(calm(region), limits.region) }),
      ...(own === undefined ? { described: kind } : {}),
    }
  }

  private amenities(
    fields: Readonly<Record<string, unknown>>,
    tagged: readonly string[],
    kinds: readonly string[],
  ): string[] {
    const found = new Set(tagged)
    for (const kind of kinds) for (const amenity of kindMeaning(kind).amenities) found.add(amenity)
    if (!this.columns.osm) {
      for (const [role, amenity] of simpleRoles)
        if (yesOrNo(this.first(role, fields)) === true) found.add(amenity)
      const fee = yesOrNo(this.first('fee', fields))
      if (fee !== undefined) found.add(fee ? 'fee' : 'free')
      const part = seasonOf(this.first('season', fields) ?? this.seasonalStatus(fields))
      if (part !== undefined) found.add(part)
      const winter = yesOrNo(this.first('winter', fields))
      if (winter !== undefined) found.add(winter ? 'all-year' : 'seasonal')
      for (const entry of listOf(this.first('amenities', fields))) found.add(normaliseAmenity(entry))
    }
    for (const [column, words] of Object.entries(this.map.amenities ?? {})) {
      for (const amenity of words[String(fields[column] ?? '').trim()] ?? []) found.add(amenity)
    }
    return [...found].slice(0, limits.amenities)
  }

  /** The source's own words, then what is out of order and when it is open. */
  private description(fields: Readonly<Record<string, unknown>>): string | undefined {
    const lines: string[] = []
    const own = this.text('description', fields)
    if (own !== undefined) lines.push(own)
    const status = this.all('status', fields).find((value) => conditionOf(value) === 'broken')
    if (status !== undefined) {
      const reason =
        this.text('statusReason', fields) ?? (yesOrNo(status) === undefined ? plainText(status) : undefined)
      const words = reason === undefined ? '' : `: ${calm(reason.replaceAll('_', ' '))}`
      lines.push(`Out of order when listed${words}.`)
    }
    const season = this.text('season', fields) ?? this.seasonalStatus(fields)
    if (season !== undefined && yesOrNo(season) === undefined && seasonOf(season) === 'seasonal') {
      lines.push(`In operation: ${season.replaceAll('_', ' ')}.`)
    }
    const hours = this.text('hours', fields)
    if (hours !== undefined && hours !== '24/7') lines.push(`Open: ${hours}.`)
    if (this.first('access', fields) === 'customers') lines.push('For customers.')
    return lines.length === 0 ? undefined : shortened(lines.join('\n'), limits.description)
  }

  /** Words about the season in a column about the state, such as "spring to fall" under IN_OPERATION. */
  private seasonalStatus(fields: Readonly<Record<string, unknown>>): string | undefined {
    return this.all('status', fields).find(
      (value) => yesOrNo(value) === undefined && seasonOf(value) !== undefined,
    )
  }

  /** An operator that is a private person stays unnamed. */
  private maintainer(fields: Readonly<Record<string, unknown>>): string | undefined {
    const type = fields['operator:type']
    return type === 'private' || type === 'individual' ? undefined : this.text('maintainer', fields)
  }

  private street(fields: Readonly<Record<string, unknown>>): string | undefined {
    const street = this.text('street', fields)
    const number = this.text('houseNumber', fields)
    if (street === undefined) return undefined
    return calm(number === undefined ? street : `${street} ${number}`).replaceAll('\n', ', ')
  }

  /** A name that a map's template makes. */
  private madeName(fields: Readonly<Record<string, unknown>>): string | undefined {
    for (const template of this.nameTemplates) {
      const text = plainText(template(fields))
      if (text !== undefined) return text.charAt(0).toUpperCase() + text.slice(1)
    }
    return undefined
  }

  private text(role: Role, fields: Readonly<Record<string, unknown>>): string | undefined {
    for (const template of this.templates.get(role) ?? []) {
      const text = plainText(template(fields))
      if (text !== undefined && !/\b(?:undefined|null|NaN)\b/u.test(text)) return text
    }
    return undefined
  }

  private first(role: Role, fields: Readonly<Record<string, unknown>>): unknown {
    for (const template of this.templates.get(role) ?? []) {
      const value = template(fields)
      if (!isPlaceholder(value)) return value
    }
    return undefined
  }

  private all(role: Role, fields: Readonly<Record<string, unknown>>): string[] {
    const values: string[] = []
    for (const template of this.templates.get(role) ?? []) {
      const value = template(fields)
      if (typeof value === 'string' && !isPlaceholder(value)) values.push(value.trim())
      else if (typeof value === 'boolean') values.push(String(value))
    }
    return values
  }
}

const simpleRoles: readonly (readonly [Role, string])[] = [
  ['bottle', 'bottle-filler'],
  ['dog', 'dog-bowl'],
  ['wheelchair', 'wheelchair'],
  ['indoor', 'indoor'],
  ['covered', 'covered'],
  ['tested', 'tested'],
]

type Template = (fields: Readonly<Record<string, unknown>>) => unknown

function templateOf(entry: string): Template {
  if (!entry.includes('{')) return (fields) => fields[entry]
  const columns = columnsOf(entry)
  return (fields) => {
    if (columns.some((column) => isPlaceholder(fields[column]))) return undefined
    return entry.replaceAll(/\{([^{}]+)\}/gu, (_, column: string) => calm(String(fields[column]).trim()))
  }
}

/** A kind in the source's own words, for a name; codes and machine words are made readable. */
function calmKind(kind: string): string | undefined {
  const text = plainText(kind.replaceAll('_', ' '))
  if (text === undefined || /^\d+$/u.test(text) || text.length > 60) return undefined
  const plain = calm(text).replace(/\s+location$/iu, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** The first value that is a web address, or a file of Wikimedia Commons, as a web address. */
function imageOf(values: readonly string[]): string | undefined {
  for (const value of values) {
    const file = /^File:(.+)$/iu.exec(value)?.[1]
    const text =
      file === undefined
        ? value
        : `https://commons.wikimedia.org/wiki/Special:FilePath/${encodeURIComponent(file.replaceAll(' ', '_'))}`
    if (/^https?:\/\//iu.test(text) && !/[\s;]/u.test(text) && text.length <= limits.imageUrl) {
      const url = URL.parse(text)
      if (url !== null && url.hostname !== '' && url.username === '' && url.password === '') return text
    }
  }
  return undefined
}

function listOf(value: unknown): string[] {
  const parts: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[;,|]/u)
      : []
  return parts.flatMap((part) => {
    const text = plainText(part)
    return text === undefined || text.length > limits.amenity || isRecord(part) ? [] : [text]
  })
}

/** Seven decimals are a centimetre; more is a map projection's noise. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
