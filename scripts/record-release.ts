import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { token } from '@openfountain/core'
import { version } from '@openfountain/core/version'
import { exportRegistry } from '@openfountain/exchange'
import { answers } from '../packages/testing/src/record/answers.ts'
import { answersOf, fileOf, type Release } from '../packages/testing/src/record/release.ts'
import { begin, end } from '../packages/testing/src/record/story.ts'

/**
 * Records what this version writes, with every noun, which later versions read in packages/postgres/test/upgrading.test.ts:
 *   node --conditions=openfountain-source scripts/record-release.ts
 */
const folder = await mkdtemp(join(tmpdir(), 'openfountain-release-'))
const story = await begin(join(folder, 'fountains.db'), 80, folder)
const { registry } = story
await answers(story, 'writes')
await end(story)
await registry.webhooks.create({ url: 'https://city.example/hook' }, token())
await registry.follows.create('person-1', { what: { region: 'Zürich' } })
await registry.harvests.schedule(1, { url: 'https://city.example/file', every: 'week', options: {} })
const out = join(folder, 'export')
await exportRegistry(registry, { out, asOf: '2026-06-02', permitted: ['Stadt Wien, Trinkbrunnen'] })
const files: Record<string, string> = {}
for (const { name } of (await readdir(out, { withFileTypes: true })).filter((one) => one.isFile()))
  files[name] = await readFile(join(out, name), 'base64')
const copy = join(folder, 'copy.db')
await registry.backup(copy)
const database = await readFile(copy, 'base64')
const head = await registry.changes.head()
const release: Release = { database, files, head, answers: await answersOf(registry) }
await registry.close()
await writeFile(fileOf(version), gzipSync(JSON.stringify(release), { level: 9 }))
await rm(folder, { recursive: true })
