/** @module-tag long */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { exportRegistry, type RegistryExportOptions } from '../../src/index.ts'
import { openRandom, seedsOf } from './random-registry.ts'
import { temporaryFolder } from './written-edition.ts'

/** Exports a registry after an export of it, and anew, and returns the bytes that were taken over. */
async function exportedTwice(
  registry: Registry,
  folder: string,
  round: number,
  more: Partial<RegistryExportOptions>,
): Promise<number> {
  const path = (name: string, count = round) => join(folder, `${name}${count}`)
  const options = { formats: ['pmtiles'], ...more }
  mkdirSync(path('kept'))
  const earlier = round === 0 ? undefined : path('again', round - 1)
  const from = round === 0 ? undefined : path('kept', round - 1)
  const { files } = await exportRegistry(registry, {
    ...options,
    out: path('again'),
    earlier,
    kept: { from, to: path('kept') },
  })
  await exportRegistry(registry, { ...options, out: path('anew') })
  for (const { file } of files) {
    const [one, other] = ['again', 'anew'].map((name) => readFileSync(join(path(name), file)))
    expect({ file, same: one?.equals(other ?? Buffer.alloc(0)) }).toEqual({ file, same: true })
  }
  return files.reduce((sum, { takenOver = 0 }) => sum + takenOver, 0)
}

test.each(seedsOf(4))('tiles that are taken over are those that would be made: history %d', async (seed) => {
  const history = new RandomHistory(seed, { hostile: seed % 2 === 0 })
  const { chance } = history
  const random = await openRandom(history, 1000)
  const { registry } = random
  const [whole, split] = [temporaryFolder(), temporaryFolder()]
  try {
    for (let step = 0; step < 60; step += 1) await history.step(registry)
    let [ofWhole, ofSplit] = [0, 0]
    for (let round = 0; round < 4; round += 1) {
      const asOf = await registry.observations.today()
      ofWhole += await exportedTwice(registry, whole, round, { asOf })
      ofSplit += await exportedTwice(registry, split, round, { asOf, splitByLicense: true })
      if (chance.isIn(50)) random.passDays(1 + chance.below(200))
      for (let step = chance.below(12); step > 0; step -= 1) await history.step(registry)
    }
    expect(ofWhole).toBeGreaterThan(0)
    expect(ofSplit).toBeGreaterThan(0)
  } finally {
    await random.close()
  }
})
