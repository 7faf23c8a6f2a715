import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import {
  openRegistry,
  token,
  user,
  type Actor,
  type CreateOptions,
  type FoundWaypoint,
  type LogEntry,
  type LoggedEntry,
  type PublicUser,
  type Registry,
  type RegistryError,
  type Waypoint,
} from '@openfountain/core'
import type { KnownAmenity } from '@openfountain/core/vocabulary'

test('types say which fields may be absent', () => {
  expectTypeOf<Waypoint['description']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Waypoint['amenities']>().toEqualTypeOf<string[]>()
  expectTypeOf<keyof FoundWaypoint>().toEqualTypeOf<
    'id' | 'name' | 'latitude' | 'longitude' | 'description' | 'region'
  >()
  expectTypeOf<PublicUser>().not.toHaveProperty('email')
  expectTypeOf<LoggedEntry['seed']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<LogEntry['redacted']>().extract<object>().toHaveProperty('reason')
})

test('actors are created by their functions, and nothing else is one', () => {
  expectTypeOf(user('u1')).toExtend<Actor>()
  expectTypeOf(token()).toExtend<Actor>()
  expectTypeOf<{ kind: 'admin' }>().not.toExtend<Actor>()
})

test('inputs are unknown, since they come from anywhere, and results are typed', () => {
  expectTypeOf<Registry['waypoints']['create']>().parameters.toEqualTypeOf<
    [input: unknown, actor: Actor, options?: CreateOptions | undefined]
  >()
  expectTypeOf<Registry['waypoints']['create']>().returns.resolves.toEqualTypeOf<Waypoint>()
  expectTypeOf(openRegistry).returns.resolves.toEqualTypeOf<Registry>()
})

test('an unknown error code or amenity does not compile', () => {
  expectTypeOf<'INVALID_INPUT'>().toExtend<RegistryError['code']>()
  expectTypeOf<'TEAPOT'>().not.toExtend<RegistryError['code']>()
  expectTypeOf<'tap'>().toExtend<KnownAmenity>()
  expectTypeOf<'espresso'>().not.toExtend<KnownAmenity>()
})

/** Everything that embedders may import. A name more is a promise more: what only other packages need is internal. */
const publicNames = `
  Accounts Action Actor ActsQuery Areas AssignOptions Assignment Attribution BoundingBox Changes CopyRegistryOptions
  CopyResult CopyStep CreateOptions CreditedParty DataVersion DescribedEntry Dossier Erasure Erasures ErrorCode
  FormerUser FoundWaypoint Head HistoryEntry IdentityInfo ImportInfo ImportOptions ImportOutcome ImportRow ImportRun
  Imports Issue KeptRequest LeaderboardEntry LogEntry LogQuery LoggedEntry MadeObservation Mirror MissingRows
  Moderation ModerationAct NamedUser NearDuplicate Observation ObservationInput Observations OwnUser PasskeyInfo
  PersonalTokenInfo PersonalTokens PlaceLookup PublicUser QueueItem QueueKind QueuePage QueueQuery RecentEntry
  RecordFilter Registration Registry RegistryError RegistryOptions RepeatedErasures Repetition Report ReportInput
  ReportReason Reports RequestKey Requests RestoreOptions RestoreResult Review ReviewFilter ReviewInput Reviews Rules
  SecurityEvent SecurityEventName SessionInfo Sessions SignInLink SignInResult Snapshot Source SourceInput SourceState
  Sources Statistics Status TokenInfo TokenScope Tokens Users Verification Waypoint WaypointCondition WaypointFilterInput
  WaypointInput WaypointPlace WaypointRecord WaypointSource Waypoints anonymous attributionLine copyRegistry
  defaultRules errorCatalogue openRegistry restoreDatabase securityEvents token user userByToken
`

test('the package has these public names and no other', () => {
  const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')
  const lists = Array.from(index.matchAll(/^export (?:type )?\{([^}]+)\}/gmu), ([, list = '']) => list)
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim().replace(/^type /u, ''))
  expect(index).not.toMatch(/export \*/u)
  expect(names.filter((name) => name !== '').toSorted()).toEqual(publicNames.trim().split(/\s+/u))
})
