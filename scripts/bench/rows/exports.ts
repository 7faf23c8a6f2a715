import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { editionOf, formats, type Edition, type Format } from '@openfountain/exchange'
import { alternate, milliseconds } from '../measurement.ts'
import { figures } from '../report.ts'
import { Unmeasurable, type Bench, type Reading, type Row } from '../row.ts'

/** What is compared: a format, the name that ogr2ogr has for it with options, and how many times as fast is due. */
const pairs = [
  { name: 'geojson', driver: ['GeoJSON'], goal: 3 },
  { name: 'csv', driver: ['CSV', '-lco', 'GEOMETRY=AS_XY'], goal: 2 },
  { name: 'gpkg', driver: ['GPKG'], goal: 1.2 },
] as const

function formatNamed(name: string): Format {
  const found = formats.find((format) => format.name === name)
  if (!found) throw new Error(`there is no format ${name}`)
  return found
}

function hasOgr(): boolean {
  try {
    execFileSync('ogr2ogr', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function written(edition: Edition, format: Format, file: string): Promise<void> {
  rmSync(file, { force: true })
  await format.write(file, edition, { rows: 0 })
}

async function measure({ size, rounds, file, folder }: Bench): Promise<Reading[]> {
  if (!hasOgr()) throw new Unmeasurable('it needs ogr2ogr: apt-get install gdal-bin')
  const registry = await openRegistry({ database: await file(size), readOnly: true })
  const snapshot = registry.snapshot()
  try {
    const { name, author, license } = registry
    const edition = editionOf({ snapshot, publisher: { name, author, license } })
    // What GDAL reads best: its own favourite format, with the same rows and columns.
    const given = path.join(folder, 'given.gpkg')
    await written(edition, formatNamed('gpkg'), given)
    const readings: Reading[] = []
    for (const { name: format, driver, goal } of pairs) {
      const ours = path.join(folder, `ours.${format}`)
      const theirs = path.join(folder, `theirs.${format}`)
      const compared = await alternate(
        () =>
          milliseconds(() => {
            rmSync(theirs, { force: true })
            execFileSync('ogr2ogr', ['-f', ...driver, theirs, given])
          }),
        () => milliseconds(() => written(edition, formatNamed(format), ours)),
        rounds,
      )
      readings.push({
        id: `export ${format}`,
        title: `export of ${format}, times as fast`,
        against: 'ogr2ogr from a GeoPackage of the same rows',
        goal: { atLeast: goal, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.yardstick.median)} ms`,
        yardstick: `${figures(compared.subject.median)} ms`,
      })
    }
    return readings
  } finally {
    snapshot.close()
    await registry.close()
  }
}

/** Files of the whole registry, as an export writes them. */
export const exportRow: Row = { name: 'exports', measure }
