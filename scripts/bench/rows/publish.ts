import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openRegistry, token } from '@openfountain/core'
import { seeded } from '../fountains.ts'
import { comparison, milliseconds } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const command = path.resolve(import.meta.dirname, '../../../packages/cli/src/main.ts')

/** A site takes minutes: more rounds say little more. */
const mostRounds = 3
const changes = 100

/** Changes of all over the registry: names, positions, and new fountains. */
async function change(database: string, size: number, round: number): Promise<void> {
  const registry = await openRegistry({ database })
  const random = seeded(100 + round)
  try {
    for (let done = 0; done < changes; done += 1) {
      const id = 1 + Math.floor(random() * size)
      const place = { latitude: random() * 100 - 50, longitude: random() * 300 - 150 }
      if (done % 4 === 0) await registry.waypoints.create({ name: `New ${done}`, ...place }, token())
      else if (done % 4 === 1) await registry.waypoints.update(id, place, token())
      else await registry.waypoints.update(id, { name: `Renamed ${done}` }, token())
    }
  } finally {
    await registry.close()
  }
}

async function measure({ size, rounds, file, folder, report }: Bench): Promise<Reading[]> {
  // With the folder that the link in it leads to, and what SQLite keeps beside a database.
  const place = path.join(folder, 'publishing')
  const database = path.join(place, 'registry.db')
  // As the command does: what Node compiled is cached.
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'compiled') }
  const args = [...process.execArgv, command, 'publish', '--db', database, '--out', path.join(place, 'site')]
  const publish = () => milliseconds(() => promisify(execFile)(process.execPath, args, { env }))
  const pairs: { a: number; b: number }[] = []
  for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
    mkdirSync(place)
    copyFileSync(await file(size), database)
    const b = await publish()
    await change(database, size, round)
    const a = await publish()
    report(`  first ${figures(b)} ms, again ${figures(a)} ms`)
    pairs.push({ a, b })
    rmSync(place, { recursive: true })
  }
  const { subject, yardstick, ratio } = comparison(pairs)
  return [
    {
      id: 'publishing again',
      title: `publishing again after ${changes} changes`,
      against: 'the first publication, into an empty folder',
      goal: { atMost: 0.1, unit: 'ratio' },
      value: ratio,
      subject: `${figures(subject.median)} ms`,
      yardstick: `${figures(yardstick.median)} ms`,
    },
  ]
}

/** `openfountain publish` with its defaults, all downloads and languages included: once, and again after some changes. */
export const publishing: Row = { name: 'publish', measure }
