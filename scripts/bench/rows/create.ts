import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, user } from '@openfountain/core'
import { BareTable } from '../bare-table.ts'
import { fountains } from '../fountains.ts'
import { alternate, milliseconds } from '../measurement.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

/** Enough for a few of SQLite's checkpoints on both sides of each round. */
const creates = 1500

async function measure({ rounds, file, folder }: Bench): Promise<Reading[]> {
  const held = 200_000
  const database = path.join(folder, 'registry.db')
  copyFileSync(await file(held), database)
  const registry = await openRegistry({ database, durability: 'relaxed' })
  using bare = new BareTable(path.join(folder, 'bare.db'))
  bare.insertAll([...fountains(held)])
  const pairs = rounds * 3
  const rows = [...fountains(creates * (pairs + 1), 99)]
  const slice = (round: number) => rows.slice(round * creates, (round + 1) * creates)
  try {
    const { id } = await registry.users.create({ name: 'Creator' })
    await registry.users.grantXp(id, 1000, 'measures')
    const perSecond = (time: number) => (creates / time) * 1000
    const value = await alternate(
      async (round) =>
        perSecond(
          await milliseconds(async () => {
            for (const { ref: _ref, ...input } of slice(round))
              await registry.waypoints.create(input, user(id))
          }),
        ),
      async (round) =>
        perSecond(
          await milliseconds(() => {
            for (const row of slice(round)) bare.insert(row)
          }),
        ),
      pairs,
    )
    return [
      ratio(
        'create, relaxed durability',
        { against: 'bare insert in a transaction, better-sqlite3 alone', value, atLeast: 0.05 },
        '/s',
      ),
    ]
  } finally {
    await registry.close()
  }
}

/** One waypoint with its log entry, XP, counters and indexes in one transaction, by a user, among 200,000. */
export const create: Row = { name: 'create', measure }
