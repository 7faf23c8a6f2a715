/** @module-tag others */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import { afterAll, expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { z } from 'zod'
import { afterwards } from '@openfountain/testing/afterwards'
import { clientTypes } from '../generate/openapi.ts'
import { runExample, startExample } from '../packages/example.ts'
import { responsesTo, expectedResponses } from './conversation.ts'

const folder = newFolder()
const database = join(folder, 'fountains.db')
const registry = await openRegistry({ database })
await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
const secret = (await registry.tokens.create({ name: 'test' })).token
afterAll(() => registry.close())

async function started(name: string, file = database): Promise<string> {
  const host = await startExample(name, [file], folder)
  afterwards(() => host.end())
  return host.url
}

test.each(['node-http.ts', 'express.ts', 'fastify.ts', 'hono.ts'])(
  'mounted as in examples/%s, the registry knows the accounts of the host, which keeps its own pages',
  async (name) => {
    const url = await started(name)
    expect(await responsesTo((path, init) => fetch(url + path, init), secret)).toEqual(expectedResponses)
    expect(await (await fetch(url)).text()).toBe('The page of the host')
  },
)

const allotments =
  'Allotments has key A 113\nStadium was not added: SQLITE_CONSTRAINT_PRIMARYKEY\n1 fountain\n'
const waterworks = `{"inspectedBy":["Ada"],"inventoryNumber":"L-7"}
properties.colour is not declared: there are height, inventoryNumber, material, inspectedBy
height, inventoryNumber, material, inspectedBy
`

test.each([
  ['script.ts', 'adds a fountain and lists the nearest', '1 Market square\n'],
  ['own-tables.ts', 'keeps keys in a table of its own, together with the fountain or not at all', allotments],
  ['own-fields.ts', 'keeps custom fields, merged and checked', waterworks],
  ['school-rules.ts', 'has gates, XP and levels of its own', 'Class 5b has 20 XP and is on level 2\n'],
])('examples/%s %s', async (name, _what, written) => {
  expect(await runExample(name, [`${name}.db`], folder)).toBe(written)
})

test('the bot prints each change once, over as many runs and pages as it takes', async () => {
  const file = join(folder, 'followed.db')
  await using followed = await openRegistry({ database: file })
  for (let index = 0; index < 130; index += 1)
    await followed.waypoints.create({ name: `Fountain ${index}`, latitude: index / 2, longitude: 0 }, token())
  const url = await started('node-http.ts', file)
  const printed = async () => (await runExample('bot.ts', [`${url}/api`, 'bot.position'], folder)).split('\n')
  const first = await printed()
  expect(first).toHaveLength(131)
  expect(first[129]).toMatch(/api created waypoint 130$/u)
  await followed.waypoints.delete(7, token())
  expect((await printed()).join()).toMatch(/^\S+ api deleted waypoint 7,$/u)
  expect(await printed()).toEqual([''])
  expect(await readFile(join(folder, 'bot.position'), 'utf8')).toBe('131')
})

// A host with accounts of its own has no endpoints for signing in: its document is a part of this one.
test('the types of the client are those of the document, and it adds a fountain, reads it back and changes it', async () => {
  const url = await started('node-http.ts')
  const described = await createApp(registry).fetch(new Request('http://localhost/api/openapi'))
  const types = await readFile(new URL('../../packages/client/src/api.ts', import.meta.url), 'utf8')
  expect(await clientTypes(await described.text())).toBe(types)
  const there = z.object({ paths: z.record(z.string(), z.unknown()) })
  const own = there.parse(await (await fetch(`${url}/api/openapi`)).json())
  expect(Object.keys(own.paths)).toContain('/api/waypoints')
  expect(Object.keys(own.paths)).not.toContain('/api/auth')
  const written = await runExample('client.ts', [url], folder, { OPENFOUNTAIN_TOKEN: secret })
  expect(written).toBe('2 Cathedral (ODbL-1.0), created\nCathedral: In front of the main door\n')
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
  expect(await readFile(join(folder, 'public/index.html'), 'utf8')).toContain('/style.json')
  expect(JSON.parse(await readFile(join(folder, 'public/style.json'), 'utf8'))).toMatchObject({ version: 8 })
  const { mode } = await stat(join(folder, 'public'))
  expect(mode & 0o777).toBe(0o777 & ~process.umask())
})
