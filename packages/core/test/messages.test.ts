import { glob, readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { expect, test } from 'vitest'
import { invalid, invalidBecause, RegistryError, type Issue } from '../src/errors.ts'
import { parse } from '../src/schemas/parse.ts'
import { WaypointInput } from '../src/schemas/waypoint.ts'

/** Schemas of messages between programs, never shown to people: an entry of a mirrored log, and a user's name there. */
const ofMachines = new Set(['LoggedEntry', 'Name'])

const folder = new URL('../src/', import.meta.url)
const files = await Promise.all(
  (await Array.fromAsync(glob('**/*.ts', { cwd: folder }))).map(async (file) => ({
    url: new URL(file, folder),
    text: await readFile(new URL(file, folder), 'utf8'),
  })),
)
const namesIn = (pattern: RegExp, text: string) => Array.from(text.matchAll(pattern), ([, name = '']) => name)

const parsed = new Set(files.flatMap(({ text }) => namesIn(/\bparse(?:Foreign)?\(([A-Z]\w*),/gu, text)))
const schemas: Record<string, z.ZodObject> = {}
for (const { url, text } of files)
  for (const name of namesIn(/^export const (\w+)/gmu, text).filter((each) => parsed.has(each))) {
    const { [name]: schema } = (await import(url.href)) as Record<string, z.ZodObject>
    if (schema !== undefined && !ofMachines.has(name)) schemas[name] = schema
  }

test('every schema of an input is among those whose messages are read', () => {
  expect([...Object.keys(schemas), ...ofMachines].toSorted()).toEqual([...parsed].toSorted())
  expect(parsed.size).toBeGreaterThan(30)
})

const ring = (...positions: unknown[]) => [positions]

const texts = [
  '',
  ' ',
  'text',
  'bell\u0007',
  'half \ud800',
  'x'.repeat(5000),
  `${'x'.repeat(400)}@example.org`,
]
const numbers = [-1, 0, 1.5, 1e9 + 1, 1e20, Number.NaN, Number.POSITIVE_INFINITY]

const probes: readonly unknown[] = [
  undefined,
  null,
  true,
  ...texts,
  ...numbers,
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
