import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, user, type ImportRow } from '@openfountain/core'
import { edition, fountains, seeded } from './fountains.ts'

/** The measured registries: built once by imports, and cached. */

const root = path.resolve(import.meta.dirname, '../..')
const cache = path.join(root, 'node_modules/.cache/openfountain-bench')

/** Rows of one import transaction, as in `openfountain import`. */
export const batchRows = 5000
const people = 500
const reviewsEach = 4

/** Changes with each input of such a file. */
function fingerprint(): string {
  const core = path.join(root, 'packages/core/src')
  const files = [
    ...globSync('store/sqlite/migrations/*.ts', { cwd: core }),
    'store/schema-version.ts',
    'store/sqlite/search/index.ts',
    'search/letters.ts',
  ].toSorted()
  const digest = createHash('sha256').update(edition)
  for (const file of files) digest.update(readFileSync(path.join(core, file)))
  return digest.digest('hex').slice(0, 12)
}

/** Rows in the form of an importer, a batch at a time. */
export function* batches(count: number, rows = batchRows): Generator<ImportRow[]> {
  let batch: ImportRow[] = []
  let row = 0
  for (const { ref, ...input } of fountains(count)) {
    batch.push({ row: ++row, ref, input })
    if (batch.length === rows) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

async function fill(file: string, count: number, report: (line: string) => void): Promise<void> {
  const registry = await openRegistry({
    database: file,
    durability: 'relaxed',
    name: 'Bench',
    author: 'Bench',
  })
  try {
    const run = await registry.imports.start({ source: { name: 'Synthetic fountains', license: 'CC0-1.0' } })
    let done = 0
    const started = performance.now()
    for (const batch of batches(count)) {
      await run.apply(batch)
      done += batch.length
      if (done % 100_000 === 0) {
        report(
          `  ${done} of ${count} imported, ${Math.round((done / (performance.now() - started)) * 1000)}/s`,
        )
      }
    }
    await run.finish({ counts: { created: done }, missing: 'keep' })
    await registry.imports.merge()
    const random = seeded(7)
    for (let person = 1; person <= people; person++) {
      const { id } = await registry.users.create({ name: `Walker ${person}`, id: `walker-${person}` })
      for (let review = 0; review < reviewsEach; review++) {
        const bubblerId = 1 + Math.floor(random() * count)
        await registry.reviews.create({ bubblerId, rating: 1 + Math.floor(random() * 5) }, user(id))
      }
    }
  } finally {
    await registry.close()
  }
}

/** The file of a registry with `count` waypoints, 500 people and 2,000 reviews. Use it read-only, or copy it. */
export async function registryFile(
  count: number,
  report: (line: string) => void = () => {},
): Promise<string> {
  mkdirSync(cache, { recursive: true })
  const file = path.join(cache, `fountains-${count}-${fingerprint()}.db`)
  if (existsSync(file)) return file
  for (const old of globSync(`fountains-${count}-*.db`, { cwd: cache })) rmSync(path.join(cache, old))
  report(`Building ${path.relative(root, file)}; the next run uses it again.`)
  const unfinished = `${file}.${process.pid}`
  await fill(unfinished, count, report)
  renameSync(unfinished, file)
  return file
}
