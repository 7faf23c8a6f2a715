import { openRegistry, RegistryError, type Issue } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { endpointsOf } from '../src/endpoints/all.ts'
import { readPath, readQuery } from '../src/parameters.ts'
import { Problem } from '../src/problem.ts'
import { openStage } from '@openfountain/testing/server/stage'

/** Texts of every kind, too long and out of range. */
const probes: readonly (string | undefined)[] = [
  undefined,
  '',
  ' ',
  'text',
  '-1',
  '0',
  '007',
  '1.5',
  '99999999',
  '9'.repeat(30),
  'x'.repeat(5000),
  '1,2',
  '91,0',
  '0,0,0,91',
  '0,60,10,50',
  '2026-13-01',
]

const messageOf = (read: () => unknown): string[] => {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.message]
  }
}

/** What is said after a name, with N for each number. A new one is read before it is added here. */
const predicates: readonly string[] = [
  'is required',
  'may be given at most N times',
  'must be N to N',
  'must be a code of ISO N-N, such as IT-N',
  'must be a day such as N-N-N',
  'must be a number of degrees',
  'must be a number of metres',
  'must be a plain decimal integer',
  'must be a whole number in plain digits',
  'must be above N and at most N metres',
  'must be an ISO N time such as N-N-NTN:N:NZ',
  'must be asc or desc',
  'must be between -N and N degrees',
  'must be four numbers: west,south,east,north',
  'must be given once',
  'must be one of created, edited, approved, verified, deleted, unapproved, unverified',
  'must be one of unapproved, unverified, reported, duplicates, bursts',
  'must be one of works, unconfirmed, reported, broken, off, gone',
  'must be one of yes, no, unsigned',
  'must be percent-encoded UTF-N',
  'must be rating',
  'must be true or false',
  'must be two letters of ISO N-N, such as IT',
  'must be two numbers: latitude,longitude',
  'must have a latitude of -N to N and a longitude of -N to N',
  'must have at most N characters',
  'must have longitudes of -N to N, latitudes of -N to N, and south not above north',
  'must not be blank',
]

test('every message about a parameter is a sentence that begins with its name', async () => {
  const registry = await openRegistry({ database: ':memory:' })
  const told = new Set<string>()
  const keep = (name: string, found: readonly string[]) => {
    for (const message of found) {
      expect(message).toMatch(new RegExp(`^${name}(?:\\.\\d+)? m|^${name} is required$`, 'u'))
      told.add(message.replace(/^\S+ /u, '').replaceAll(/\d+/gu, 'N'))
    }
  }
  for (const { query, path } of endpointsOf({ registry, options: {}, version: '0' })) {
    for (const name of Object.keys(query.shape)) {
      const often = `?${Array.from({ length: 200 }, () => `${name}=1`).join('&')}`
      const searches = probes.map((each) =>
        each === undefined ? '' : `?${name}=${encodeURIComponent(each)}`,
      )
      for (const search of [...searches, often])
        keep(
          name,
          messageOf(() => readQuery(query, search)).filter((message) => message.startsWith(name)),
        )
    }
    const whole = Object.fromEntries(Object.keys(path.shape).map((each) => [each, '1']))
    for (const name of Object.keys(path.shape))
      for (const probe of [...probes, '%ff', '%'])
        if (probe !== undefined)
          keep(
            name,
            messageOf(() => readPath(path, { ...whole, [name]: probe })),
          )
  }
  expect([...told].toSorted()).toEqual(predicates)
  await registry.close()
})

/** Values of every kind, too short, too long and out of range. */
const long = 'x'.repeat(5000)
const values = [undefined, null, true, '', 'text', long, -1, 0, 1.5, 1e20, [], [7], {}]

test('every message about a member of a body that this server checks is a predicate that follows its name', async () => {
  const registry = await openRegistry({ database: ':memory:' })
  const told = new Set<string>()
  for (const { body } of endpointsOf({ registry, options: {}, version: '0' })) {
    if (!(body?.schema instanceof z.ZodObject)) continue
    for (const name of Object.keys(body.schema.shape))
      for (const value of values)
        for (const { path, message } of issuesOf(body.schema, { [name]: value }))
          if (path.split('.')[0] === name) told.add(message.replaceAll(/(?<= )\d+\b(?!-)/gu, 'N'))
  }
  expect([...told].toSorted()).toEqual(bodyMessages)
  await registry.close()
})

/** Each message, with N for each number. A new one is read before it is added here. */
const bodyMessages: readonly string[] = [
  'is required',
  'is too large',
  'must be MM-DD/MM-DD, the first and the last day of the season such as 04-15/10-31, and days that exist',
  'must be a colour such as #ff8c00',
  'must be a list',
  'must be a number',
  'must be a time such as 2026-05-31T12:00:00Z',
  'must be a time such as 2026-05-31T12:00:00Z, or a day such as 2026-05-31',
  'must be a whole number',
  'must be above N',
  'must be an absolute http: or https: URL of at most N characters',
  'must be an e-mail address',
  'must be an object',
  'must be at least N',
  'must be at most N',
  'must be between -180 and N degrees',
  'must be between -90 and N degrees',
  'must be one of done, dismissed',
  'must be one of keep, erase',
  'must be one of works, broken, dry, dirty, blocked, gone',
  'must be one of wrong, duplicate, gone, offensive, private',
  'must be one of yes, no, unsigned',
  'must be text',
  'must be true or false',
  'must have at least one ring',
  'must have at most N characters',
  'must have at most N characters, has N',
  'must not be empty',
]

function issuesOf(schema: z.ZodType, given: unknown): readonly Issue[] {
  try {
    parse(schema, given)
    return []
  } catch (error) {
    if (!(error instanceof RegistryError) || !('issues' in error.details)) throw error
    return error.details['issues'] as readonly Issue[]
  }
}

test('a refused body is explained in sentences', async () => {
  const stage = await openStage()
  const place = { name: 'Spring', latitude: 1, longitude: 1 }
  for (const [request, body, message, as = 'token'] of [
    ['POST /api/waypoints', {}, 'name is required'],
    ['POST /api/waypoints', [], 'The input must be an object'],
    ['PATCH /api/waypoints/1', { name: null }, 'name must be text'],
    [
      'POST /api/waypoints',
      { ...place, addedByUserId: 'nobody' },
      'addedByUserId names no user of this registry',
    ],
    ['POST /api/reviews', { rating: 5 }, 'bubblerId is required', 'author'],
    [
      'POST /api/reviews',
      { bubblerId: 99, rating: 5 },
      'bubblerId names no waypoint of this registry',
      'author',
    ],
    ['POST /api/boundingboxes', { name: 'Park' }, 'coordinates is required'],
    ['DELETE /api/boundingboxes', {}, 'id is required: give it as ?id= or as { "id": number }'],
    ['PATCH /api/user', { email: 'Ada' }, 'email must be an e-mail address', 'author'],
  ] as const) {
    const [method = '', path = ''] = request.split(' ')
    expect((await stage.ask(method, path, { as, body })).body['error']).toBe(message)
  }
  await stage.close()
})
