import { glob, readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { expect, test } from 'vitest'
import { BoundingBoxInput } from '../src/schemas/area.ts'
import { Invitation, NamedPerson } from '../src/accounts/sign-ins.ts'
import { PersonalTokenInput, TokenInput } from '../src/accounts/tokens.ts'
import { NamedWay } from '../src/accounts/ways.ts'
import { Since } from '../src/decide/revert.ts'
import { Block, Reasoned } from '../src/decide/user.ts'
import { ObservationsQuery } from '../src/observations.ts'
import { ReportsQuery } from '../src/reports.ts'
import { CreateOptions, DuplicateQuery } from '../src/schemas/duplicate.ts'
import { ActsQuery, QueueQuery } from '../src/schemas/moderation.ts'
import { ObservationInput } from '../src/schemas/observation.ts'
import { ReportDecision, ReportInput } from '../src/schemas/report.ts'
import { LeaderboardPage, UserPage } from '../src/users.ts'
import { LogQuery, RecentQuery } from '../src/changes.ts'
import { fieldNames, waypointFields, type Field } from '@openfountain/core/fields'
import { invalid, invalidBecause, RegistryError, type Issue } from '../src/errors.ts'
import { SearchQuery, WaypointFilter } from '../src/schemas/filter.ts'
import { parse } from '../src/schemas/parse.ts'
import { EnsuredUser, UserInput, UserPatch } from '../src/schemas/user.ts'
import { ReviewInput, ReviewPatch } from '../src/schemas/review.ts'
import { ReviewsQuery } from '../src/reviews.ts'
import { SourceInput } from '../src/schemas/source.ts'
import { WaypointInput, WaypointPatch } from '../src/schemas/waypoint.ts'

const schemas: Readonly<Record<string, z.ZodObject>> = {
  WaypointInput,
  WaypointPatch,
  ReviewInput,
  ReviewPatch,
  UserInput,
  UserPatch,
  BoundingBoxInput,
  SourceInput,
  WaypointFilter,
  SearchQuery,
  LogQuery,
  ReviewsQuery,
  ObservationInput,
  ObservationsQuery,
  ReportInput,
  ReportDecision,
  ReportsQuery,
  QueueQuery,
  ActsQuery,
  EnsuredUser,
  UserPage,
  LeaderboardPage,
  RecentQuery,
  DuplicateQuery,
  CreateOptions,
  Reasoned,
  Block,
  Since,
  TokenInput,
  PersonalTokenInput,
  Invitation,
  NamedPerson,
  NamedWay,
}

/** What programs write to each other, which no person reads: an entry of a mirrored log, and the name of a person there. */
const ofMachines = ['LoggedEntry', 'Name']

test('every schema of an input is among those whose messages are read', async () => {
  const folder = new URL('../src/', import.meta.url)
  const parsed = new Set<string>()
  for await (const file of glob('**/*.ts', { cwd: folder }))
    for (const [, name = ''] of (await readFile(new URL(file, folder), 'utf8')).matchAll(
      /\bparse(?:Foreign)?\((\w+),/gu,
    ))
      if (/^[A-Z]/u.test(name)) parsed.add(name)
  expect([...parsed].toSorted()).toEqual([...Object.keys(schemas), ...ofMachines].toSorted())
})

const ring = (...positions: unknown[]) => [positions]

/** Values of every kind, too short, too long and out of range. */
const probes: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  ' ',
  'text',
  'bell\u0007',
  'half \ud800',
  'x'.repeat(5000),
  `${'x'.repeat(400)}@example.org`,
  -1,
  0,
  1.5,
  1e9 + 1,
  1e20,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [],
  [7],
  [''],
  ['x'.repeat(200)],
  Array.from({ length: 200 }, (_, index) => `amenity ${index}`),
  [1, 2, 3, 'north'],
  [1, 2, 3, 4, 5],
  [0, 60, 10, 50],
  [0, 0, 0, 91],
  {},
  { latitude: 0, longitude: 0, radius: -1 },
  { latitude: 0, longitude: 0, radius: 1e9 },
  { latitude: 91, longitude: 'east' },
  ring([0, 0]),
  ring([0, 0], [0, 1], [1, 1], [1, 0]),
  ring([0, 0], [0, 1], [200, 1], [0, 0]),
  ring([0, 0], [0, 1, 2], [1, 1], [0, 0]),
  Array.from({ length: 200 }, () => [
    [0, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ]),
  ring(...Array.from({ length: 20_000 }, () => [0, 0])),
  { infinite: Number.POSITIVE_INFINITY },
  { latitude: 0, longitude: 0, accuracy: -1 },
  { latitude: 0, longitude: 0, accuracy: 'exact' },
]

function issuesOf(schema: z.ZodType, input: unknown, about: string): Issue[] {
  try {
    parse(schema, input)
    return []
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return (error.details['issues'] as Issue[]).filter(({ path }) => path.split('.')[0] === about)
  }
}

/** The fields of a waypoint's inputs that are described so, each with the schema that it is in. */
function waypoint(is: (field: Field) => boolean): string {
  const names = fieldNames.filter(
    (name) => waypointFields[name].setBy !== 'nobody' && is(waypointFields[name]),
  )
  const paths = names.map((name) => (waypointFields[name].type === 'words' ? `${name}.0` : name))
  return ['WaypointInput', 'WaypointPatch']
    .flatMap((schema) => paths.map((path) => `${schema} ${path}`))
    .join(', ')
}

const hasType = (...types: readonly Field['type'][]) => waypoint(({ type }) => types.includes(type))
const isText = hasType('text')
const upTo = (length: number) => waypoint(({ maxLength }) => maxLength === length)

/** The messages of the fields whose descriptions have a form or values of their own. */
const formed = fieldNames.flatMap((name) => {
  const form = formOf(waypointFields[name])
  if (form === undefined) return []
  const filter = name in WaypointFilter.shape ? `, WaypointFilter ${name}` : ''
  return [`${form}: WaypointInput ${name}, WaypointPatch ${name}${filter}`]
})

function formOf({ type, values = [] }: Field): string | undefined {
  if (type === 'choice') return `must be one of ${values.join(', ')}`
  return type === 'season'
    ? 'must be MM-DD/MM-DD, the first and the last day of the season such as 04-15/10-31, and days that exist'
    : undefined
}

/** Each message and where it occurs. Read a new one before adding it here. */
const messages: readonly string[] = [
  'is required: WaypointInput name, WaypointInput latitude, WaypointInput longitude, ReviewInput bubblerId, ReviewInput rating, UserInput name, BoundingBoxInput name, BoundingBoxInput coordinates, SourceInput name, SourceInput license, WaypointFilter near.latitude, WaypointFilter near.longitude, SearchQuery q, ObservationInput bubblerId, ObservationInput kind, ObservationInput near.latitude, ObservationInput near.longitude, ObservationsQuery bubblerId, ReportInput reason, ReportDecision state, QueueQuery kind, EnsuredUser externalId, EnsuredUser name, DuplicateQuery latitude, DuplicateQuery longitude, Reasoned reason, Block reason, TokenInput name, PersonalTokenInput name, NamedWay name',
  `must be text: ${hasType('text', 'address', 'season', 'words', 'user')}, ReviewInput comment, ReviewPatch comment, UserInput name, UserInput email, UserInput id, UserPatch name, UserPatch email, BoundingBoxInput name, BoundingBoxInput description, BoundingBoxInput color, SourceInput name, SourceInput url, SourceInput license, SourceInput attribution, WaypointFilter amenity.0, WaypointFilter region, WaypointFilter country, WaypointFilter subdivision, WaypointFilter maintainer, WaypointFilter source, WaypointFilter license, SearchQuery q, LogQuery userId, ReviewsQuery userId, ObservationInput comment, ReportInput userId, ReportInput comment, ReportDecision note, EnsuredUser externalId, EnsuredUser name, EnsuredUser email, DuplicateQuery name, Reasoned reason, Block reason, TokenInput name, TokenInput ownerId, PersonalTokenInput name, Invitation name, NamedPerson name, NamedWay name`,
  'must not be empty: WaypointInput name, WaypointInput amenities.0, WaypointInput addedByUserId, WaypointPatch name, WaypointPatch amenities.0, WaypointPatch addedByUserId, UserInput name, UserInput id, UserPatch name, BoundingBoxInput name, SourceInput name, SourceInput license, SourceInput attribution, WaypointFilter amenity.0, WaypointFilter region, WaypointFilter maintainer, WaypointFilter source, WaypointFilter license, ReportInput userId, EnsuredUser externalId, EnsuredUser name, Reasoned reason, Block reason, TokenInput name, PersonalTokenInput name, Invitation name, NamedPerson name, NamedWay name',
  `has a control character in it; only newlines and tabs are allowed: ${isText}, ReviewInput comment, ReviewPatch comment, UserInput name, UserInput id, UserPatch name, BoundingBoxInput name, BoundingBoxInput description, SourceInput name, SourceInput license, SourceInput attribution, ObservationInput comment, ReportInput comment, ReportDecision note, EnsuredUser externalId, EnsuredUser name, DuplicateQuery name, Reasoned reason, Block reason, TokenInput name, PersonalTokenInput name, Invitation name, NamedPerson name, NamedWay name`,
  `has half a character in it (a lone surrogate): ${isText}, ReviewInput comment, ReviewPatch comment, UserInput name, UserInput id, UserPatch name, BoundingBoxInput name, BoundingBoxInput description, SourceInput name, SourceInput license, SourceInput attribution, ObservationInput comment, ReportInput comment, ReportDecision note, EnsuredUser externalId, EnsuredUser name, DuplicateQuery name, Reasoned reason, Block reason, TokenInput name, PersonalTokenInput name, Invitation name, NamedPerson name, NamedWay name`,
  `must have at most 200 characters, has N: ${upTo(200)}, BoundingBoxInput name, SourceInput name, DuplicateQuery name`,
  'must be a number: WaypointInput latitude, WaypointInput longitude, WaypointPatch latitude, WaypointPatch longitude, WaypointFilter bbox.0, WaypointFilter near.longitude, ObservationInput near.longitude, ObservationInput near.accuracy, DuplicateQuery latitude, DuplicateQuery longitude, CreateOptions unlessNear',
  'must be between -90 and 90 degrees: WaypointInput latitude, WaypointPatch latitude, WaypointFilter bbox.0, WaypointFilter near.latitude, ObservationInput near.latitude, DuplicateQuery latitude',
  'must be between -180 and 180 degrees: WaypointInput longitude, WaypointPatch longitude, BoundingBoxInput coordinates.0.0.0, DuplicateQuery longitude',
  `must have at most 2000 characters, has N: ${upTo(2000)}, ReviewInput comment, ReviewPatch comment, BoundingBoxInput description, SourceInput attribution, ObservationInput comment, ReportInput comment, ReportDecision note, Reasoned reason, Block reason`,
  'must be a list: WaypointInput amenities, WaypointPatch amenities, BoundingBoxInput coordinates, BoundingBoxInput coordinates.0, WaypointFilter amenity',
  'must have at most 64 characters, has N: WaypointInput amenities.0, WaypointPatch amenities.0, SourceInput license',
  'must have at most 32 entries: WaypointInput amenities, WaypointPatch amenities, WaypointFilter amenity',
  'must be an absolute http: or https: URL of at most 2000 characters: WaypointInput image, WaypointPatch image, SourceInput url',
  `must have at most 255 characters, has N: ${upTo(255)}, EnsuredUser externalId`,
  ...formed,
  'must be an object: WaypointInput properties, WaypointPatch properties, BoundingBoxInput properties, WaypointFilter near, ObservationInput near',
  'must be a text, a number, true or false, or a list of texts: WaypointInput properties.infinite, WaypointPatch properties.infinite',
  'must be true or false: WaypointInput approved, WaypointInput verified, WaypointPatch approved, WaypointPatch verified, UserInput isModerator, BoundingBoxInput active, WaypointFilter approved, WaypointFilter verified, EnsuredUser isModerator, Invitation isModerator',
  'must have at most 128 characters: WaypointInput addedByUserId, WaypointPatch addedByUserId, LogQuery userId, ReportInput userId',
  'must be a whole number: ReviewInput bubblerId, ReviewInput rating, ReviewPatch rating, UserInput xp, WaypointFilter limit, WaypointFilter after, SearchQuery limit, SearchQuery offset, LogQuery limit, LogQuery offset, LogQuery bubblerId, LogQuery after, ReviewsQuery bubblerId, ReviewsQuery limit, ReviewsQuery after, ObservationInput bubblerId, ObservationsQuery limit, ObservationsQuery bubblerId, ObservationsQuery after, ReportInput bubblerId, ReportInput reviewId, ReportsQuery limit, ReportsQuery after, QueueQuery limit, QueueQuery after, ActsQuery limit, ActsQuery after, UserPage limit, UserPage offset, LeaderboardPage limit, LeaderboardPage offset, RecentQuery limit, TokenInput days, PersonalTokenInput days',
  'must be above 0: ReviewInput bubblerId, WaypointFilter near.radius, LogQuery bubblerId, ReviewsQuery bubblerId, ObservationInput bubblerId, ObservationsQuery bubblerId, ReportInput bubblerId, ReportInput reviewId',
  'is too large: ReviewInput bubblerId, WaypointFilter after, SearchQuery offset, LogQuery offset, LogQuery bubblerId, LogQuery after, ReviewsQuery bubblerId, ReviewsQuery after, ObservationInput bubblerId, ObservationsQuery bubblerId, ObservationsQuery after, ReportInput bubblerId, ReportInput reviewId, ReportsQuery after, QueueQuery after, ActsQuery after, UserPage offset, LeaderboardPage offset',
  'must be at least 1: ReviewInput rating, ReviewPatch rating, WaypointFilter limit, SearchQuery limit, LogQuery limit, ReviewsQuery limit, ObservationsQuery limit, ReportsQuery limit, QueueQuery limit, ActsQuery limit, UserPage limit, LeaderboardPage limit, RecentQuery limit, TokenInput days, PersonalTokenInput days',
  'must be at most 5: ReviewInput rating, ReviewPatch rating',
  'must have at most 80 characters, has N: UserInput name, UserPatch name, EnsuredUser name, TokenInput name, PersonalTokenInput name, Invitation name, NamedPerson name, NamedWay name',
  'must be an e-mail address: UserInput email, UserPatch email, EnsuredUser email',
  'must have at most 254 characters: UserInput email, UserPatch email, EnsuredUser email',
  'must have no white space and no slash: UserInput id',
  'must have at most 128 characters, has N: UserInput id',
  'must be at least 0: UserInput xp, WaypointFilter after, SearchQuery offset, LogQuery offset, LogQuery after, ReviewsQuery after, ObservationInput near.accuracy, ObservationsQuery after, ReportsQuery after, QueueQuery after, ActsQuery after, UserPage offset, LeaderboardPage offset',
  'must be at most 1000000000: UserInput xp',
  'must be a colour such as #ff8c00: BoundingBoxInput color',
  'must have at least one ring: BoundingBoxInput coordinates',
  'must have at most 32 rings: BoundingBoxInput coordinates',
  'must have at least four positions: BoundingBoxInput coordinates.0',
  'must be closed: the last position repeats the first: BoundingBoxInput coordinates.0',
  'must be two numbers: longitude, latitude: BoundingBoxInput coordinates.0.0',
  'must have at most 2000 positions: BoundingBoxInput coordinates.0',
  'must be JSON nested at most 16 deep: BoundingBoxInput properties',
  'must be four numbers: west, south, east, north: WaypointFilter bbox',
  'must have south not above north: WaypointFilter bbox',
  'must be at most 20100000: WaypointFilter near.radius',
  'is unknown: there are latitude, longitude, radius: WaypointFilter near.infinite, WaypointFilter near.accuracy',
  'must have at most 64 characters: WaypointFilter amenity.0, WaypointFilter license',
  'must have at most 200 characters: WaypointFilter region, WaypointFilter maintainer, WaypointFilter source, SearchQuery q',
  'must be two letters of ISO 3166-1, such as IT: WaypointFilter country',
  'must be a code of ISO 3166-2, such as IT-62: WaypointFilter subdivision',
  'must be one of works, unconfirmed, reported, broken, off, gone: WaypointFilter status',
  'must be an ISO 8601 time such as 2026-01-31T12:00:00Z: WaypointFilter updatedSince',
  'must be at most 100000: WaypointFilter limit, ReviewsQuery limit',
  'must be at most 100: SearchQuery limit, LogQuery limit, ObservationsQuery limit, ReportsQuery limit, QueueQuery limit, ActsQuery limit, UserPage limit, LeaderboardPage limit',
  'must not be blank: say what to look for: SearchQuery q',
  'must be one of created, edited, approved, verified, deleted, unapproved, unverified: LogQuery action',
  'must be one of asc, desc: LogQuery order',
  'must be one of works, broken, dry, dirty, blocked, gone: ObservationInput kind',
  'must be a time such as 2026-05-31T12:00:00Z, or a day such as 2026-05-31: ObservationInput observedAt',
  'is unknown: there are latitude, longitude, accuracy: ObservationInput near.radius, ObservationInput near.infinite',
  'must be one of wrong, duplicate, gone, offensive, private: ReportInput reason',
  'must be one of done, dismissed: ReportDecision state',
  'must be one of open, done, dismissed: ReportsQuery state',
  'must be one of unapproved, unverified, reported, duplicates, bursts: QueueQuery kind',
  'must be at most 50: RecentQuery limit',
  'must be above 0 and at most 1000 metres: CreateOptions unlessNear',
  'must be a time such as 2026-05-31T12:00:00Z: Block until, Since since',
  'must be one of read, contribute, moderate, administer: TokenInput scope',
  'must be at most 3650: TokenInput days',
  'must be at most 365: PersonalTokenInput days',
]

test('every message about an input is a predicate that follows the field', () => {
  const messagesFound: Record<string, string[]> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    for (const field of Object.keys(schema.shape)) {
      const found = probes.flatMap((probe) => issuesOf(schema, { [field]: probe }, field))
      for (const { path, message } of found) {
        const places = (messagesFound[message.replace(/, has \d+$/, ', has N')] ??= [])
        const place = `${name} ${path.replaceAll(/\.\d+/g, '.0')}`
        if (!places.includes(place)) places.push(place)
      }
    }
  }

  expect(
    Object.entries(messagesFound).map(([message, places]) => `${message}: ${places.join(', ')}`),
  ).toEqual(messages)
})

test('an input that is not an object is refused as such', () => {
  for (const input of [null, 7, 'text', []]) {
    expect(() => parse(WaypointInput, input)).toThrow('The input must be an object')
  }
  expect(() => parse(WaypointInput, undefined)).toThrow('The input is required')
})

test('an issue is a sentence that begins with its field, whatever the message begins with', () => {
  expect(invalid('name', 'can only be given once').message).toBe('name can only be given once')
  expect(invalidBecause('file', 'x.db exists already').message).toBe('file: x.db exists already')
  expect(invalidBecause('file', 'must-see.db exists already').message).toBe(
    'file: must-see.db exists already',
  )
})
