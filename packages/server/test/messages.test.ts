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

function messageOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.message]
  }
}

/** Each message. A new one is read before it is added here. */
const messages: readonly string[] = [
  'bbox must be four numbers: west,south,east,north',
  'bbox must have longitudes of -180 to 180, latitudes of -90 to 90, and south not above north',
  'bbox must be given once',
  'near must be two numbers: latitude,longitude',
  'near must have a latitude of -90 to 90 and a longitude of -180 to 180',
  'near must be given once',
  'radius must be a number of metres',
  'radius must be above 0 and at most 20100000 metres',
  'radius must be given once',
  'amenity.0 must not be blank',
  'amenity.0 must have at most 64 characters',
  'amenity may be given at most 32 times',
  'region must not be blank',
  'region must have at most 200 characters',
  'region must be given once',
  'country must be two letters of ISO 3166-1, such as IT',
  'country must be given once',
  'subdivision must be a code of ISO 3166-2, such as IT-62',
  'subdivision must be given once',
  'approved must be true or false',
  'approved must be given once',
  'verified must be true or false',
  'verified must be given once',
  'drinkable must be one of yes, no, unsigned',
  'drinkable must be given once',
  'maintainer must not be blank',
  'maintainer must have at most 200 characters',
  'maintainer must be given once',
  'source must not be blank',
  'source must have at most 200 characters',
  'source must be given once',
  'license must not be blank',
  'license must have at most 64 characters',
  'license must be given once',
  'status must be one of works, unconfirmed, reported, broken, off, gone',
  'status must be given once',
  'updatedSince must be an ISO 8601 time such as 2026-01-31T12:00:00Z',
  'updatedSince must be given once',
  'limit must be a whole number in plain digits',
  'limit must be 1 to 100000',
  'limit must be given once',
  'after must be a whole number in plain digits',
  'after must be 0 to 9007199254740991',
  'after must be given once',
  'unlessNear must be a number of metres',
  'unlessNear must be above 0 and at most 1000 metres',
  'unlessNear must be given once',
  'q is required',
  'q must not be blank',
  'q must have at most 200 characters',
  'q must be given once',
  'offset must be given once',
  'lat is required',
  'lat must be a number of degrees',
  'lat must be between -90 and 90 degrees',
  'lat must have at most 40 characters',
  'lat must be given once',
  'lng must be given once',
  'name must be given once',
  'include must be rating',
  'include must be given once',
  'id must be a plain decimal integer',
  'id must be percent-encoded UTF-8',
  'reason must not be blank',
  'reason must have at most 500 characters',
  'reason must be given once',
  'limit must be 1 to 100',
  'offset must be a whole number in plain digits',
  'offset must be 0 to 9007199254740991',
  'id must not be blank',
  'id must have at most 128 characters',
  'returnTo must not be blank',
  'returnTo must have at most 2000 characters',
  'returnTo must be given once',
  'add must be true or false',
  'add must be given once',
  'name must not be blank',
  'name must have at most 80 characters',
  'id must have at most 64 characters',
  'tokens must be true or false',
  'tokens must be given once',
  'userId must not be blank',
  'userId must have at most 128 characters',
  'userId must be given once',
  'bubblerId must be a whole number in plain digits',
  'bubblerId must be 0 to 9007199254740991',
  'bubblerId must be given once',
  'id is required',
  'id must be a whole number in plain digits',
  'id must be 0 to 9007199254740991',
  'id must be given once',
  'bubblerId is required',
  'seenSince must be a day such as 2026-05-31',
  'seenSince must be given once',
  'kind is required',
  'kind must be one of unapproved, unverified, reported, duplicates, bursts',
  'kind must be given once',
  'action must be one of created, edited, approved, verified, deleted, unapproved, unverified',
  'action must be given once',
  'order must be asc or desc',
  'order must be given once',
  'limit must be 1 to 50',
  'size must be a whole number in plain digits',
  'size must be 0 to 9007199254740991',
  'size must be given once',
  'limit must be 1 to 1000',
  'from is required',
  'from must be a whole number in plain digits',
  'from must be 0 to 9007199254740991',
  'from must be given once',
  'to must be given once',
  'file must be percent-encoded UTF-8',
  'license must be percent-encoded UTF-8',
]

test('every message about a parameter is a sentence that begins with its name', async () => {
  const registry = await openRegistry({ database: ':memory:' })
  const told = new Set<string>()
  for (const { query, path } of endpointsOf({ registry, options: {}, version: '0' })) {
    for (const name of Object.keys(query.shape)) {
      for (const probe of probes) {
        const search = probe === undefined ? '' : `?${name}=${encodeURIComponent(probe)}`
        for (const message of messageOf(() => readQuery(query, search)))
          if (message.startsWith(name)) told.add(message)
      }
      const often = `?${Array.from({ length: 200 }, () => `${name}=1`).join('&')}`
      for (const message of messageOf(() => readQuery(query, often)))
        if (message.startsWith(name)) told.add(message)
    }
    for (const name of Object.keys(path.shape)) {
      for (const probe of [...probes, '%ff', '%']) {
        if (probe === undefined) continue
        const given = {
          ...Object.fromEntries(Object.keys(path.shape).map((each) => [each, '1'])),
          [name]: probe,
        }
        for (const message of messageOf(() => readPath(path, given))) told.add(message)
      }
    }
  }
  expect([...told]).toEqual(messages)
  await registry.close()
})

/** Values of every kind, too short, too long and out of range. */
const values: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  'text',
  'x'.repeat(5000),
  -1,
  0,
  1.5,
  1e20,
  [],
  [7],
  {},
]

test('every message about a member of a body that this server checks is a predicate that follows its name', async () => {
  const registry = await openRegistry({ database: ':memory:' })
  const told = new Set<string>()
  for (const { body } of endpointsOf({ registry, options: {}, version: '0' })) {
    if (!(body?.schema instanceof z.ZodObject)) continue
    for (const name of Object.keys(body.schema.shape))
      for (const value of values)
        for (const { path, message } of issuesOf(body.schema, { [name]: value }))
          if (path.split('.')[0] === name) told.add(message.replace(/, has \d+$/u, ', has N'))
  }
  expect([...told].toSorted()).toEqual(bodyMessages)
  await registry.close()
})

/** Each message. A new one is read before it is added here. */
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
  'must be above 0',
  'must be an absolute http: or https: URL of at most 2000 characters',
  'must be an e-mail address',
  'must be an object',
  'must be at least 0',
  'must be at least 1',
  'must be at most 365',
  'must be at most 5',
  'must be between -180 and 180 degrees',
  'must be between -90 and 90 degrees',
  'must be one of done, dismissed',
  'must be one of keep, erase',
  'must be one of works, broken, dry, dirty, blocked, gone',
  'must be one of wrong, duplicate, gone, offensive, private',
  'must be one of yes, no, unsigned',
  'must be text',
  'must be true or false',
  'must have at least one ring',
  'must have at most 128 characters',
  'must have at most 200 characters, has N',
  'must have at most 2000 characters',
  'must have at most 2000 characters, has N',
  'must have at most 254 characters',
  'must have at most 255 characters, has N',
  'must have at most 80 characters, has N',
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
  const told = async (method: string, path: string, body: unknown, as: 'token' | 'author' = 'token') =>
    (await stage.ask(method, path, { as, body })).body['error']
  expect(await told('POST', '/api/waypoints', {})).toBe('name is required')
  expect(await told('POST', '/api/waypoints', [])).toBe('The input must be an object')
  expect(await told('PATCH', '/api/waypoints/1', { name: null })).toBe('name must be text')
  expect(await told('POST', '/api/waypoints', { ...here, addedByUserId: 'nobody' })).toBe(
    'addedByUserId names no user of this registry',
  )
  expect(await told('POST', '/api/reviews', { rating: 5 }, 'author')).toBe('bubblerId is required')
  expect(await told('POST', '/api/reviews', { bubblerId: 99, rating: 5 }, 'author')).toBe(
    'bubblerId names no waypoint of this registry',
  )
  expect(await told('POST', '/api/boundingboxes', { name: 'Park' })).toBe('coordinates is required')
  expect(await told('POST', '/api/boundingboxes', { name: 'Park', coordinates: [[[1], 2, 3, 4]] })).toBe(
    'coordinates.0.0 must be two numbers: longitude, latitude',
  )
  expect(await told('DELETE', '/api/boundingboxes', {})).toBe(
    'id is required: give it as ?id= or as { "id": number }',
  )
  expect(await told('PATCH', '/api/user', { email: 'Ada' }, 'author')).toBe('email must be an e-mail address')
  await stage.close()
})

const here = { name: 'Spring', latitude: 1, longitude: 1 }
