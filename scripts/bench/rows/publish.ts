import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openRegistry, token } from '@openfountain/core'
import { seeded } from '../fountains.ts'
import { comparison } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const clock = path.resolve(import.meta.dirname, '../processor-time.ts')
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
  const spent = path.join(folder, 'processor-time')
  // As the command does: what Node compiled is cached.
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    PROCESSOR_TIME: spent,
  }
  const node = [...process.execArgv, '--import', clock]
  const args = [...node, command, 'publish', '--db', database, '--out', path.join(place, 'site')]
  const publish = async (downloads = 'daily') => {
    await promisify(execFile)(process.execPath, [...args, '--downloads', downloads], { env })
    return Number(readFileSync(spent, 'utf8'))
  }
  const changed: { a: number; b: number }[] = []
  const unchanged: { a: number; b: number }[] = []
  const anew: { a: number; b: number }[] = []
  for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
    mkdirSync(place)
    copyFileSync(await file(size), database)
    const b = await publish()
    const same = await publish()
    await change(database, size, 2 * round)
    const a = await publish()
    await change(database, size, 2 * round + 1)
    const always = await publish('always')
    report(
      `  first ${figures(b)} ms, again ${figures(a)} ms, with all downloads ${figures(always)} ms, again without a change ${figures(same)} ms of processor time`,
    )
    changed.push({ a, b })
    unchanged.push({ a: same, b })
    anew.push({ a: always, b })
    rmSync(place, { recursive: true })
  }
  const rows = [
    [`publishing again after ${changes} changes`, changed, 0.1],
    ['publishing again without a change', unchanged, 0.4],
    [`publishing again after ${changes} changes, all downloads made anew`, anew, 1],
  ] as const
  return rows.map(([title, pairs, atMost]): Reading => {
    const { subject, yardstick, ratio } = comparison(pairs)
    return {
      id: title,
      title,
      against: 'the first publication, into an empty folder: processor time',
      goal: { atMost, unit: 'ratio' },
      value: ratio,
      subject: `${figures(subject.median)} ms`,
      yardstick: `${figures(yardstick.median)} ms`,
    }
  })
}

/**
 * `openfountain publish` as `--watch` has it, with downloads of once a day, all of them and all languages included: once, again, again
 * after some changes, and after some more with all downloads made anew. Processor time, since a publication takes minutes of a machine that does other things, too.
 */
export const publishing: Row = { name: 'publish', measure }
