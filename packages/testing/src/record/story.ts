import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, user } from '@openfountain/core'
import { importFile, readyMaps } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { Chance } from '../chance.ts'
import { photosInMemory } from '../photos.ts'

const cities = [
  { file: 'zurich', published: '2021-05-01', license: 'CC0-1.0' },
  { file: 'paris', published: '2022-06-01', license: 'ODbL-1.0' },
  { file: 'vienna', published: '2024-03-01', license: 'CC-BY-4.0' },
] as const

export type Caller = 'nobody' | 'ada' | 'bo' | 'mo' | 'token'

export type Story = Awaited<ReturnType<typeof begin>>

function excerpt(name: string, rows: number): string {
  const file = new URL(`../../data/${name}.geojson.gz`, import.meta.url)
  const collection = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { features: unknown[] }
  return JSON.stringify({ ...collection, features: collection.features.slice(0, rows) })
}

/** @param rows of each city */
export async function begin(database: string, rows: number, folder: string) {
  let now = Date.parse('2026-06-01T08:00:00.000Z')
  let people = 0
  const chance = new Chance(42)
  const registry = await openRegistry({
    database,
    durability: 'relaxed',
    name: 'Fountains of three cities',
    author: 'Water Club',
    license: 'ODbL-1.0',
    clock: () => new Date((now += 1000)),
    ids: () => `person-${++people}`,
    photos: photosInMemory(),
    random: (bytes) => chance.bytes(bytes),
  })
  // List threads, which in-memory databases lack, would use the machine's clock.
  Object.defineProperty(registry, 'database', { value: ':memory:' })
  const maps = await readyMaps()
  for (const { file: name, published, license } of cities) {
    const file = path.join(folder, `${name}.geojson`)
    await writeFile(file, excerpt(name, rows))
    const map = maps.find((ready) => ready.name === name)?.path ?? ''
    // An excerpt still has the total of its file, and is a part of it.
    await importFile(registry, { file, map, published, source: { license }, accept: ['partial'] })
  }
  const session = async (name: string, xp: number, isModerator = false) => {
    const { id } = await registry.users.create({
      name,
      email: `${name.toLowerCase()}@example.org`,
      xp,
      isModerator,
    })
    return { cookie: `session=${(await registry.sessions.create(id)).session}` }
  }
  const headers: Readonly<Record<Caller, Readonly<Record<string, string>>>> = {
    nobody: {},
    ada: await session('Ada', 100),
    bo: await session('Bo', 0),
    mo: await session('Mo', 300, true),
    token: { authorization: `Bearer ${(await registry.tokens.create({ name: 'City' })).token}` },
  }
  return { registry, app: createApp(registry), headers }
}

export async function end({ registry }: Story): Promise<void> {
  const { logs } = await registry.changes.list({ action: 'edited', order: 'asc', limit: 1 })
  await registry.changes.redact(logs[0]?.id ?? 0, { reason: 'Names a person', fields: ['description'] })
  const eve = await registry.users.create({ name: 'Eve', xp: 50 })
  const input = { name: 'Eve’s spring', latitude: 47.37, longitude: 8.55, description: 'Behind my house' }
  const { id } = await registry.waypoints.create(input, user(eve.id))
  await registry.reviews.create({ bubblerId: id, rating: 2, comment: 'Muddy' }, user(eve.id))
  await registry.accounts.leave(eve.id, { texts: 'erase' })
}
