import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { markdownOf, updateDocument } from './document.ts'
import { registryFile } from './registry-file.ts'
import { runOf } from './report.ts'
import { PostgresServer } from './postgres-server.ts'
import { Unmeasurable, type Bench, type Reading, type Row, type ServerBench } from './row.ts'
import { box } from './rows/box.ts'
import { cityRow } from './rows/city.ts'
import { create } from './rows/create.ts'
import { directus } from './rows/directus.ts'
import { dryRun } from './rows/dry-run.ts'
import { exportRow } from './rows/exports.ts'
import { flush } from './rows/flush.ts'
import { imports } from './rows/imports.ts'
import { lightWhileHeavy } from './rows/light-while-heavy.ts'
import { listAll } from './rows/list-all.ts'
import { live } from './rows/live.ts'
import { log } from './rows/log.ts'
import { nearest } from './rows/nearest.ts'
import { pagesRow } from './rows/pages.ts'
import { photoRow } from './rows/photo.ts'
import { publishing } from './rows/publish.ts'
import { queries, queriesOnServer } from './rows/queries.ts'
import { readingById, readingByIdOnServer } from './rows/read-by-id.ts'
import { searchWithin } from './rows/search.ts'
import { copyOnServer } from './rows/server/copy.ts'
import { createsOnServer } from './rows/server/creates.ts'
import { importOnServer } from './rows/server/import.ts'

/** Measures the goals of docs/performance.md; `npm run bench -- --help` describes the options. */

const ofFile: readonly Row[] = [
  readingById,
  directus,
  lightWhileHeavy,
  listAll,
  searchWithin({ most: 2, million: 5 }),
  box,
  nearest,
  queries,
  cityRow,
  create,
  flush,
  imports,
  dryRun,
  exportRow,
  live,
  log,
  pagesRow,
  photoRow,
  publishing,
]

const ofServer: readonly Row<ServerBench>[] = [
  readingByIdOnServer,
  createsOnServer,
  searchWithin({ most: 20, million: 20 }),
  nearest,
  queriesOnServer,
  importOnServer,
  copyOnServer,
]

const namesOf = (rows: readonly { readonly name: string }[]): string =>
  rows.map(({ name }) => name).join(', ')

const help = `npm run bench -- [options]

  --million        measure at 1,000,000 waypoints, and search against 200,000 too (the first run builds them)
  --only a,b       only these rows: ${namesOf(ofFile)}
  --postgres       measure a registry on PostgreSQL, on a server that is started for this and ended: ${namesOf(ofServer)}
  --directus URL   a Directus 12.4.0 on SQLite with the same waypoints, to compare reads with
  --rounds 5       how often each pair is measured
  --out FILE       where to write the JSON, default bench-results.json under node_modules/.cache/openfountain-bench
  --write          update the table in docs/performance.md
  --help           show this help

Every number is the median of several A B A B pairs, with its quartiles. Absolute numbers are this machine's,
the ratios are what to compare. Exits with status 1 when a goal is missed.`

const { values } = parseArgs({
  options: {
    million: { type: 'boolean', default: false },
    only: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    directus: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const wanted = values.only?.split(',')
const unknown = wanted?.find((name) =>
  (values.postgres ? ofServer : ofFile).every((row) => row.name !== name),
)
const rounds = Number(values.rounds)
if (unknown !== undefined || !Number.isInteger(rounds) || rounds < 1) {
  console.error(unknown === undefined ? '--rounds is a whole number from 1' : `Row not found: ${unknown}`)
  console.error(help)
  process.exit(2)
}

const size = values.million ? 1_000_000 : 200_000
const peer = values.directus === undefined ? undefined : new URL(values.directus)
const report = (line: string): void => console.error(line)
const readings: Reading[] = []
const leftOut: { name: string; why: string }[] = []

async function measureAll<Given extends Bench>(
  rows: readonly Row<Given>[],
  given: (bench: Bench) => Given,
): Promise<void> {
  for (const row of rows.filter(({ name }) => wanted?.includes(name) ?? true)) {
    report(`${row.name} …`)
    // No row waits for what the one before it wrote.
    spawnSync('sync')
    const folder = mkdtempSync(path.join(tmpdir(), 'openfountain-bench-'))
    try {
      const file = (count: number) => registryFile(count, report)
      readings.push(...(await row.measure(given({ size, rounds, file, directus: peer, folder, report }))))
    } catch (error) {
      if (!(error instanceof Unmeasurable)) throw error
      leftOut.push({ name: row.name, why: error.message })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

let server: string | undefined
if (values.postgres) {
  const postgres = await PostgresServer.start()
  try {
    server = await postgres.version()
    await measureAll(ofServer, (bench) => ({
      ...bench,
      sqlite: bench.file,
      file: async (count) => postgres.filled(await bench.file(count), report),
      emptyDatabase: () => postgres.emptyDatabase(),
      dropDatabase: (url) => postgres.dropDatabase(url),
    }))
  } finally {
    await postgres.stop()
  }
} else await measureAll(ofFile, (bench) => bench)

const run = runOf(readings, leftOut, { waypoints: size, rounds, server })
const out = values.out ?? path.resolve('node_modules/.cache/openfountain-bench/bench-results.json')
mkdirSync(path.dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify(run, undefined, 2)}\n`)
console.log(markdownOf(run))
if (values.write) updateDocument(run)
console.log(`\n${out}`)
process.exitCode = run.readings.every(({ reached }) => reached) ? 0 : 1
