import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { served as started, withProcess } from '@openfountain/testing/command/shell'
import { root } from '../../packages/folders.ts'
import { comparison, milliseconds, spreadOf } from '../measurement.ts'
import { clock, figures, ratio } from '../report.ts'
import { city, type Bench, type Reading, type Row } from '../row.ts'

const child = path.join(import.meta.dirname, 'opening-child.ts')

/** Requests to a warm server, the first of which may have to load modules. */
const repeats = 10

/** Resident memory of a process. */
function megabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1000
}

async function measure({ rounds, file, folder }: Bench): Promise<Reading[]> {
  const database = path.join(folder, 'city.db')
  copyFileSync(await file(city), database)
  const opened: number[] = []
  const served: number[] = []
  const filtered: { a: number; b: number }[] = []
  const memory: number[] = []
  const env = { NODE_COMPILE_CACHE: path.join(folder, 'compiled') }
  // As it is published: the sources take a third more of time and memory, for their types are stripped.
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/build.ts')])
  // The first round fills the cache of compiled code.
  for (let round = 0; round <= rounds; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [child, database], {
      env: { ...process.env, ...env },
    })
    const from = performance.now()
    const module = path.join(root, 'packages/cli/dist/main.js')
    const serving = await started(['--db', database], { cwd: folder, env, module }, withProcess)
    const get = (address: string): Promise<number> =>
      milliseconds(async () => {
        const response = await fetch(new URL(address, serving.url))
        if (response.status !== 200) throw new Error(`${address} responded with ${response.status}`)
        await response.text()
      })
    try {
      await get('/api/waypoints/1')
      const first = performance.now() - from
      const list: number[] = []
      for (let each = 0; each < repeats; each++) list.push(await get('/api/waypoints?verified=true&limit=10'))
      if (round === 0) continue
      opened.push(Number(stdout))
      served.push(first)
      filtered.push({ a: list[0] ?? Number.NaN, b: list.at(-1) ?? Number.NaN })
      memory.push(megabytes(serving.child.pid ?? 0))
    } finally {
      await serving.stop()
    }
  }
  const peak = spreadOf(memory)
  return [
    clock('a city: library opened to first answer', 400, opened),
    clock('a city: `serve` started to first answer', 1200, served),
    clock(
      'a city: first filtered list after that',
      100,
      filtered.map(({ a }) => a),
    ),
    ratio(
      'a city: first filtered list',
      { against: 'the tenth', value: comparison(filtered), atMost: 3 },
      ' ms',
    ),
    {
      title: 'a city: memory of the server',
      against: 'what the system says',
      goal: { atMost: 150, unit: 'MB' },
      value: peak,
      subject: `${figures(peak.median)} MB`,
      yardstick: '',
    },
  ]
}

/** The day of a city: its library and its server are started and queried, with a filtered list. */
export const cityRow: Row = { name: 'city', measure }
