import { RegistryError } from '@openfountain/core'
import { type Issue, parse } from '@openfountain/core/internal'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { endpointsOf } from '../src/endpoints/all.ts'
import { readPath, readQuery } from '../src/endpoint.ts'
import { Problem } from '../src/problem.ts'
import { serving } from '@openfountain/testing/server/stage'
import { emptyRegistry } from '@openfountain/testing/registry'

const probes: readonly string[] = [
  '',
  ' ',
  'text',
  '-1',
  '0',
  '007',
  '1.5',
  '99999999',
  '9'.repeat(30),
].concat('x'.repeat(5000), ['1,2', '91,0', '0,0,0,91', '0,60,10,50', '2026-13-01'])

const messageOf = (read: () => unknown): string[] => {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.message]
  }
}

test('every message about a parameter is a sentence that begins with its name', async () => {
  const registry = await emptyRegistry()
  const keep = (name: string, found: readonly string[]) => {
    for (const message of found)
      expect(message).toMatch(new RegExp(`^${name}(?:\\.\\d+)? (?:must|may) |^${name} is required$`, 'u'))
  }
  for (const { query, path } of endpointsOf({ registry, options: {} })) {
    for (const name of Object.keys(query.shape)) {
      const often = `?${Array.from({ length: 200 }, () => `${name}=1`).join('&')}`
      const searches = probes.map((each) => `?${name}=${encodeURIComponent(each)}`)
      for (const search of ['', ...searches, often])
        keep(
          name,
          messageOf(() => readQuery(query, search)).filter((message) => message.startsWith(name)),
        )
    }
    const whole = Object.fromEntries(Object.keys(path.shape).map((each) => [each, '1']))
    for (const name of Object.keys(path.shape))
      for (const probe of [...probes, '%ff', '%'])
        keep(
          name,
          messageOf(() => readPath(path, { ...whole, [name]: probe })),
        )
  }
})

const long = 'x'.repeat(5000)
const values = [undefined, null, true, '', 'text', long, -1, 0, 1.5, 1e20, [], [7], {}]

test('every message about a member of a body that this server checks is a predicate that follows its name', async () => {
  const registry = await emptyRegistry()
  for (const { body } of endpointsOf({ registry, options: {} })) {
    if (!(body?.schema instanceof z.ZodObject)) continue
    for (const name of Object.keys(body.schema.shape))
      for (const value of values)
        for (const { path, message } of issuesOf(body.schema, { [name]: value }))
          if (path.split('.')[0] === name) expect(message).toMatch(/^(?:must (?:not )?(?:be|have) |is )/u)
  }
})

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
  const stage = await serving()
  const place = { name: 'Spring', latitude: 1, longitude: 1 }
  for (const [request, body, message, as = 'token'] of [
    ['POST /api/waypoints', {}, 'name is required'],
    ['POST /api/waypoints', [], 'The input must be an object'],
    ['PATCH /api/waypoints/1', { name: null }, 'name must be text'],
    ['POST /api/waypoints', { ...place, addedByUserId: 'x' }, 'addedByUserId names no user of this registry'],
    [
      'POST /api/reviews',
      { bubblerId: 9, rating: 5 },
      'bubblerId names no waypoint of this registry',
      'author',
    ],
    ['DELETE /api/boundingboxes', {}, 'id is required: give it as ?id= or as { "id": number }'],
    ['PATCH /api/user', { email: 'Ada' }, 'email must be an e-mail address', 'author'],
  ] as const) {
    const [method = '', path = ''] = request.split(' ')
    expect((await stage.ask(method, path, { as, body })).body['error']).toBe(message)
  }
})
