import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { alternate, milliseconds } from '../measurement.ts'
import { ratio } from '../report.ts'
import { Unmeasurable, type Bench, type Reading, type Row } from '../row.ts'
import type { ExportOrder } from './exports-thread.ts'

/** The comparisons: a format, its ogr2ogr name with options, and the required speed-up. */
const pairs = [
  { name: 'geojson', driver: ['GeoJSON'], atLeast: 2 },
  { name: 'csv', driver: ['CSV', '-lco', 'GEOMETRY=AS_XY'], atLeast: 1.5 },
  { name: 'gpkg', driver: ['GPKG'], atLeast: 1.2 },
] as const

function hasOgr(): boolean {
  try {
    execFileSync('ogr2ogr', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A thread like that of exports. */
function exportThread() {
  const worker = new Worker(new URL('exports-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
  return {
    async milliseconds(order: ExportOrder): Promise<number> {
      worker.postMessage(order, [])
      const [measured] = await once(worker, 'message')
      return Number(measured)
    },
    end: () => worker.terminate(),
  }
}

async function measure({ size, rounds, file, folder }: Bench): Promise<Reading[]> {
  if (!hasOgr()) throw new Unmeasurable('it needs ogr2ogr: apt-get install gdal-bin')
  const database = await file(size)
  const thread = exportThread()
  try {
    // The fastest input for GDAL: its own format, with the same rows and columns, without its layer of styles.
    const given = path.join(folder, 'given.gpkg')
    await thread.milliseconds({ database, format: 'gpkg', file: given })
    const readings: Reading[] = []
    for (const { name: format, driver, atLeast } of pairs) {
      const ours = path.join(folder, `ours.${format}`)
      const theirs = path.join(folder, `theirs.${format}`)
      const value = await alternate(
        () =>
          milliseconds(() => {
            rmSync(theirs, { force: true })
            execFileSync('ogr2ogr', ['-f', ...driver, theirs, given, 'waypoints'])
          }),
        () => thread.milliseconds({ database, format, file: ours }),
        rounds,
      )
      // Times as fast: their time ÷ ours.
      const [subject, yardstick] = [value.yardstick, value.subject]
      const against = 'ogr2ogr from a GeoPackage of the same rows'
      const title = `export of ${format}, times as fast`
      readings.push(ratio(title, { against, value: { ...value, subject, yardstick }, atLeast }, ' ms'))
    }
    return readings
  } finally {
    await thread.end()
  }
}

/** Files of the whole registry, as an export writes them. */
export const exportRow: Row = { name: 'exports', measure }
