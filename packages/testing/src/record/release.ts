import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { token, type Registry } from '@openfountain/core'
import { version } from '@openfountain/core/version'
import { exportRegistry } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { answers } from './answers.ts'
import { begin, end } from './story.ts'

/** What a release wrote: a database, an export of it in base64 by name, the head of its log, and what an API answered. */
export interface Release {
  readonly database: string
  readonly files: Readonly<Record<string, string>>
  readonly head: { readonly id: number; readonly hash: string }
  readonly answers: Readonly<Record<string, unknown>>
}

const fileOf = (of: string): URL => new URL(`../../data/release-${of}.json.gz`, import.meta.url)

export const releaseOf = async (of: string): Promise<Release> =>
  JSON.parse(gunzipSync(await readFile(fileOf(of))).toString()) as Release

const asked = ['waypoints?limit=100', 'waypoints/1', 'logs?limit=100', 'changes?limit=1000', 'stats']
const ofOthers = ['user/leaderboard', 'boundingboxes', 'users/person-1', 'waypoints/1/photos', 'logs/head']

/** The answers to what is asked of every release. */
export async function answersOf(registry: Registry): Promise<Record<string, unknown>> {
  const app = createApp(registry)
  const found: Record<string, unknown> = {}
  for (const each of [...asked, ...ofOthers]) {
    const response = await app.fetch(new Request(`http://fountains.test/api/${each}`))
    found[each] = await response.json()
  }
  return found
}

/** Records this version: `node --conditions=openfountain-source packages/testing/src/record/release.ts`. */
async function record(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-release-'))
  const file = path.join(folder, 'fountains.db')
  const story = await begin(file, 80, folder)
  await answers(story, 'writes')
  await end(story)
  const { registry } = story
  await registry.webhooks.create({ url: 'https://city.example/hook' }, token())
  await registry.follows.create('person-1', { what: { region: 'Zürich' } })
  await registry.harvests.schedule(1, { url: 'https://city.example/file', every: 'week', options: {} })
  const out = path.join(folder, 'export')
  await exportRegistry(registry, { out, asOf: '2026-06-02', permitted: ['Stadt Wien, Trinkbrunnen'] })
  const copy = path.join(folder, 'copy.db')
  await registry.backup(copy)
  const files: Record<string, string> = {}
  for (const one of await readdir(out, { recursive: true, withFileTypes: true }))
    if (one.isFile()) {
      const name = path.join(one.parentPath, one.name)
      files[path.relative(out, name)] = await readFile(name, 'base64')
    }
  const database = await readFile(copy, 'base64')
  const head = await registry.changes.head()
  const release: Release = { database, files, head, answers: await answersOf(registry) }
  await registry.close()
  await writeFile(fileOf(version), gzipSync(JSON.stringify(release), { level: 9 }))
  await rm(folder, { recursive: true })
}

if (import.meta.main) await record()
