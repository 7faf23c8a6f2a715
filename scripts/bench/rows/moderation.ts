import { openRegistry, token, type QueueQuery, type Registry } from '@openfountain/core'
import { median, milliseconds, spreadOf } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const queue =
  (kind: QueueQuery['kind']) =>
  (registry: Registry): Promise<unknown> =>
    registry.moderation.queue({ kind, limit: 100 }, token())

const pages: Readonly<Record<string, (registry: Registry) => Promise<unknown>>> = {
  'queue: unapproved': queue('unapproved'),
  'queue: unverified': queue('unverified'),
  'queue: reported': queue('reported'),
  'queue: duplicates': queue('duplicates'),
  'queue: bursts': queue('bursts'),
  'acts of moderation': (registry) => registry.moderation.acts({ limit: 100 }),
}

/** Questions before the measurement: what is kept in memory is read at the first. */
const warmUp = 2
const repeats = 9
const goal = 20

async function measure({ size, rounds, file }: Bench): Promise<Reading[]> {
  const registry = await openRegistry({ database: await file(size) })
  const readings: Reading[] = []
  try {
    for (const [title, ask] of Object.entries(pages)) {
      for (let each = 0; each < warmUp; each++) await ask(registry)
      const medians: number[] = []
      for (let round = 0; round < rounds; round++) {
        const times: number[] = []
        for (let repeat = 0; repeat < repeats; repeat++) times.push(await milliseconds(() => ask(registry)))
        medians.push(median(times))
      }
      const value = spreadOf(medians)
      readings.push({
        id: title,
        title,
        against: 'the clock, p50',
        goal: { atMost: goal, unit: 'ms' },
        value,
        subject: `${figures(value.median)} ms`,
        yardstick: '',
      })
    }
    return readings
  } finally {
    await registry.close()
  }
}

/** What moderators look at, 100 at a time. */
export const moderation: Row = { name: 'moderation', measure }
