import { customText } from '../../custom-fields.ts'
import type { LogEntry, Waypoint, WaypointSource } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import { siteOfPage } from '../../api/site.ts'
import { desk, format, onMap, words } from './config.ts'
import { element, factList, link, named, type Content } from './element.ts'
import { read } from './send.ts'

/** A current fountain, with the entity tag for conditional changes. */
export interface Fountain {
  readonly waypoint: Waypoint
  readonly etag: string | undefined
  readonly sources: readonly WaypointSource[]
}

/** A fountain that no longer exists. */
export interface GoneFountain {
  readonly id: number
  readonly mergedInto?: number
}

/** Reads the current state of a fountain; a deleted one only has its number. @throws Refusal */
export async function readFountain(id: number): Promise<Fountain | GoneFountain> {
  try {
    const { body, etag } = await exchange<Omit<Fountain, 'etag'>>(siteOfPage(), 'GET', `/waypoints/${id}`)
    return { ...body, etag }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
    const { mergedInto } = error.details
    return { id, ...(typeof mergedInto === 'number' && { mergedInto }) }
  }
}

/** A page of a fountain's history, newest first. @throws Refusal */
export const readHistory = (
  id: number,
  offset = 0,
): Promise<{ readonly logs: readonly LogEntry[]; readonly total: number }> =>
  read(`/logs?bubblerId=${id}&limit=${historyPage}&offset=${offset}`)

export const historyPage = 50

const fields: Readonly<Record<string, string>> = words.field
const amenities: Readonly<Record<string, string>> = words.amenity
const choices: Readonly<Record<string, string>> = words.fact

/** A field in the reader's language; unknown ones are returned unchanged. */
export const fieldName = (field: string): string =>
  Object.hasOwn(fields, field) ? (fields[field] ?? '') : field

/** A value of a field as text; user text is unchanged. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return desk.none
  if (Array.isArray(value))
    return value.length === 0
      ? desk.none
      : value
          .map((one) => String(one))
          .map((key) => (Object.hasOwn(amenities, key) ? (amenities[key] ?? key) : key))
          .join(', ')
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string')
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${customText(member)}`)
      .join('; ')
  const choice = `${field}.${value}`
  if (Object.hasOwn(choices, choice)) return choices[choice] ?? value
  return field === 'season' ? format.season(value) : value
}

/** The compared and shown fields, in the order of their labels. */
export const shownFields: readonly string[] = Object.keys(words.field).filter(
  (field) => !['latitude', 'longitude', 'addedByUserId', 'approved', 'verified'].includes(field),
)

/** A fountain's values by shown field. */
export const valuesOf = (waypoint: Waypoint): Readonly<Record<string, unknown>> => ({ ...waypoint })

/** The position as it is typed. */
export const positionText = ({ latitude, longitude }: Waypoint): HTMLElement =>
  element('span', 'mono', `${latitude}, ${longitude}`)

/** The fields of a fountain that are not empty. */
export function fountainFacts(waypoint: Waypoint): HTMLElement {
  const values = valuesOf(waypoint)
  const rows: (readonly [string, Content])[] = shownFields
    .filter((field) => field !== 'name' && valueText(field, values[field]) !== desk.none)
    .map((field) => [fieldName(field), named(valueText(field, values[field]))])
  return factList([[words.position, positionText(waypoint)], ...rows])
}

/** The name of a fountain with its flags by moderators. */
export function fountainHead(waypoint: Waypoint): HTMLElement {
  const tags = element('p', 'tags')
  if (waypoint.approved) tags.append(element('span', 'tag', words.approved))
  if (waypoint.verified) tags.append(element('span', 'tag tag-verified', words.verified))
  const place = link(onMap(waypoint), desk.onMap)
  place.className = 'tag'
  place.target = '_blank'
  place.rel = 'noopener'
  tags.append(element('span', 'tag tag-plain', `#${waypoint.id}`), place)
  return tags
}
