import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { seeded } from '../fountains.ts'
import { comparison } from '../measurement.ts'
import { processorTimes } from '../processor-times.ts'
import { figures, ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const command = path.resolve(import.meta.dirname, '../../../packages/cli/src/main.ts')

/** A site takes minutes, so that few rounds are enough. */
const mostRounds = 3
const fountains = 4000
const changes = 10

/** Changes all over the registry: names, positions, and new fountains. */
async function change(database: string, round: number): Promise<void> {
  const registry = await openRegistry({ database })
  const random = seeded(100 + round)
  try {
    for (let done = 0; done < changes; done += 1) {
      const id = 1 + Math.floor(random() * fountains)
      const place = { latitude: random() * 100 - 50, longitude: random() * 300 - 150 }
      if (done % 4 === 0) await registry.waypoints.create({ name: `New ${done}`, ...place }, token())
      else if (done % 4 === 1) await registry.waypoints.update(id, place, token())
      else await registry.waypoints.update(id, { name: `Renamed ${done}` }, token())
    }
  } finally {
    await registry.close()
  }
}

async function measure({ rounds, file, folder, report }: Bench): Promise<Reading[]> {
  const spent = processorTimes(folder)
  const pairs: { a: number; b: number }[] = []
  for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
    // A folder of its own for each round: ext4 searches long for a place near files that were deleted just before.
    const place = path.join(folder, `publishing-${round}`)
    const [database, out] = [path.join(place, 'registry.db'), path.join(place, 'site')]
    const publish = () => spent(command, 'publish', '--db', database, '--out', out, '--downloads', 'always')
    mkdirSync(place)
    copyFileSync(await file(fountains), database)
    const b = await publish()
    await change(database, round)
    const a = await publish()
    report(`  first ${figures(b)} ms, again ${figures(a)} ms of processor time`)
    pairs.push({ a, b })
  }
  const title = `a city of ${fountains.toLocaleString('en')} published again after ${changes} changes`
  const against = 'the first publication, into an empty folder: processor time'
  return [ratio(title, { against, value: comparison(pairs), atMost: 0.6 }, ' ms')]
}

/**
 * `openfountain publish` with all downloads and all languages: once, and again after some changes. It is measured in
 * processor time, since a publication takes minutes of a machine with other load.
 */
export const publishing: Row = { name: 'publish', measure }
