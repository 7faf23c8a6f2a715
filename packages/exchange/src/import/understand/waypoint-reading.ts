import type { OptionalValues } from '@openfountain/core/fields'
import {
  daysOf,
  describedName,
  fieldsInTags,
  kindLabel,
  type ListedDays,
  seasonInTag,
  type SourceState,
} from '@openfountain/core/internal'
import { limits } from '@openfountain/core/rules'
import { normaliseAmenity } from '@openfountain/core/vocabulary'
import type { Cells, Columns, Role, MapFile } from './columns.ts'
import {
  conditionOf,
  accessIn,
  drinkableIn,
  isClosedForSeason,
  monthsIn,
  seasonBeside,
  seasonOf,
  sourceStateOf,
} from './conditions.ts'
import { dayIn, type DayOrder, ordinaryCase, plainText, shortened, yesOrNo } from './values.ts'
import type { Position } from '../read/geometry.ts'
import { kindMeaning, lifecycleOf, tagMeaning, keptTags } from './kinds.ts'
import { isRecord } from '../read/nested-fields.ts'

/** A waypoint as read from a row, in the fields of the registry. */
export interface ReadWaypoint extends Readonly<OptionalValues>, ListedDays {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly amenities: string[]
  readonly approved?: boolean
  readonly verified?: boolean
  /** Why it gives no water, as the source says. */
  readonly state?: SourceState
  /** The kind in a name that was generated because the source has none; absent when the name is the source's own. */
  readonly described?: string
  /** The tags of the object at OpenStreetMap that it is. */
  readonly tags?: Readonly<Record<string, string>>
}

/** Reads a waypoint from a row's cells. */
export class WaypointReading {
  /** Whether the fields are OpenStreetMap's tags. */
  readonly #osm: boolean
  readonly #map: MapFile
  readonly #place: string | undefined
  readonly #dayOrder: DayOrder | undefined

  constructor({ osm, dayOrder }: Pick<Columns, 'osm' | 'dayOrder'>, map: MapFile, place: string | undefined) {
    this.#osm = osm
    this.#dayOrder = dayOrder
    this.#map = map
    this.#place = place
  }

  read(cells: Cells, [longitude, latitude]: Position): ReadWaypoint {
    const kinds = this.#osm ? [] : cells.all('kind')
    const amenities = this.#amenities(cells, kinds)
    const street = this.#street(cells)
    const district = cells.text('district')
    const region = cells.text('region') ?? district ?? this.#place
    const own = cells.text('name')
    const kind = own === undefined ? this.#kindName(kinds, amenities) : undefined
    const place = street ?? district ?? region ?? this.#place
    const name =
      own ?? cells.templateName() ?? describedName({ kind: kind ?? '', place, latitude, longitude })
    const says = this.#stateIn(cells)
    const { state } = says
    // Only tags have values in the form of the fields for certain.
    const days = daysIn(cells, state, this.#dayOrder)
    const drinkable = this.#osm ? undefined : drinkableIn(cells)
    const access = accessIn(cells)
    const tagged = {
      ...(this.#osm
        ? fieldsInTags((key) => plainText(cells.fields[key]))
        : { ...this.#seasonIn(cells, days, state), ...(drinkable !== undefined && { drinkable }) }),
      ...(access !== undefined && { access }),
    }
    const description = this.#description(cells, tagged, says)
    const image = imageOf(cells.all('image'))
    const maintainer = this.#maintainer(cells)
    return {
      name: shortened(name.replaceAll('\n', ' '), limits.waypointName),
      latitude: rounded(latitude),
      longitude: rounded(longitude),
      amenities,
      ...(description === undefined ? {} : { description }),
      ...(image === undefined ? {} : { image }),
      ...(maintainer === undefined ? {} : { maintainer: shortened(maintainer, limits.maintainer) }),
      ...(region === undefined ? {} : { region: shortened(ordinaryCase(region), limits.region) }),
      ...tagged,
      ...(state === undefined ? {} : { state }),
      ...days,
      ...(this.#osm && keptTags(cells.fields)),
      ...(kind === undefined ? {} : { described: kind }),
    }
  }

  /** The source's complaint, in its own words and as a state. */
  #stateIn(cells: Cells): Says {
    const values = cells.all('status')
    const status = values.find((value) => conditionOf(value) === 'broken')
    const reason = cells.text('statusReason')
    if (status !== undefined) {
      const state = sourceStateOf(status, reason)
      return { status, ...(state !== undefined && { state }) }
    }
    const lifecycle = this.#osm ? lifecycleOf(cells.fields) : undefined
    if (lifecycle !== undefined) return { status: lifecycle.stage, state: 'broken' }
    if (!this.#osm && yesOrNo(cells.first('outOfOrder')) === true) return { status: 'true', state: 'broken' }
    // If a column says that it works, another column's statement about the winter does not apply now.
    if (values.some((value) => conditionOf(value) === 'works')) return {}
    if (reason !== undefined && isClosedForSeason(reason)) return { status: reason, state: 'off' }
    const own = cells.text('description')
    return own !== undefined && isClosedForSeason(own) ? { state: 'off' } : {}
  }

  /** The season where columns name its first and its last month, or the days between which it is closed for the winter. */
  #seasonIn(cells: Cells, { since, until }: ListedDays, state: SourceState | undefined): OptionalValues {
    const months = monthsIn(cells.text('season') ?? this.#seasonalStatus(cells) ?? '')
    const isWinter = state === 'off' && since !== undefined && until !== undefined
    const season = months ?? (isWinter ? seasonBeside(since, until) : undefined)
    return season === undefined ? {} : { season }
  }

  /** The name of a nameless fountain: in the source's words, the map's, or the vocabulary's. */
  #kindName(kinds: readonly string[], amenities: readonly string[]): string {
    return (
      kinds.map(readableKind).find((text) => text !== undefined) ?? this.#map.kind ?? kindLabel(amenities)
    )
  }

  #amenities(cells: Cells, kinds: readonly string[]): string[] {
    const { fields } = cells
    const found = new Set(this.#osm ? tagMeaning(fields).amenities : [])
    for (const kind of kinds) for (const amenity of kindMeaning(kind).amenities) found.add(amenity)
    if (!this.#osm) {
      for (const [role, amenity] of simpleRoles) if (yesOrNo(cells.first(role)) === true) found.add(amenity)
      const fee = yesOrNo(cells.first('fee'))
      if (fee !== undefined) found.add(fee ? 'fee' : 'free')
      const part = seasonOf(cells.first('season') ?? this.#seasonalStatus(cells))
      if (part !== undefined) found.add(part)
      const winter = yesOrNo(cells.first('winter'))
      if (winter !== undefined) found.add(winter ? 'all-year' : 'seasonal')
      for (const entry of listOf(cells.first('amenities'))) found.add(normaliseAmenity(entry))
    }
    for (const [column, words] of Object.entries(this.#map.amenities ?? {})) {
      for (const amenity of words[String(fields[column] ?? '').trim()] ?? []) found.add(amenity)
    }
    return [...found].slice(0, limits.amenities)
  }

  /** The source's own words, then problems and opening times. */
  #description(cells: Cells, tagged: OptionalValues, { status, state }: Says): string | undefined {
    const lines: string[] = []
    // A text in a field is not repeated.
    const isTagged = (value = '') => Object.values(tagged).includes(value)
    const description = cells.text('description')
    if (description !== undefined) lines.push(description)
    if (status !== undefined) {
      const own = yesOrNo(status) === undefined ? plainText(status) : undefined
      const reason = cells.text('statusReason') ?? own
      const words = reason === undefined ? '' : `: ${ordinaryCase(reason.replaceAll('_', ' '))}`
      lines.push(`${stateWords[state ?? 'partly']} when listed${words}.`)
    }
    const season = cells.text('season') ?? this.#seasonalStatus(cells)
    const isPart = season !== undefined && yesOrNo(season) === undefined && seasonOf(season) === 'seasonal'
    if (isPart && !isTagged(seasonInTag(season)) && !isTagged(monthsIn(season))) {
      lines.push(`In operation: ${season.replaceAll('_', ' ')}.`)
    }
    const hours = cells.text('hours')
    if (hours !== undefined && hours !== '24/7' && !isTagged(hours)) lines.push(`Open: ${hours}.`)
    return lines.length === 0 ? undefined : shortened(lines.join('\n'), limits.description)
  }

  /** Words about the season in a column about the state, such as "spring to fall" under IN_OPERATION. */
  #seasonalStatus(cells: Cells): string | undefined {
    return cells.all('status').find((value) => yesOrNo(value) === undefined && seasonOf(value) !== undefined)
  }

  /** An operator that is a private person is not named. */
  #maintainer(cells: Cells): string | undefined {
    const type = cells.fields['operator:type']
    const name = type === 'private' || type === 'individual' ? undefined : cells.text('maintainer')
    return name?.includes(' ') === true ? ordinaryCase(name) : name
  }

  #street(cells: Cells): string | undefined {
    const street = cells.text('street')
    const number = cells.text('houseNumber')
    if (street === undefined) return undefined
    return ordinaryCase(number === undefined ? street : `${street} ${number}`).replaceAll('\n', ', ')
  }
}

/** A row's complaint about a fountain. */
interface Says {
  /** In the source's own words, where they are not in the description anyway. */
  readonly status?: string
  readonly state?: SourceState
}

function daysIn(cells: Cells, state: SourceState | undefined, order: DayOrder | undefined): ListedDays {
  const day = (role: Role) => dayIn(cells.all(role), order)
  return daysOf({
    checked: day('checked'),
    updated: day('updated'),
    ...(state !== undefined && { since: day('since'), until: day('until') }),
  })
}

const stateWords = { broken: 'Out of order', off: 'Closed for the season', partly: 'Works in part' } as const

const simpleRoles: readonly (readonly [Role, string])[] = [
  ['bottle', 'bottle-filler'],
  ['dog', 'dog-bowl'],
  ['wheelchair', 'wheelchair'],
  ['indoor', 'indoor'],
  ['covered', 'covered'],
  ['tested', 'tested'],
]

/** A kind in the source's own words, for a name; codes are left out, underscores become spaces. */
function readableKind(kind: string): string | undefined {
  const text = plainText(kind.replaceAll('_', ' '))
  if (text === undefined || /^\d+$/u.test(text) || text.length > 60) return undefined
  const plain = ordinaryCase(text).replace(/\s+location$/iu, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** The first value that is a web address, or a file of Wikimedia Commons, as a web address. */
function imageOf(values: readonly string[]): string | undefined {
  const commons = 'https://commons.wikimedia.org/wiki/Special:FilePath/'
  for (const value of values) {
    const file = /^File:(.+)$/iu.exec(value)?.[1]
    const text = file === undefined ? value : commons + encodeURIComponent(file.replaceAll(' ', '_'))
    if (/^https?:\/\//iu.test(text) && !/[\s;]/u.test(text) && text.length <= limits.imageUrl) {
      const url = URL.parse(text)
      if (url !== null && url.hostname !== '' && url.username === '' && url.password === '') return text
    }
  }
  return undefined
}

function listOf(value: unknown): string[] {
  const parts: unknown[] = typeof value === 'string' ? value.split(/[;,|]/u) : []
  return (Array.isArray(value) ? value : parts).flatMap((part) => {
    const text = plainText(part)
    return text === undefined || text.length > limits.amenity || isRecord(part) ? [] : [text]
  })
}

/** Seven decimals are a centimetre; further ones come from rounding in map projections. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
