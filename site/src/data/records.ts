import { LoggedEntry } from '@openfountain/core'
import { type GivenEntry, Harvesting, subjectActions } from '@openfountain/core/internal'
import {
  areaFields,
  namesOf,
  optionalNames,
  photoFields,
  placeFields,
  reviewFields,
  sourceFields,
  statisticsFields,
  userCounts,
  waypointFields,
  type Field,
  type Fields,
  type OptionalName,
} from '@openfountain/core/fields'
import { waypointStates } from '@openfountain/core/status'
import { z } from 'zod'
import type { Nameable } from '../naming.ts'
import type { ShownPhoto } from '../photo.ts'

const id = z.number().int().nonnegative()
const sha256 = z.string().regex(/^[\da-f]{64}$/u)
const time = z.iso.datetime({ offset: true })

type Text = z.ZodOptional<z.ZodNullable<z.ZodString>>
type OptionalColumns<All extends Fields> = {
  readonly [Name in OptionalName<All> as All[Name]['column']]: Text
}

function counted<const All extends Fields>(fields: All): Record<All[keyof All]['column'], z.ZodNumber> {
  const columns = namesOf(fields).map((name) => (fields[name] as Field).column)
  return Object.fromEntries(columns.map((column) => [column, z.number().int().nonnegative()])) as Record<
    All[keyof All]['column'],
    z.ZodNumber
  >
}

function optionalColumns<All extends Fields>(fields: All): OptionalColumns<All> {
  const columns = optionalNames(fields).map((name) => (fields[name] as Field).column)
  return Object.fromEntries(columns.map((column) => [column, z.string().nullish()])) as OptionalColumns<All>
}

const known = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row

/** A custom field, which the registry declares. */
const Property = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

const WaypointLine = z.object({
  ...optionalColumns(waypointFields),
  ...optionalColumns(placeFields),
  id,
  name: z.string(),
  name_is_generated: z.boolean().default(false),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  amenities: z.array(z.string()).default([]),
  approved: z.boolean(),
  verified: z.boolean(),
  added_by: z.string(),
  created_at: time,
  updated_at: time,
  last_confirmed: z.iso.date().nullish(),
  last_listed: z.iso.date().nullish(),
  source_updated: z.iso.date().nullish(),
  state: z.enum(waypointStates).nullish(),
  state_since: z.string().nullish(),
  rating: z.number().nullish(),
  review_count: z.number().int().nonnegative().default(0),
  custom_properties: z.record(z.string(), Property).nullish(),
  osm_type: z.enum(['node', 'way', 'relation']).nullish(),
  osm_id: z.number().int().positive().nullish(),
  osm_tags: z.record(z.string(), z.string()).nullish(),
  derived_tags: z.record(z.string(), z.string()).nullish(),
  sources: z.array(z.string()).default([]),
  source_refs: z.array(z.string()).default([]),
  license: z.string().nullish(),
  attribution: z.string().nullish(),
})
export const Waypoint = WaypointLine.transform(({ sources, name_is_generated: isLabel, ...line }) =>
  // A site labels fountains without a name itself, in the language of each page. Two records of one source are one to name.
  known<typeof line & { source?: string | null } & Pick<Nameable, 'town' | 'street'> & WithPhoto>({
    ...line,
    name: isLabel ? '' : line.name,
    source: sources.length === 0 ? null : [...new Set(sources)].join('; '),
  }),
)
interface WithPhoto {
  photo?: ShownPhoto
}

export type Waypoint = z.infer<typeof Waypoint>

export const LogLine = LoggedEntry.refine(
  ({ subject, action }) => subjectActions[subject].some((known) => known === action),
  { path: ['action'], message: 'is not an action on this subject' },
)
export type LogLine = GivenEntry

export const Review = z.object({
  ...optionalColumns(reviewFields),
  id,
  waypoint_id: id,
  user_id: z.string(),
  rating: z.number(),
  created_at: time,
})
export type Review = z.infer<typeof Review>

const PhotoLine = z.object({
  ...optionalColumns(photoFields),
  id,
  waypoint_id: id,
  author: z.string().nullish(),
  license: z.string(),
  created_at: time,
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  sha256,
  medium_sha256: sha256,
  small_sha256: sha256,
})
export const Photo = PhotoLine.transform((line) => known<typeof line>(line))
export type Photo = z.infer<typeof Photo>

export const Contributor = z.object({
  id: z.string(),
  name: z.string(),
  xp: z.number(),
  level: z.number().int(),
  created_at: time,
  badge: z.literal('moderator').nullish(),
  ...counted(userCounts),
})
export type Contributor = z.infer<typeof Contributor>

export const Source = z.object({
  ...optionalColumns(sourceFields),
  id,
  name: z.string(),
  license: z.string(),
  waypoints: z.number().int().nonnegative().optional(),
  last_import: z.string().nullish(),
  published: z.iso.date().nullish(),
  consents_to: z.string().nullish(),
  harvesting: Harvesting.nullish(),
})
export type Source = z.infer<typeof Source>

/** The registry's totals, stats.json. */
export const Totals = z.object(counted(statisticsFields))
export type Totals = z.infer<typeof Totals>

const position = z.tuple([z.number(), z.number()]).rest(z.number())

export const Area = z.object({
  geometry: z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(position)) }),
  properties: z.object({
    ...optionalColumns(areaFields),
    name: z.string(),
    color: z.string().nullish(),
    active: z.boolean().optional(),
  }),
})
export type Area = z.infer<typeof Area>
