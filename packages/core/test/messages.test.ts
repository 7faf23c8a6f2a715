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

test('every message about an input is a predicate that follows the field', () => {
  const found = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas))
    for (const field of Object.keys(schema.shape))
      for (const { path, message } of probes.flatMap((probe) => issuesOf(schema, { [field]: probe }, field)))
        found.set(message.replace(/, has \d+$/u, ', has N'), `${name} ${path}`)
  expect(found.size).toBeGreaterThan(60)
  for (const [message, place] of found)
    expect(message, place).toMatch(
      /^(?:must (?:not )?(?:be|have) |is (?:required|too large|unknown: )|has (?:a|half) )/u,
    )
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
