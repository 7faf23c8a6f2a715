/** @module-tag postgres */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { openRegistry, token, user } from '@openfountain/core'
import { commands } from '../../cli/src/commands/all.ts'
import { openfountains } from '@openfountain/testing/command/shell'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { asAdmin } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import data from './commands.json' with { type: 'json' }

const secret = 'hunter2'

async function prepare(database: string): Promise<void> {
  await using registry = await openRegistry({ database, clock: tickingClock() })
  for (const id of ['ada', 'eve']) await registry.users.create({ id, name: id, xp: 200 })
  const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
  await registry.waypoints.create(square, token())
  await registry.waypoints.create({ ...square, name: 'Market Square' }, token())
  await registry.waypoints.create(
    { name: 'Park', description: '0171 1234', latitude: 55, longitude: 13 },
    user('ada'),
  )
  await registry.waypoints.update(1, { name: 'Spam' }, user('eve'))
  await registry.reviews.create({ bubblerId: 3, rating: 2, comment: 'Warm' }, user('eve'))
  await registry.reviews.create({ bubblerId: 1, rating: 4 }, user('ada'))
  for (const about of [{ bubblerId: 1 }, { userId: 'eve' }])
    await registry.reports.create({ ...about, reason: 'wrong', comment: 'Look' }, user('ada'))
}

/** The operators' commands, in an order in which each has work to do. */
const lines: readonly (readonly string[])[] = data

/** Commands with tests of their own on a server, or without a database. */
const elsewhere = new Set(
  'init,setup,serve,doctor,mirror,witness,site build,log check,webhook secret,completion,backup fetch'.split(
    ',',
  ),
)

/** The output without random values and times. */
const same = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/gu, 'TIME')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu, 'UUID')
    .replaceAll(/[\da-f]{32,64}/gu, 'HASH')
    .replaceAll(/[\d.]+ s, [\d,]+ rows\/s|"(?:seconds|rowsPerSecond)":[\d.]+/gu, 'SPEED')
    .replaceAll(/of[a-z]_[\w-]+/gu, 'SECRET')
    .replaceAll(/"bytes":\d+/gu, '"bytes":0')

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

async function walked(prepared: string | undefined, env: Readonly<Record<string, string>>) {
  const cwd = await temporaryFolder()
  await prepare(prepared ?? path.join(cwd, 'openfountain.db'))
  const features = [13.5, 13.6].map((longitude) => ({
    type: 'Feature',
    id: `a${longitude}`,
    properties: { name: `Well ${longitude}` },
    geometry: { type: 'Point', coordinates: [longitude, 55] },
  }))
  await writeFile(path.join(cwd, 'wells.geojson'), JSON.stringify({ type: 'FeatureCollection', features }))
  const route = { type: 'LineString', coordinates: [13, 14].map((longitude) => [longitude, 55]) }
  await writeFile(path.join(cwd, 'route.geojson'), JSON.stringify(route))
  const node = { type: 'node', id: 1, lat: 55, lon: 13.5, tags: { amenity: 'drinking_water' } }
  await writeFile(path.join(cwd, 'overpass.json'), JSON.stringify({ version: 0.6, elements: [node] }))
  await writeFile(path.join(cwd, 'dot.png'), Buffer.from(dot, 'base64'))
  const answers = await openfountains(lines, {
    cwd,
    env: {
      ...env,
      OPENFOUNTAIN_SECURITY_LOG: 'security.log',
      OPENFOUNTAIN_PHOTOS: 'photos',
      OPENFOUNTAIN_KEY: 'k'.repeat(32),
    },
  })
  const events = await readFile(path.join(cwd, 'security.log'), 'utf8')
  return {
    events,
    outputs: answers.map(
      ({ code, stdout, stderr }, index) => `${lines[index]?.join(' ')}\n${stderr}${stdout}${code}\n`,
    ),
    written:
      answers.map(({ stdout, stderr }) => stdout + stderr).join('') +
      events +
      (await readFile(path.join(cwd, 'eve.json'), 'utf8')),
    files: await readdir(cwd),
  }
}

test('the walk goes through every command that has a database', () => {
  const names = commands.map(({ name }) => name)
  const walkedBy = (name: string): boolean =>
    lines.some((words) => words.join(' ').startsWith(`${name} `) || words.join(' ') === name)
  expect(names.filter((name) => !walkedBy(name))).toEqual(names.filter((name) => elsewhere.has(name)))
})

test('every command does and says the same about a registry on a server as about one in a file, and never its password', async () => {
  const url = await emptyDatabase()
  await asAdmin(inject('postgres'), `create role walker login password '${secret}'`)
  await asAdmin(inject('postgres'), `alter database ${new URL(url).pathname.slice(1)} owner to walker`)
  const address = url.replace('//openfountain@', `//walker:${secret}@`)
  const file = await walked(undefined, {})
  const server = await walked(address, { OPENFOUNTAIN_DB: address })
  const comparable = (outputs: readonly string[]): string[] =>
    outputs
      .filter(
        (output) => !/^(?:log (?:redact 7 --fields description|scrub)|takedown --waypoint)/u.test(output),
      )
      .map(same)
  expect(comparable(server.outputs)).toEqual(comparable(file.outputs))
  expect(same(server.events)).toBe(same(file.events))
  expect(server.events).toContain('"event":"user.blocked"')
  const codes = server.outputs.map((output) => Number(output.trimEnd().split('\n').at(-1)))
  expect(lines.filter((_line, index) => codes[index] !== 0).map((line) => line.join(' '))).toEqual([
    ...lines.slice(1, 4).map((line) => line.join(' ')),
    'webhook add http://city.example/',
    ...['test', 'resend', 'rotate', 'remove'].map((name) => `webhook ${name} none`),
    'moderate undo 999 --reason Why',
    'log prove 5 --json',
    `log verify --known 1:${'0'.repeat(64)}`,
    ...lines.slice(-6).map((line) => line.join(' ')),
  ])
  expect(codes.slice(-6)).toEqual(Array.from({ length: 6 }, () => 2))
  expect(server.outputs.at(-2)).toContain('openfountain copy restored.db postgres://ada@127.0.0.1:1/town')
  expect(server.outputs.at(-6)).toMatch(/--db has a password.*PGPASSWORD.*PGPASSFILE.*OPENFOUNTAIN_DB/u)
  // Delayed erasure of text depends on the engine.
  for (const output of server.outputs)
    if (/^(?:log (?:redact 7 --fields description|scrub)|takedown --waypoint)/u.test(output))
      expect(output).toContain('"leftovers"')
  expect(server.written).not.toContain(secret)
  expect(server.files.map(same).toSorted()).toEqual(
    file.files
      .filter((name) => !name.startsWith('openfountain.db'))
      .map(same)
      .toSorted(),
  )
}, 300_000)
