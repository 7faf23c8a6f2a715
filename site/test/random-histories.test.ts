/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { describe, expect, test } from 'vitest'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { buildSite } from '../src/index.ts'
import { filesOf, pagesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'

const steps = 120

/** The bytes of a file, unpacked. */
async function contentOf(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

describe('random histories of all kinds of writes', () => {
  test.for([1, 2, 3])(
    'seed %i: what is exported and built is the registry, without what was erased',
    async (seed) => {
      const folder = await freshFolder()
      const [data, out] = [join(folder, 'export'), join(folder, 'site')]
      let now = Date.parse('2026-01-05T08:00:00Z')
      let users = 0
      const registry = await openRegistry({
        database: ':memory:',
        clock: () => new Date((now += 60_000)),
        ids: () => `u${++users}`,
      })
      const history = new RandomHistory(seed)
      for (let step = 0; step < steps || history.erased.size === 0; step++) await history.step(registry)
      const { totalWaypoints } = await registry.statistics()
      const head = await registry.changes.head()
      await exportRegistry(registry, { out: data })
      await buildSite({ data, out, languages: ['en'], url: 'https://lindenau.example/' })
      const log = (await contentOf(join(data, 'changes.ndjson.gz'))).toString().trimEnd().split('\n')
      expect(log).toHaveLength(head.id)
      const fountains = (await pagesOf(out)).filter(({ path }) => /^\/waypoint\/\d+\/$/u.test(path))
      expect(fountains.length).toBeGreaterThanOrEqual(totalWaypoints)
      const files = (
        await Promise.all(
          [data, out].map(async (root) => (await filesOf(root)).map((file) => join(root, file))),
        )
      ).flat()
      for (const file of files) {
        const content = await contentOf(file)
        for (const text of history.erased)
          expect(content.includes(JSON.stringify(text).slice(1, -1)), `${file} has ${text}`).toBe(false)
      }
      await registry.close()
    },
  )
})
