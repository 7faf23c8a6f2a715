import {
  type Actor,
  type HostStatements,
  type LoggedEntry,
  openRegistry,
  type PublicUser,
  type Registry,
  RegistryError,
  type RegistryOptions,
  token,
  type Waypoint,
  type WaypointFilterInput,
  type WaypointInput,
} from '@openfountain/core'
import type { CreateOptions } from '@openfountain/core/internal'
import type { KnownAmenity } from '@openfountain/core/vocabulary'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { BoundingBoxInput } from '../src/schemas/area.ts'
import type { ObservationInput } from '../src/schemas/observation.ts'
import type { ReportInput } from '../src/schemas/report.ts'
import type { ReviewInput, ReviewPatch } from '../src/schemas/review.ts'
import type { EnsuredUser, UserInput, UserPatch } from '../src/schemas/user.ts'
import type { WaypointFilter, WaypointPatch } from '../src/schemas/waypoint.ts'

test('types say which fields may be absent, who may act, and what is taken', () => {
  expectTypeOf<Waypoint['description']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<PublicUser>().not.toHaveProperty('email')
  expectTypeOf<{ kind: 'admin' }>().not.toExtend<Actor>()
  expectTypeOf<Registry['waypoints']['create']>().parameters.toEqualTypeOf<
    [input: WaypointInput, actor: Actor, options?: CreateOptions | undefined]
  >()
  expectTypeOf(openRegistry).returns.resolves.toEqualTypeOf<Registry>()
  const place = { name: 'Well', latitude: 55.7, longitude: 13.19 }
  expectTypeOf({ ...place, amenities: ['tap'] as const, region: undefined }).toExtend<WaypointInput>()
  expectTypeOf({ ...place, properties: { height: 1, tags: ['a'], old: null } }).toExtend<WaypointInput>()
  expectTypeOf({ ...place, drinkable: 'maybe' as const }).not.toExtend<WaypointInput>()
  type Undefinable<Options> = { [Name in keyof Options]?: Options[Name] | undefined }
  expectTypeOf<Undefinable<RegistryOptions> & { database: string }>().toExtend<RegistryOptions>()
  expectTypeOf<'TEAPOT'>().not.toExtend<RegistryError['code']>()
  expectTypeOf<'espresso'>().not.toExtend<KnownAmenity>()
  // @ts-expect-error a member that there is not
  const misspelt: WaypointInput = { ...place, desription: 'In the yard' }
  expect(misspelt).toBeDefined()
})

/** The type with optional members that may be undefined, and read-only members. */
type Lenient<Value> = { readonly [Name in keyof Value]: LenientMember<Value, Name> }
type LenientMember<Value, Name extends keyof Value> = unknown extends Value[Name]
  ? Value[Name]
  : Lenient<Value[Name]>

test('what is typed is what the schemas take', () => {
  type Same<Schema extends z.ZodType, Typed> = [Lenient<z.input<Schema>>] extends [Typed]
    ? [Typed] extends [Lenient<z.input<Schema>>]
      ? true
      : 'more than the schema takes'
    : 'less than the schema takes'
  expectTypeOf<
    [
      Same<typeof WaypointInput, WaypointInput>,
      Same<typeof WaypointPatch, WaypointPatch>,
      Same<typeof ReviewInput, ReviewInput>,
      Same<typeof ReviewPatch, ReviewPatch>,
      Same<typeof ObservationInput, ObservationInput>,
      Same<typeof ReportInput, ReportInput>,
      Same<typeof UserInput, UserInput>,
      Same<typeof UserPatch, UserPatch>,
      Same<typeof EnsuredUser, EnsuredUser>,
      Same<typeof WaypointFilter, WaypointFilterInput>,
    ]
  >().toEqualTypeOf<[true, true, true, true, true, true, true, true, true, true]>()
  expectTypeOf<Lenient<z.input<typeof BoundingBoxInput>>>().toExtend<BoundingBoxInput>()
})

test('statements of a host are promised on one engine alone, and may be given for one', () => {
  expectTypeOf<{ sqlite: () => number }>().toExtend<HostStatements<number>>()
  expectTypeOf<{ postgres: () => Promise<number> }>().toExtend<HostStatements<number>>()
  expectTypeOf<{ mysql: () => number }>().not.toExtend<HostStatements<number>>()
  expectTypeOf<Registry['tables']['transaction']>().toBeCallableWith({ sqlite: () => 1 })
})

test('the facts of an error follow from its code', () => {
  const facts = (error: unknown) => {
    if (!(error instanceof RegistryError)) return undefined
    if (error.code === 'INSUFFICIENT_XP') return error.details.required - error.details.current
    if (error.code === 'INVALID_INPUT') return error.details.issues[0]?.path
    if (error.code === 'PRECONDITION_FAILED') return error.details.waypoint.name
    return error.details['anything']
  }
  expect(facts(new RegistryError('INSUFFICIENT_XP', undefined, { required: 20, current: 5 }))).toBe(15)
  expect(facts(new RegistryError('NOT_FOUND'))).toBeUndefined()
  expect(facts(new Error('of somebody else'))).toBeUndefined()
  // @ts-expect-error it needs its facts
  expect(new RegistryError('INSUFFICIENT_XP').details).toEqual({})
})

test('an entry of the log has the actions and the id of its subject', () => {
  type Of<Subject extends LoggedEntry['subject']> = Extract<LoggedEntry, { readonly subject: Subject }>
  expectTypeOf<Of<'entry'>['action']>().toEqualTypeOf<'redacted'>()
  expectTypeOf<Of<'user'>['subjectId']>().toEqualTypeOf<string>()
  expectTypeOf<Of<'review'>['subjectId']>().toEqualTypeOf<number>()
  expectTypeOf<'blocked'>().not.toExtend<Of<'waypoint'>['action']>()
})

test('waypoints have the custom fields that were declared', async () => {
  const properties = z.object({ height: z.number(), material: z.enum(['steel', 'stone']).optional() })
  await using registry = await openRegistry({ database: ':memory:', properties })
  const place = { name: 'Well', latitude: 55.7, longitude: 13.19 }
  const { id } = await registry.waypoints.create({ ...place, properties: { height: 1.2 } }, token())
  const changed = await registry.waypoints.update(
    id,
    { properties: { material: 'steel', height: null } },
    token(),
  )
  type Declared = { readonly height?: number; readonly material?: 'steel' | 'stone' } | undefined
  expectTypeOf(changed.properties).toEqualTypeOf<Declared>()
  expectTypeOf((await registry.waypoints.get(id)).properties).toEqualTypeOf<Declared>()
  for (const waypoint of await registry.waypoints.list())
    expectTypeOf(waypoint.properties).toEqualTypeOf<Declared>()
  expect(changed.properties).toEqual({ material: 'steel' })
  // @ts-expect-error a field that was not declared
  await expect(registry.waypoints.update(id, { properties: { colour: 'green' } }, token())).rejects.toThrow(
    'colour',
  )
  expectTypeOf(registry).toExtend<Registry>()
})
