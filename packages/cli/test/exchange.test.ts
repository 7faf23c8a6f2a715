import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { createServer } from 'node:http'
import { listening } from '@openfountain/testing/listening'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { started, workplace, type Workplace } from '@openfountain/testing/command/shell'

const Counts = z.object({ counts: z.record(z.string(), z.int()) })
const Stats = z.object({ totalWaypoints: z.int() })

const lund = "import lund.csv --source 'City of Lund' --license CC0-1.0"
const three = [
  'id,name,latitude,longitude,operator',
  'a1,Market square,55.7029,13.1929,City of Lund',
  'a2,Botanical garden,55.7038,13.2012,City of Lund',
  'a3,On no globe,555,13.2,City of Lund',
]
const withFile = (lines: readonly string[] = three): Promise<Workplace> =>
  workplace({ 'lund.csv': `${lines.join('\n')}\n` })

describe('import', () => {
  test('shows beforehand what it will do, does it, does nothing the second time, and marks or removes what is listed no longer', async () => {
    const { answer, at, cwd, json, run } = await withFile()
    const dry = await run(`${lund} --dry-run`)
    expect(dry.stdout).toContain('Dry run: nothing was written')
    expect(dry.stderr).toMatch(/^operator +maintainer/mu)
    expect(await readdir(cwd)).not.toContain('openfountain.db')
    const first = await answer(Counts, `${lund} --report report.json`)
    expect(first.counts).toMatchObject({ rows: 3, created: 2, updated: 0, unchanged: 0, refused: 1 })
    expect(Counts.parse(JSON.parse(await readFile(at('report.json'), 'utf8')))).toEqual(first)
    expect(await readFile(at('lund.csv.rejected.ndjson'), 'utf8')).toContain('On no globe')
    const second = await answer(Counts, lund)
    expect(second.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, refused: 1 })
    const newest = (await run('log show --all --limit 2')).stdout
    expect(newest).toMatch(/import 2 +finished[^\n]*\n.*import 2 +started/u)
    await writeFile(at('lund.csv'), three.slice(0, 2).join('\n'))
    expect((await answer(Counts, `${lund} --accept shrink`)).counts).toMatchObject({ missing: 1, removed: 0 })
    await writeFile(at('lund.csv'), three.slice(0, 2).join('\r\n'))
    expect((await answer(Counts, `${lund} --remove-missing --accept shrink`)).counts).toMatchObject({
      removed: 1,
    })
    expect(await json('stats')).toMatchObject({ totalWaypoints: 1 })
  })

  test('approves what it creates, unless that is for the moderators; people read why a row was refused', async () => {
    const { at, registry, run } = await withFile()
    const { stdout } = await run(`${lund} --rejected no.ndjson`)
    expect(stdout).toMatch(/^Refused 1: .*\(first in row 3\)$/mu)
    expect(stdout).toContain('Refused rows: no.ndjson')
    await run(`${lund} --unapproved --db queue.db`)
    for (const name of ['openfountain.db', 'queue.db'])
      await registry(
        async ({ waypoints }) => {
          const approved = (await waypoints.list()).map((waypoint) => waypoint.approved)
          expect(approved).toEqual(name === 'queue.db' ? [false, false] : [true, true])
        },
        { database: at(name) },
      )
  })

  test('warns where nobody knows when the file was published, in text and beside JSON, and names the option', async () => {
    const { run } = await withFile()
    const warning = /^Warning: .*--published YYYY-MM-DD/mu
    const [text, json, dated] = [
      await run(lund),
      await run(`${lund} --json`),
      `${lund} --published 2025-01-31`,
    ]
    expect([text.code, json.code]).toEqual([0, 0])
    expect([text.stderr, json.stderr]).toEqual([
      expect.stringMatching(warning),
      expect.stringMatching(warning),
    ])
    expect(JSON.parse(json.stdout)).toMatchObject({ notes: [{ code: 'PUBLISHED_UNKNOWN' }] })
    const { stderr, stdout } = await run(dated)
    expect([warning.test(stderr), /^published +2025-01-31$/mu.test(stderr)]).toEqual([false, true])
    expect(stdout).toMatch(/^unchanged +2$/mu)
    expect((await run('source list --json')).stdout).toContain('"published":"2025-01-31"')
  })

  test('reads standard input, and a map that names its source', async () => {
    const map = { source: { name: 'Lund', license: 'CC0-1.0' }, fields: { name: 'plats' } }
    const { answer, run } = await workplace({ 'map.json': JSON.stringify(map) })
    const input = 'plats,latitude,longitude\nTorget,55.7,13.2\n'
    expect((await answer(Counts, 'import - --map map.json', { input })).counts['created']).toBe(1)
    expect((await run('log show --json')).stdout).toContain('Torget')
  })

  test(
    'Ctrl-C stops between two batches with a code of its own, and --resume goes on',
    { tags: ['process'] },
    async () => {
      const rows = Array.from({ length: 30_000 }, (_, row) => `r${row},Fountain ${row},${40 + row / 1e4},9`)
      const { answer, at, codes, cwd, json, registry } = await withFile([
        'id,name,latitude,longitude',
        ...rows,
      ])
      const args = ['import', 'lund.csv', '--source', 'City of Lund', '--license', 'CC0-1.0']
      const { child, end } = started(args, { cwd })
      const isBegun = async (): Promise<boolean> =>
        child.exitCode !== null ||
        (existsSync(at('openfountain.db')) &&
          (await registry(async (each) => (await each.statistics()).totalWaypoints > 0, {
            readOnly: true,
          }).catch(() => false)))
      // Stopped at each check, so that a busy machine does not finish before the check.
      do {
        child.kill('SIGCONT')
        await new Promise((resolve) => setTimeout(resolve, 20))
        child.kill('SIGSTOP')
      } while (!(await isBegun()))
      child.kill('SIGINT')
      child.kill('SIGCONT')
      const stopped = await end
      expect(stopped.code).toBe(130)
      expect(stopped.stderr).toContain('Continue with --resume')
      const { totalWaypoints } = await answer(Stats, 'stats')
      expect(totalWaypoints).toBeGreaterThan(0)
      expect(totalWaypoints).toBeLessThan(30_000)
      expect(await codes('log verify')).toEqual([0])
      await json(`${lund} --resume`)
      expect(await json('stats')).toMatchObject({ totalWaypoints: 30_000 })
    },
  )

  test('a city’s file has a ready map, which its headings choose when none is named', async () => {
    const { answer, at, run } = await workplace()
    const data = new URL('../../testing/data/zurich.geojson.gz', import.meta.url)
    await writeFile(at('brunnen.geojson'), gunzipSync(await readFile(data)))
    const named = await run('import brunnen.geojson --source Zürich --license CC0-1.0 --dry-run')
    expect(named.stderr).toContain('The ready map zurich is for a file with such headings')
    const { counts } = await answer(Counts, 'import brunnen.geojson --map zurich')
    expect(counts).toMatchObject({ created: counts['rows'] })
    const bare = await answer(Counts, 'import brunnen.geojson')
    expect(bare.counts).toMatchObject({ created: 0, unchanged: counts['rows'] })
  })
})

test('an export of sources whose licences clash is refused by name, with every way out', async () => {
  const { json, refused, run } = await withFile()
  const city = 'Stadt "Wien", \u00d6sterreich\u200e'
  const restricted = `import lund.csv --source '${city}' --license CC-BY-4.0`
  const printed = String.raw`'Stadt "Wien", Österreich\u200e'`
  const ways = [
    '--registry-license CC-BY-4.0: ',
    '--split-by-license: ',
    `--permitted ${printed}: `,
    `openfountain source remove ${printed}: `,
  ]
  const warned = await run(restricted)
  expect(warned.code).toBe(0)
  expect(warned.stderr).toContain('Warning: the licence of this registry, ODbL-1.0, does not carry')
  const { code, stderr } = await run('export --out out')
  expect(code).toBe(5)
  expect(stderr).toContain(`  ${printed}: CC-BY-4.0, 2 waypoints, needs permission.`)
  for (const way of ways) for (const text of [warned.stderr, stderr]) expect(text).toContain(`\n  ${way}`)
  for (const [way, ...licenses] of [
    ['--registry-license CC-BY-4.0', 'CC-BY-4.0'],
    ['--license CC-BY-4.0', 'CC-BY-4.0'],
    [`--permitted ${printed}`, 'ODbL-1.0'],
    ['--split-by-license', 'CC-BY-4.0', 'ODbL-1.0'],
  ])
    expect(await json(`export --out out --formats csv ${way}`)).toMatchObject({ licenses })
  const unknown = `--permitted: source "Wien" not found; the sources are\n  ${printed}\n`
  await refused('export --out out --permitted Wien', 2, unknown)
  await refused('export --out out --split-by-license --license CC0-1.0', 2, 'exclude each other')
  const part = await run(
    'export --out part --registry-license CC-BY-4.0 --bbox 13.2,55,14,56 --formats geojson',
  )
  expect(part.stdout).toMatch(/^waypoints\.geojson +1 /mu)
  // The last remedy: the source is removed, and the export succeeds.
  await refused('source remove Wien', 3, `the sources are ${printed}`)
  expect(await json(`source remove ${printed}`)).toMatchObject({ removed: 2, kept: [], dryRun: false })
  expect(await json('export --out out --formats csv')).toMatchObject({ licenses: ['ODbL-1.0'] })
  // A conflict that no consent can resolve has no such suggestion.
  const strict = await run("import lund.csv --source 'Strict city' --license CC-BY-NC-4.0")
  expect(strict.stderr).not.toContain('--permitted')
  expect(JSON.parse((await run('export --out out --json')).stderr)).toMatchObject({
    code: 'LICENCE_CONFLICT',
  })
})

test('a site comes out of an export, and never out of something else', { tags: ['process'] }, async () => {
  const { at, cwd, json, refused, run } = await withFile()
  await json(lund)
  await json("export --out exports --registry-name 'Fountains of Lund'")
  await json('export --out parts --split-by-license')
  const report = await json('site build --data exports --out site --languages de,en --base /map')
  expect(report).toMatchObject({ waypoints: 2, languages: ['de', 'en'] })
  expect(await readFile(at('site/index.html'), 'utf8')).toContain('Fountains of Lund')
  const output = await run('site build --data parts --out site --languages en --pages 1')
  expect(output.stderr).toMatch(
    /^The site will have about \d{3} files, \d+ MB; 1 of 2 fountains get a page \(--pages\):$/mu,
  )
  expect(output.stderr).toMatch(/^ +1 files, +\d MB {2}pages of fountains$/mu)
  expect(output.stdout).toContain('1 of 2 fountains with a page')
  for (const [line, code, message] of [
    ['--data nowhere', 6, `Make one with openfountain export --out ${at('nowhere')}`],
    ['--data parts/CC0-1.0', 6, `give the folder that has them all, --data ${cwd}/parts\n`],
    ['--data exports --base map', 2, '--base: must be a path that begins with a slash'],
    ['--data exports --pages most', 2, '--pages: must be none, all or how many fountains get a page'],
  ] as const)
    await refused(`site build --out site2 ${line}`, code, message)
})

test('an address is fetched, page by page, and stops where it has fewer rows than it says', async () => {
  const { json, refused, run } = await workplace({})
  const rows = [1, 2, 3].map((id) => ({ id, name: `Brunnen ${id}`, lat: 55 + id / 10, lon: 13 }))
  const port = await listening(
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      const offset = Number(searchParams.get('offset') ?? 0)
      const answer = { total_count: pathname === '/liar' ? 9 : 3, results: rows.slice(offset, offset + 2) }
      if (pathname === '/old') response.writeHead(301, { location: '/records' }).end()
      else response.end(JSON.stringify(answer))
    }),
  )
  const from = (name: string, more = '') =>
    `import http://127.0.0.1:${port}/${name} --allow-private --source Lund --license CC0-1.0 ${more}`
  await refused(from('liar'), 20, '--accept partial')
  const { stderr, stdout } = await run(from('old'))
  expect(stderr).toContain(`It leads to http://127.0.0.1:${port}/records`)
  expect(stderr).toContain('It came in 2 pages')
  expect(stdout).toMatch(/created +3/u)
  expect(await json('source list')).toMatchObject({
    sources: [{ waypoints: 3, url: `http://127.0.0.1:${port}/old` }],
  })
  const secret = await run('import https://ada:s3cret@example.org/x.csv --source Lund --license CC0-1.0')
  expect(secret).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('a password') })
  expect(secret.stderr).not.toContain('s3cret')
})

test('osm compare tells what differs, and writes what people changed here', async () => {
  const xml = `<osm version="0.6"><node id="1" version="2" lat="55.7" lon="13.1"><tag k="amenity" v="drinking_water"/></node></osm>`
  const { at, answer, run } = await workplace({ 'lund.osm': xml })
  await run('import lund.osm --source OpenStreetMap --license ODbL-1.0')
  await run('waypoint season --where source=OpenStreetMap --from 04-01 --to 10-31')
  const compare = 'osm compare lund.osm --osc review.osc --maproulette tasks.geojson'
  expect((await run(compare)).stdout).toContain('seasonal=Apr 01-Oct 31 (–)')
  const Compared = z.object({
    proposed: z.object({ created: z.int(), modified: z.int() }),
    rows: z.array(z.json()),
  })
  expect(await answer(Compared, compare)).toMatchObject({
    proposed: { created: 0, modified: 1 },
    rows: [{ osm: 'node/1', proposed: { seasonal: 'Apr 01-Oct 31' } }],
  })
  expect(await readFile(at('review.osc'), 'utf8')).toContain('<modify>')
  expect(await readFile(at('tasks.geojson'), 'utf8')).toContain('\u001E{"type":"FeatureCollection"')
})
