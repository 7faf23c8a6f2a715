import { openRegistry, type Registry } from '@openfountain/core'
import { newDatabase } from '@openfountain/testing/database'
import { RandomHistory } from '@openfountain/testing/histories/random-history'

/** Seeds of histories: OPENFOUNTAIN_HISTORIES sets how many there are, OPENFOUNTAIN_HISTORY_SEED the first one. */
export function seedsOf(usually: number): number[] {
  const { OPENFOUNTAIN_HISTORIES: count = usually, OPENFOUNTAIN_HISTORY_SEED: first = 1 } = process.env
  return Array.from({ length: Number(count) }, (_, index) => Number(first) + index)
}

/** An empty registry, to be exported under the ODbL, with a clock and chances of its own. */
export interface RandomRegistry {
  readonly registry: Registry
  /** Sets the registry's clock on. */
  passDays(days: number): void
  close(): Promise<void>
}

/** @param tick milliseconds by which the clock goes on with each look at it */
export async function openRandom(history: RandomHistory, tick: number): Promise<RandomRegistry> {
  const own = await newDatabase()
  let now = Date.UTC(2026, 2, 1)
  let people = 0
  const registry = await openRegistry({
    database: own.database,
    durability: 'relaxed',
    license: 'ODbL-1.0',
    clock: () => new Date((now += tick)),
    ids: () => `u${++people}`,
    random: (bytes) => history.chance.bytes(bytes),
  })
  return {
    registry,
    passDays: (days) => {
      now += days * 86_400_000
    },
    async close() {
      await registry.close()
      await own.remove()
    },
  }
}
