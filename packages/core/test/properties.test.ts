import { token, type PropertiesDeclaration, type WaypointInput } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { sharedDatabase } from '@openfountain/testing/database'
import { imported, row } from '@openfountain/testing/imported'
import { emptyRegistry, newestOn, placed, refusal, temporaryFolder } from '@openfountain/testing/registry'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { served } from '../src/served.ts'

const declared = z.object({
  height: z.number().max(5).meta({ title: 'Height', description: 'Of the spout, in metres' }),
  operatorCode: z.string().max(20),
  taps: z.int().min(1).optional(),
  isHeated: z.boolean(),
  material: z.enum(['steel', 'stone']),
  inspectedBy: z.array(z.string().max(40)).max(3),
})

const opened = (properties: PropertiesDeclaration = declared) => emptyRegistry({ properties })
const issues = async (promise: Promise<unknown>) => (await refusal(promise)).details

describe('custom fields that are declared', () => {
  test('are read as they were written, in lists and by id, and their log verifies', async () => {
    const registry = await opened()
    const more = { material: 'steel', operatorCode: 'L-7 \u2028 "x"', taps: 2 }
    const properties = { height: 1.5, inspectedBy: ['A', 'Zoë'], isHeated: false, ...more }
    const made = await placed(registry, { properties })
    expect(made.properties).toEqual(properties)
    expect((await registry.waypoints.get(1)).properties).toEqual(properties)
    expect((await registry.waypoints.list())[0]?.properties).toEqual(properties)
    const dossier = await served(registry).dossier(1)
    expect(JSON.parse(dossier.waypoint).properties).toEqual(properties)
    expect((await newestOn(registry, 1)).changes).toMatchObject({ properties })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('are merged member by member, as in RFC 7396, and one that changes nothing writes nothing', async () => {
    const registry = await opened()
    await placed(registry, { properties: { height: 1, operatorCode: 'A' } })
    const patch = async (properties: WaypointInput['properties']) =>
      (await registry.waypoints.update(1, { properties }, token())).properties
    expect(await patch({ height: 2 })).toEqual({ height: 2, operatorCode: 'A' })
    expect((await newestOn(registry, 1)).changes).toEqual({ properties: { height: 2, operatorCode: 'A' } })
    const { id } = await newestOn(registry, 1)
    expect(await patch({ operatorCode: 'A', height: 2 })).toEqual({ height: 2, operatorCode: 'A' })
    expect(await patch({})).toEqual({ height: 2, operatorCode: 'A' })
    expect((await newestOn(registry, 1)).id).toBe(id)
    expect(await patch({ height: null })).toEqual({ operatorCode: 'A' })
    expect(await patch({ operatorCode: '' })).toBeUndefined()
    expect((await newestOn(registry, 1)).changes).toEqual({ properties: null })
    expect(await patch({ taps: 3 })).toEqual({ taps: 3 })
    expect(await patch(null)).toBeUndefined()
    expect(await registry.waypoints.get(1)).not.toHaveProperty('properties')
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('are refused beyond what was declared, each by its name', async () => {
    const registry = await opened()
    const refused = (properties: object) => issues(placed(registry, { properties }))
    const issue = (path: string, message: string) => ({ path: `properties.${path}`, message })
    expect(await refused({ height: 6 })).toEqual({ issues: [issue('height', 'must be at most 5')] })
    expect(await refused({ operatorCode: 'x'.repeat(21), taps: 1.5, material: 'wood' })).toMatchObject({
      issues: [
        issue('operatorCode', 'must have at most 20 characters'),
        issue('taps', 'must be a whole number'),
        issue('material', 'must be one of steel, stone'),
      ],
    })
    const declared = 'there are height, operatorCode, taps, isHeated, material, inspectedBy'
    const unknown = issue('hieght', `is not declared: ${declared}`)
    expect(await refused({ hieght: 1 })).toEqual({ issues: [unknown] })
    expect(await registry.waypoints.list()).toEqual([])
  })

  test.each<[string, unknown]>([
    ['a list', []],
    ['a text', 'height'],
    ['an object in it', { height: { metres: 1 } }],
    ['a list in a list', { inspectedBy: [['A']] }],
    ['not a number', { height: Number.NaN }],
    ['infinity', { height: Number.NEGATIVE_INFINITY }],
    ['half a character', { operatorCode: '\uD800' }],
    ['a NUL', { operatorCode: 'a\0' }],
    ['a megabyte of text', { inspectedBy: ['x'.repeat(1_000_000)] }],
    ['a long list', { inspectedBy: Array.from({ length: limits.properties.entries + 1 }, () => 'x') }],
    ['many members', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`a${index}`, 1]))],
    ['a name of a prototype', { constructor: 'x' }],
    ['a name that is no name', { 'a b': 1 }],
    ['a digit as name', { 1: 1 }],
  ])('are refused as %s', async (_what, properties) => {
    const registry = await opened()
    expect(await refusal(placed(registry, { properties }))).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await registry.waypoints.list()).toEqual([])
  })

  test('keep the largest and the smallest numbers, and take no member of the prototype', async () => {
    const registry = await opened(z.object({ big: z.number(), small: z.number(), zero: z.number() }))
    const properties = { big: Number.MAX_VALUE, small: Number.MIN_VALUE, zero: -0 }
    const { id } = await placed(registry, { properties })
    expect((await registry.waypoints.get(id)).properties).toEqual({ ...properties, zero: 0 })
    const hostile: unknown = JSON.parse('{"__proto__":{"big":1},"zero":1}')
    await registry.waypoints.update(id, { properties: hostile as Record<string, number> }, token())
    const kept = (await registry.waypoints.get(id)).properties
    expect(JSON.stringify(kept)).toBe(JSON.stringify({ ...properties, zero: 1 }))
    expect(({} as Record<string, unknown>)['big']).toBeUndefined()
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('are limited together, those that were there before counted too', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `text${index}`)
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
    const registry = await opened(schema)
    const texts = (some: readonly string[]) =>
      Object.fromEntries(some.map((name) => [name, 'x'.repeat(1900)]))
    await placed(registry, { properties: texts(names.slice(0, 5)) })
    const refused = registry.waypoints.update(1, { properties: texts(names.slice(5)) }, token())
    const issue = { path: 'properties', message: 'must have at most 16000 characters as JSON' }
    expect(await issues(refused)).toEqual({ issues: [issue] })
  })

  test('are redacted as a whole, wherever the history of the fountain has one of their texts', async () => {
    const registry = await opened()
    await placed(registry, { properties: { height: 1, operatorCode: 'Zebulon Q.' } })
    await registry.waypoints.update(1, { properties: { height: 2 } }, token())
    await registry.waypoints.update(1, { properties: { operatorCode: 'B', height: 3 } }, token())
    const { id } = await newestOn(registry, 1, 'created')
    await registry.changes.redact(id, { reason: 'A private name', fields: ['properties'] })
    const log = await Array.fromAsync(registry.changes.since(0))
    expect(JSON.stringify(log)).not.toContain('Zebulon')
    expect((await registry.waypoints.get(1)).properties).toEqual({ height: 3, operatorCode: 'B' })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
    await registry.changes.redact((await newestOn(registry, 1, 'edited')).id, { reason: 'Too' })
    expect(await registry.waypoints.get(1)).not.toHaveProperty('properties')
    expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  })
})

test('custom fields that are not declared are refused with what to do', async () => {
  const registry = await emptyRegistry()
  const message = expect.stringMatching(/^is not declared: open the registry with the option properties/u)
  const issue = { path: 'properties.height', message }
  expect(await issues(placed(registry, { properties: { height: 1 } }))).toEqual({ issues: [issue] })
  expect((await placed(registry, { properties: {} })).properties).toBeUndefined()
})

test('custom fields that are not declared stay readable, can be sent back as they are, and can be removed', async () => {
  const database = await sharedDatabase()
  const before = await emptyRegistry({ database, properties: declared })
  await placed(before, { properties: { height: 1, operatorCode: 'A' } })
  await before.close()
  const registry = await emptyRegistry({ database, properties: z.object({ taps: z.int() }) })
  const found = await registry.waypoints.get(1)
  expect(found.properties).toEqual({ height: 1, operatorCode: 'A' })
  await registry.waypoints.update(1, { ...found, name: 'Well' }, token())
  const changed = await registry.waypoints.update(1, { properties: { taps: 1, height: null } }, token())
  expect(changed.properties).toEqual({ operatorCode: 'A', taps: 1 })
  const issue = { path: 'properties.operatorCode', message: 'is not declared: there is taps' }
  const refused = registry.waypoints.update(1, { properties: { operatorCode: 'B' } }, token())
  expect(await issues(refused)).toEqual({ issues: [issue] })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

const withProperties = (properties: object, ref = '1') => {
  const given = row(ref, 'Well')
  return { ...given, input: { ...(given.input as object), properties } }
}

test('an import follows its source member by member, and what people changed here conflicts', async () => {
  const registry = await opened()
  await imported(registry, [withProperties({ height: 1, taps: 1 })], 'one')
  await registry.waypoints.update(1, { properties: { operatorCode: 'A', taps: 4 } }, token())
  const { outcomes } = await imported(registry, [withProperties({ height: 2, taps: 2 })], 'two')
  expect(outcomes).toMatchObject([
    { kind: 'updated', conflicts: [{ field: 'properties.taps', here: 4, there: 2 }] },
  ])
  expect((await registry.waypoints.get(1)).properties).toEqual({ height: 2, operatorCode: 'A', taps: 4 })
  await imported(registry, [withProperties({ taps: 2 })], 'three')
  expect((await registry.waypoints.get(1)).properties).toEqual({ operatorCode: 'A', taps: 4 })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test('an import fills in what a known fountain lacks', async () => {
  const registry = await opened()
  await placed(registry, { properties: { height: 1 } })
  await imported(registry, [{ ...withProperties({ height: 3, taps: 2 }), mergeInto: 1 }])
  expect((await registry.waypoints.get(1)).properties).toEqual({ height: 1, taps: 2 })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test('a mirror takes them over without a declaration of its own', async () => {
  const registry = await opened()
  await placed(registry, { properties: { height: 1, operatorCode: 'A' } })
  await registry.waypoints.update(1, { properties: { height: null } }, token())
  await placed(registry, { name: 'Second', properties: { taps: 1 } })
  const entries = await Array.fromAsync(registry.changes.since(0))
  const mirror = await emptyRegistry()
  await mirror.mirror.follow(entries)
  expect((await mirror.waypoints.list()).map(({ properties }) => properties)).toEqual([
    { operatorCode: 'A' },
    { taps: 1 },
  ])
  expect(await mirror.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test('a declaration in JSON Schema is the same as one in zod, which the registry tells in JSON Schema', async () => {
  const byZod = await opened()
  expect(byZod.properties).toMatchObject({
    type: 'object',
    properties: { height: { type: 'number', maximum: 5, title: 'Height' } },
  })
  const { properties } = byZod
  const registry = await opened(properties)
  expect(registry.properties).toEqual(properties)
  expect(await issues(placed(registry, { properties: { height: 6 } }))).toEqual({
    issues: [{ path: 'properties.height', message: 'must be at most 5' }],
  })
  const given = { height: 1, isHeated: true, material: 'stone', operatorCode: 'A', taps: 1 }
  expect((await placed(registry, { properties: given })).properties).toEqual(given)
})

test('a declaration may change what is given, as zod does', async () => {
  const registry = await opened(z.object({ code: z.string().trim().toUpperCase() }))
  expect((await placed(registry, { properties: { code: ' ab ' } })).properties).toEqual({ code: 'AB' })
})

const text = { type: 'string' }
const of = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })
const a = (rest: object) => of({ a: { ...text, ...rest } })
test.each<[string, unknown]>([
  ['must be a zod object, or an object in JSON Schema', 'height'],
  ['must be a zod object', z.string()],
  ['must have no check over several members', z.object({ a: z.string() }).refine(() => true)],
  ['cannot be written as JSON Schema', z.object({ a: z.date() })],
  ['cannot be written as JSON Schema', z.object({ a: z.string().transform(Number) })],
  ['properties.properties.a.type must be one of', z.object({ a: z.object({ b: z.string() }) })],
  ['properties.properties.a.type must be one of', z.object({ a: z.union([z.string(), z.number()]) })],
  ['properties.properties.a.default is unknown', z.object({ a: z.string().default('x') })],
  ['properties.type must be object', { properties: {} }],
  ['properties.required must be left out', of({ a: text }, { required: ['a'] })],
  ['properties.additionalProperties must be false', of({}, { additionalProperties: true })],
  ['properties.patternProperties is unknown', of({}, { patternProperties: {} })],
  ['the name "a b"', of({ 'a b': text })],
  ['the name "toString"', of({ toString: text })],
  ['the name "__proto__"', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
  ['properties.properties.a must be an object', of({ a: null })],
  ['properties.properties.a.oneOf is unknown', a({ oneOf: [] })],
  ['properties.properties.a.enum must be texts', a({ enum: [1] })],
  ['properties.properties.a.maxLength must be a number', a({ maxLength: '1' })],
  ['properties.properties.a.format must be one of', a({ format: 'ipv4' })],
  ['properties.properties.a.format must be one of', a({ format: 'email' })],
  ['properties.properties.a.items must be an object', a({ type: 'array' })],
  ['is not JSON Schema', a({ pattern: '(' })],
])('a declaration is refused, saying that it %s', async (message, properties) => {
  const folder = await temporaryFolder()
  const opening = emptyRegistry({
    database: `${folder}/none.db`,
    properties: properties as PropertiesDeclaration,
  })
  await expect(opening).rejects.toThrow(message)
  await expect(opening).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
