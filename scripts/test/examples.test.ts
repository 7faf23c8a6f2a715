/** @module-tag others */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { clientTypes } from '../generate/openapi.ts'
import { runExample, startExample, type Host } from '../packages/example.ts'
import { responsesTo, expectedResponses } from './conversation.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

let folder: string
let database: string
let registry: Registry
let secret: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-examples-'))
  database = join(folder, 'fountains.db')
  registry = await openRegistry({ database })
  await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
  secret = (await registry.tokens.create({ name: 'test' })).token
})

afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['node-http.ts', 'express.ts', 'fastify.ts', 'hono.ts'])(
  'mounted as in examples/%s',
  (name) => {
    let host: Host
    beforeAll(async () => {
      host = await startExample(name, [database], folder)
    })
    afterAll(() => host.end())

    test('the registry knows the accounts of the host', async () => {
      expect(await responsesTo((path, init) => fetch(host.url + path, init), secret)).toEqual(
        expectedResponses,
      )
    })

    test('the host keeps its own pages', async () => {
      expect(await (await fetch(host.url)).text()).toBe('The page of the host')
    })
  },
)

test('the script adds a fountain and lists the nearest', async () => {
  const written = await runExample('script.ts', ['script.db'], folder)
  expect(written).toBe('1 Market square\n')
})

test('a club keeps keys in a table of its own, together with the fountain or not at all', async () => {
  const written = await runExample('own-tables.ts', ['keys.db'], folder)
  expect(written).toBe(
    'Allotments has key A 113\nStadium was not added: SQLITE_CONSTRAINT_PRIMARYKEY\n1 fountain\n',
  )
})

test('a waterworks keeps custom fields, merged and checked', async () => {
  const written = await runExample('own-fields.ts', ['fields.db'], folder)
  expect(written).toBe(
    '{"inspectedBy":["Ada"],"inventoryNumber":"L-7"}\n' +
      'properties.colour is not declared: there are height, inventoryNumber, material, inspectedBy\n' +
      'height, inventoryNumber, material, inspectedBy\n',
  )
})

test('the bot prints each change once, over as many runs and pages as it takes', async () => {
  const followed = await openRegistry({ database: join(folder, 'followed.db') })
  for (let index = 0; index < 130; index += 1)
    await followed.waypoints.create({ name: `Fountain ${index}`, latitude: index / 2, longitude: 0 }, token())
  const host = await startExample('node-http.ts', ['followed.db'], folder)
  try {
    const printed = async () =>
      (await runExample('bot.ts', [`${host.url}/api`, 'bot.position'], folder)).split('\n')
    const first = await printed()
    expect(first).toHaveLength(131)
    expect(first[129]).toMatch(/api created waypoint 130$/u)
    await followed.waypoints.delete(7, token())
    expect((await printed()).join()).toMatch(/^\S+ api deleted waypoint 7,$/u)
    expect(await printed()).toEqual([''])
    expect(await readFile(join(folder, 'bot.position'), 'utf8')).toBe('131')
  } finally {
    await host.end()
    await followed.close()
  }
})

// A host with accounts of its own has no endpoints for signing in: its document is a part of this one.
test('the types of the client are those of the document, and it adds a fountain, reads it back and changes it', async () => {
  const host = await startExample('node-http.ts', [database], folder)
  try {
    const described = await createApp(registry).fetch(new Request('http://localhost/api/openapi'))
    const types = await readFile(new URL('../../examples/client/api.d.ts', import.meta.url), 'utf8')
    expect(await clientTypes(await described.text())).toBe(types)
    const there = z.object({ paths: z.record(z.string(), z.unknown()) })
    const own = there.parse(await (await fetch(`${host.url}/api/openapi`)).json())
    expect(Object.keys(own.paths)).toContain('/api/waypoints')
    expect(Object.keys(own.paths)).not.toContain('/api/auth')
    const written = await runExample('client/client.ts', [host.url], folder, { OPENFOUNTAIN_TOKEN: secret })
    expect(written).toBe('2 Cathedral (ODbL-1.0), created\nCathedral: In front of the main door\n')
  } finally {
    await host.end()
  }
})

test('a school has gates, XP and levels of its own', async () => {
  const written = await runExample('school-rules.ts', ['school.db'], folder)
  expect(written).toBe('Class 5b has 20 XP and is on level 2\n')
})

test('an export holds a format of its own, with its rows and hash', async () => {
  const written = await runExample('export-format/navigation.ts', [database, 'navigation'], folder)
  const live = await registry.waypoints.list()
  expect(written).toContain(`waypoints-navigation.csv ${live.length}\n`)
  const text = await readFile(join(folder, 'navigation/waypoints-navigation.csv'), 'utf8')
  expect(text).toContain('13.1929,55.7029,"Market square"\r\n')
  expect(await readFile(join(folder, 'navigation/SHA256SUMS'), 'utf8')).toContain('waypoints-navigation.csv')
})

test('the site is published with a style of its own', async () => {
  const written = await runExample('site/publish.ts', [database, 'public'], folder)
  expect(written).toMatch(/^\d+ pages in public\n$/u)
  const page = await readFile(join(folder, 'public/index.html'), 'utf8')
  expect(page).toContain('/style.json')
  expect(JSON.parse(await readFile(join(folder, 'public/style.json'), 'utf8'))).toMatchObject({ version: 8 })
  const { mode } = await stat(join(folder, 'public'))
  expect(mode & 0o777).toBe(0o777 & ~process.umask())
})
