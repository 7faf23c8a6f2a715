/** @module-tag long */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ImportRefused } from '../../src/import/index.ts'
import { emptyRegistry, importContent } from './fixture.ts'
import { goodFiles, mutated } from './mutations.ts'

const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

/** Formats that a process of its own reads take longer. */
const seedsOf = (format: string) => (['geopackage', 'parquet'].includes(format) ? 8 : 60)

test.each(Object.keys(goodFiles))(
  'damaged files of the format %s are read or refused, and no failure is left over',
  async (format) => {
    const good = goodFiles[format]?.() ?? new Uint8Array()
    const registry = await emptyRegistry()
    expect((await importContent(registry, good)).counts.created).toBeGreaterThan(9)
    const before = await registry.revision()
    let refused = 0
    for (let seed = 1; seed <= seedsOf(format); seed++) {
      try {
        // What can be read is only decided about: all files meet the same registry.
        await importContent(registry, mutated(good, seed), { dryRun: true })
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw new Error(`Seed ${seed}`, { cause: error })
        expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        refused += 1
      }
      // Node reports rejections that were not awaited after the microtasks of a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await registry.revision()).toBe(before)
    expect(unhandled).toEqual([])
    expect(refused).toBeGreaterThan(0)
  },
)

test('control characters of a file do not get into a message', async () => {
  const registry = await emptyRegistry()
  const content = '[{"lat": 47, "lon": 8}, {"lat": 47, \u001b\u202e"lon": 8}]'
  const refusal = await importContent(registry, content).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'MALFORMED', details: { row: 2 } })
  expect((refusal as Error).message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
