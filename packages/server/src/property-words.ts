import {
  areaFields,
  harvestFields,
  listingFields,
  observationFields,
  photoFields,
  placeFields,
  reviewFields,
  sourceFields,
  sourceFigures,
  statisticsFields,
  userCounts,
  userFields,
  waypointFields,
  type Fields,
} from '@openfountain/core/fields'

/** Descriptions of the properties of bodies: those of fields are core's, all others are below. */

const ofUser = { ...userCounts, ...userFields }
const ofSource = { ...sourceFields, ...sourceFigures }

/** The nouns of components by the beginnings of their names; the first that fits counts. */
const nouns: readonly (readonly [name: RegExp, fields: Fields])[] = [
  [/^WaypointSource/u, { ...listingFields, ...ofSource }],
  [/Waypoint|^(?:Many|Season)Input|^DoubtfulRow/u, { ...waypointFields, ...placeFields }],
  [/^Review/u, reviewFields],
  [/^Photo/u, photoFields],
  [/^Observation/u, observationFields],
  [/^BoundingBox/u, areaFields],
  [/^Source/u, ofSource],
  [/^Harvest$/u, harvestFields],
  [/User|^LeaderboardEntry/u, ofUser],
  [/^Statistics/u, statisticsFields],
]

/** Other properties, by their names. */
const words: Readonly<Record<string, string>> = {
  id: 'Identifier',
  name: 'Name',
  act: 'The first entry of the act that it is part of',
  action: 'What was done',
  active: 'Whether it is in use',
  addAmenities: 'Amenities that each gets, unless it has them',
  addedAt: 'When it was added, UTC',
  ageSeconds: 'How old its content is, in seconds',
  alt: 'What it shows, for those who do not see it',
  amenity: 'Only those with all of these amenities',
  apiVersion: 'The version of the API',
  at: 'When, UTC',
  author: 'Whom to name when using the data',
  awards: 'Who earned how many points, for what: `[user, event, points]`',
  bbox: 'West, south, east and north in degrees',
  block: 'The block as it is now',
  bubblerId: 'The waypoint',
  by: 'Identifier of who did it; `api` for programs and imports',
  bytes: 'Its size in bytes',
  changes: 'What changed, by field: its values before and after',
  checkedAt: 'When it was last fetched, UTC',
  code: 'The kind of error',
  comment: 'A remark of whoever made it',
  commitments: 'Commitments of redacted fields, by their names',
  conformsTo: 'The requirement classes that it conforms to',
  coordinates: 'Positions, longitude before latitude',
  country: 'Only in this country, ISO 3166-1 alpha-2',
  createdAt: 'When it was made, UTC',
  crs: 'Coordinate systems, by their URIs',
  decidedAt: 'When it was decided, UTC',
  decisions: 'What is decided of each row',
  description: 'What is to be known of it',
  distinct: 'The two that are not the same',
  documentation: 'Where the API is described',
  email: 'The address for mail, which is never published',
  entries: 'The entries that it made',
  event: 'What happened',
  events: 'Which events; all when absent',
  every: 'How often it is fetched',
  expiresAt: 'When it ends, UTC',
  extent: 'The space and time that it covers',
  features: 'Features, of which those with lines are the route',
  fields: 'The fields that it is about',
  fountains: 'The waypoints that the caller keeps',
  geometry: 'A geometry of GeoJSON',
  hash: 'The root of the tree over all entries, in hexadecimal',
  href: 'The address',
  interval: 'Pairs of times, null where it is open',
  isModerator: 'Whether they are a moderator',
  isRead: 'Whether it was read',
  itemType: 'What its items are',
  keeper: 'Only what this user keeps',
  large: 'The address of the file of at most 2048 pixels',
  lastUsedAt: 'When it was last used, UTC',
  latitude: 'Latitude, WGS 84, in degrees',
  level: 'Level, derived from the experience points',
  license: 'The licence: an SPDX id or a name',
  limit: 'The most of one page',
  links: 'What it belongs to',
  longitude: 'Longitude, WGS 84, in degrees',
  maintainer: 'Who looks after it',
  mediaType: 'Its media type',
  medium: 'The address of the middle-sized file',
  mergedInto: 'The waypoint that it was merged into',
  message: 'The error in words, as in `error`',
  mine: 'Whether it is about what the caller added or edited',
  near: 'A place',
  nextAt: 'When it is fetched next, UTC',
  note: 'A note for those who decide, and for nobody else',
  observation: 'The observation',
  offset: 'How many come before this page',
  openapi: 'The address of the OpenAPI document',
  photo: 'The photo',
  providers: 'Others with whom people sign in',
  queue: 'Whether it is about what waits for moderators',
  radius: 'Metres around the place',
  reason: 'Why, in words',
  reference: 'The address of the reference',
  region: 'Only in this town, district or other region',
  rel: 'The relation of the link (IANA)',
  removeAmenities: 'Amenities that each loses',
  removedAt: 'When it was removed, UTC',
  report: 'The report as it is now',
  restores: 'The entry whose deletion it takes back',
  reverted: 'The entries that were taken back',
  reverts: 'The entry that it takes back',
  review: 'The review',
  revision: 'A number that grows with each write',
  rows: 'How many rows it has',
  salts: 'Salts of the fields that are left, by their names',
  secret: 'The secret, which is not shown again',
  seed: 'The random bytes that hide the values, in hexadecimal; absent after a redaction',
  sent: 'True, whether or not there is an account: nobody learns that here',
  small: 'The address of the small file',
  source: 'The name of a source',
  sourceId: 'Identifier of the source',
  spatial: 'The box that it covers',
  staleSince: 'Since when it could not be fetched, UTC; absent when it could',
  state: 'Its state',
  states: 'The state of each waypoint about which something is known, by its id',
  status: 'Its status',
  storageCrs: 'The coordinate system in which positions are kept',
  subdivision: 'Only in this part of a country, ISO 3166-2',
  subject: 'The kind of thing that it is about',
  subjectId: 'The identifier of that thing',
  success: 'Only with the request header API-Version: 6',
  temporal: 'The time that it covers',
  timestamp: 'When, UTC',
  title: 'A name for people',
  total: 'How many there are altogether',
  ttl: 'How long it is good for, in seconds',
  type: 'Its type',
  undone: 'The entries that were taken back',
  until: 'The last time or day of it, UTC',
  updatedAt: 'When it was last changed, UTC',
  updatedSince: 'Only changed at this time or later',
  updatedUntil: 'Only changed at this time or earlier',
  url: 'Its address',
  usable: 'Only those that give water which may be used, or only others',
  user: 'Who it is',
  userId: 'Identifier of who did it',
  waypoint: 'The waypoint',
  waypoints: 'The waypoints',
  what: 'What it is about',
  withheld: 'Whether fields are left out here for their licence',
  kind: 'Its kind',
  authority: 'Whose word it is: of a moderator, the operator or a keeper',
  sha256: 'Its SHA-256, in hexadecimal',
  since: 'Since when, UTC',
}

type Node = Record<string, unknown>
const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

/** Whether a schema is described where it refers to. */
export const isReferring = (schema: unknown): boolean =>
  isNode(schema) &&
  ('$ref' in schema ||
    isReferring(schema['items']) ||
    ['allOf', 'anyOf', 'oneOf'].some((of) => Array.isArray(schema[of]) && schema[of].some(isReferring)))

/** Describes the properties that say nothing themselves, of a component or an operation by its name. */
export function describeProperties(name: string, part: unknown): void {
  if (Array.isArray(part)) for (const each of part) describeProperties(name, each)
  if (!isNode(part)) return
  const { properties } = part
  if (isNode(properties))
    for (const [property, schema] of Object.entries(properties)) {
      if (!isNode(schema) || 'description' in schema || isReferring(schema)) continue
      const fields = nouns.find(([pattern]) => pattern.test(name))?.[1]
      const { meaning, unit } = fields?.[property] ?? {}
      const description =
        meaning === undefined ? words[property] : unit === undefined ? meaning : `${meaning} (${unit})`
      if (description !== undefined) Object.assign(schema, { description })
    }
  for (const [member, each] of Object.entries(part))
    // The members of `properties` are schemas.
    if (member !== 'properties') describeProperties(name, each)
    else for (const schema of Object.values(each ?? {})) describeProperties(name, schema)
}
