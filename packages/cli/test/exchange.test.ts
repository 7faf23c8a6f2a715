import { existsSync } from 'node:fs'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { leavingRejections } from '@openfountain/testing/import/damaged-files'
import {
  answered,
  folder,
  openfountain,
  openfountains,
  serving,
  started,
  type Answer,
} from '@openfountain/testing/command/shell'

const Counts = z.object({
  counts: z.object({
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  }),
})
const Stats = z.object({ totalWaypoints: z.int() })

const source = ['--source', 'City of Lund', '--license', 'CC0-1.0']
const three = [
  'id,name,latitude,longitude,operator',
  'a1,Market square,55.7029,13.1929,City of Lund',
  'a2,Botanical garden,55.7038,13.2012,City of Lund',
  'a3,On no globe,555,13.2,City of Lund',
]

async function withFile(lines: readonly string[] = three): Promise<string> {
  const cwd = await folder()
  await writeFile(path.join(cwd, 'lund.csv'), `${lines.join('\n')}\n`)
  return cwd
}

/**
 * Starts an import and sends it what Ctrl-C does as soon as the first rows are in the registry. It is halted whenever
 * the test looks, so that a busy machine does not let it get to its end before that is seen.
 */
async function interrupted(args: readonly string[], cwd: string): Promise<Answer> {
  const { child, end } = started(args, { cwd })
  const database = path.join(cwd, 'openfountain.db')
  const isBegun = async (): Promise<boolean> => {
    if (child.exitCode !== null) return true
    if (!existsSync(database)) return false
    const registry = await openRegistry({ database, readOnly: true }).catch(() => undefined)
    const total = (await registry?.statistics())?.totalWaypoints ?? 0
    await registry?.close()
    return total > 0
  }
  do {
    child.kill('SIGCONT')
    await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGSTOP')
  } while (!(await isBegun()))
  child.kill('SIGINT')
  child.kill('SIGCONT')
  return end
}

describe('import', () => {
  test('a damaged Parquet file is refused with the code of a file that cannot be used', async () => {
    const cwd = await folder()
    const [damaged = ''] = leavingRejections()
    await writeFile(path.join(cwd, 'lund.parquet'), damaged)
    const { code, stdout, stderr } = await openfountain(['import', 'lund.parquet', ...source, '--json'], {
      cwd,
    })
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ code: 'MALFORMED' })
  })

  test('shows beforehand what it will do, does it, and does nothing the second time', async () => {
    const cwd = await withFile()
    const dry = await openfountain(['import', 'lund.csv', ...source, '--dry-run'], { cwd })
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('Dry run: nothing was written')
    expect(dry.stderr).toMatch(/^operator +maintainer/mu)
    expect(await readdir(cwd)).not.toContain('openfountain.db')
    const first = await answered(Counts, ['import', 'lund.csv', ...source, '--report', 'report.json'], {
      cwd,
    })
    expect(first.counts).toEqual({ rows: 3, created: 2, updated: 0, unchanged: 0, refused: 1 })
    expect(Counts.parse(JSON.parse(await readFile(path.join(cwd, 'report.json'), 'utf8')))).toEqual(first)
    expect(await readFile(path.join(cwd, 'lund.csv.rejected.ndjson'), 'utf8')).toContain('On no globe')
    const actions = (await openfountain(['log', 'show', '--json'], { cwd })).stdout
    const second = await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    expect(second.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, refused: 1 })
    // The log has the run itself, but nothing was done to a waypoint or a record.
    expect((await openfountain(['log', 'show', '--json'], { cwd })).stdout).toBe(actions)
    const newest = (await openfountain(['log', 'show', '--all', '--limit', '2'], { cwd })).stdout
    expect(newest).toMatch(/import 2 +finished[^\n]*\n.*import 2 +started/u)
  })

  test('a dry run writes nothing to a registry that is there', async () => {
    const cwd = await withFile()
    await answered(z.unknown(), ['user', 'add', '--name', 'Ada'], { cwd })
    const before = await readFile(path.join(cwd, 'openfountain.db'))
    const { counts } = await answered(Counts, ['import', 'lund.csv', ...source, '--dry-run'], { cwd })
    expect(counts.created).toBe(2)
    expect(before.equals(await readFile(path.join(cwd, 'openfountain.db')))).toBe(true)
  })

  test('approves what it creates, unless that is for the moderators', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    await answered(Counts, ['import', 'lund.csv', ...source, '--unapproved', '--db', 'queue.db'], { cwd })
    const approved = async (database: string): Promise<boolean[]> => {
      const registry = await openRegistry({ database: path.join(cwd, database), readOnly: true })
      const waypoints = await registry.waypoints.list()
      await registry.close()
      return waypoints.map((waypoint) => waypoint.approved)
    }
    expect([await approved('openfountain.db'), await approved('queue.db')]).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('the report for people says why a row was refused and where it went', async () => {
    const cwd = await withFile()
    const { stdout } = await openfountain(['import', 'lund.csv', ...source, '--rejected', 'no.ndjson'], {
      cwd,
    })
    expect(stdout).toMatch(/^created +2$/mu)
    expect(stdout).toMatch(/^Refused 1: .*\(first in row 3\)$/mu)
    expect(stdout).toContain('Refused rows: no.ndjson')
  })

  test('what the source no longer lists is marked, or removed with --remove-missing', async () => {
    const cwd = await withFile(three.slice(0, 3))
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    await writeFile(path.join(cwd, 'lund.csv'), `${three.slice(0, 2).join('\n')}\n`)
    const Gone = z.object({ counts: z.object({ missing: z.int(), removed: z.int() }) })
    const marked = await answered(Gone, ['import', 'lund.csv', ...source], { cwd })
    expect(marked.counts).toEqual({ missing: 1, removed: 0 })
    expect((await answered(Stats, ['stats'], { cwd })).totalWaypoints).toBe(2)
    await writeFile(path.join(cwd, 'lund.csv'), `${three.slice(0, 2).join('\n')}\n\n`)
    const removed = await answered(Gone, ['import', 'lund.csv', ...source, '--remove-missing'], { cwd })
    expect(removed.counts.removed).toBe(1)
    expect((await answered(Stats, ['stats'], { cwd })).totalWaypoints).toBe(1)
  })

  test('reads standard input, and a map that names its source', async () => {
    const cwd = await folder()
    await writeFile(
      path.join(cwd, 'map.json'),
      JSON.stringify({ source: { name: 'Lund', license: 'CC0-1.0' }, fields: { name: 'plats' } }),
    )
    const input = 'plats,latitude,longitude\nTorget,55.7,13.2\n'
    const { counts } = await answered(Counts, ['import', '-', '--map', 'map.json'], { cwd, input })
    expect(counts.created).toBe(1)
    expect((await openfountain(['log', 'show', '--json'], { cwd })).stdout).toContain('Torget')
  })

  test.each([
    ['empty.csv', '', 'empty'],
    ['page.csv', '<!doctype html><html><body>Please sign in</body></html>', 'web page'],
    ['half.geojson', '{"type":"FeatureCollection","features":[{"type":"Feature","prop', 'ends in the middle'],
    ['noplace.csv', 'name,colour\nAda,green\n', 'coordinates'],
  ])(
    '%s is refused as a whole with a code of its own, and leaves no registry behind that it began',
    async (name, text, message) => {
      const cwd = await folder()
      await writeFile(path.join(cwd, name), text)
      const { code, stdout, stderr } = await openfountain(['import', name, ...source], { cwd })
      expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
      expect(stderr).toContain(message)
      expect(await readdir(cwd)).toEqual([name])
    },
  )

  test('a file that does not exist is not found', async () => {
    const { code, stderr } = await openfountain(['import', 'nowhere.csv', ...source], { cwd: await folder() })
    expect(code).toBe(6)
    expect(stderr).toContain('File not found')
  })

  test('Ctrl-C stops between two batches with a code of its own, and --resume goes on', async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_row, index) => `r${index},Fountain ${index},${40 + index / 1e4},9`,
    )
    const cwd = await withFile(['id,name,latitude,longitude', ...rows])
    const stopped = await interrupted(['import', 'lund.csv', ...source], cwd)
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain('Continue with --resume')
    const { totalWaypoints } = await answered(Stats, ['stats'], { cwd })
    expect(totalWaypoints).toBeGreaterThan(0)
    expect(totalWaypoints).toBeLessThan(30_000)
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
    await answered(Counts, ['import', 'lund.csv', ...source, '--resume'], { cwd })
    expect((await answered(Stats, ['stats'], { cwd })).totalWaypoints).toBe(30_000)
  })

  test('a city’s real file with its ready map', async () => {
    const cwd = await folder()
    const excerpt = new URL('../../exchange/test/fixtures/zurich/brunnen-2021.geojson', import.meta.url)
    await copyFile(excerpt, path.join(cwd, 'brunnen.geojson'))
    const { counts } = await answered(Counts, ['import', 'brunnen.geojson', '--map', 'zurich'], { cwd })
    expect(counts).toMatchObject({ rows: 14, created: 14 })
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
    // The same map is chosen by the headings when none is named.
    const bare = await answered(Counts, ['import', 'brunnen.geojson'], { cwd })
    expect(bare.counts).toMatchObject({ rows: 14, created: 0, unchanged: 14 })
  })
})

describe('export and site build', { tags: ['process'] }, () => {
  test('the same database gives the same bytes, and checksums that hold', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    const Report = z.object({
      folder: z.string(),
      licenses: z.array(z.string()),
      files: z.array(z.object({ file: z.string(), bytes: z.int(), sha256: z.string() })),
    })
    const once = await answered(Report, ['export', '--out', 'one'], { cwd })
    const again = await answered(Report, ['export', '--out', 'two'], { cwd })
    expect(once.licenses).toEqual(['ODbL-1.0'])
    expect(again.files).toEqual(once.files)
    expect(once.files.map(({ file }) => file)).toEqual(
      expect.arrayContaining([
        'waypoints.geojson',
        'waypoints.csv',
        'leaderboard.json',
        'stats.json',
        'datapackage.json',
        'SHA256SUMS',
      ]),
    )
    expect((await readdir(path.join(cwd, 'one'))).toSorted()).toEqual(
      once.files.map(({ file }) => file).toSorted(),
    )
  })

  test('a part, in some formats, reports what it leaves out', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    const part = await openfountain(
      ['export', '--out', 'part', '--bbox', '13.2,55,14,56', '--formats', 'geojson'],
      { cwd },
    )
    expect(part.stdout).toMatch(/^waypoints\.geojson +1 /mu)
    const unknown = await openfountain(['export', '--out', 'part', '--formats', 'shapefile'], { cwd })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('the formats are geojson, csv')
  })

  test('sources whose licences clash are refused by name, with every way out', async () => {
    const cwd = await withFile()
    const city = 'Stadt "Wien", \u00d6sterreich\u200e'
    const Imported = z.object({ obstacle: z.object({ verdict: z.string() }).optional() })
    const restricted = ['import', 'lund.csv', '--source', city, '--license', 'CC-BY-4.0']
    const warned = await openfountain(restricted, { cwd })
    expect(warned.code).toBe(0)
    const printed = String.raw`'Stadt "Wien", \u00d6sterreich\u200e'`.replace(String.raw`\u00d6`, 'Ö')
    const ways = [
      '--registry-license CC-BY-4.0: ',
      '--split-by-license: ',
      `--permitted ${printed}: `,
      `openfountain source remove ${printed}: `,
    ]
    expect(warned.stderr).toContain('Warning: the licence of this registry, ODbL-1.0, does not carry')
    for (const way of ways) expect(warned.stderr).toContain(`\n  ${way}`)
    expect(await answered(Imported, restricted, { cwd })).toMatchObject({
      obstacle: { verdict: 'permission' },
    })
    const fitting = await openfountain([...restricted, '--registry-license', 'CC-BY-4.0'], { cwd })
    expect(fitting.stderr).not.toContain('Warning')

    const { code, stderr } = await openfountain(['export', '--out', 'out'], { cwd })
    expect(code).toBe(5)
    expect(stderr).toContain(`  ${printed}: CC-BY-4.0, 2 waypoints, needs permission.`)
    for (const way of [...ways, '--license CC-BY-4.0: ']) expect(stderr).toContain(`\n  ${way}`)
    expect(existsSync(path.join(cwd, 'out/waypoints.geojson'))).toBe(false)

    const Report = z.object({ licenses: z.array(z.string()) })
    const exported = (args: readonly string[]) =>
      answered(Report, ['export', '--out', 'out', '--formats', 'csv', ...args], { cwd })
    expect(await exported(['--registry-license', 'CC-BY-4.0'])).toEqual({ licenses: ['CC-BY-4.0'] })
    expect(await exported(['--license', 'CC-BY-4.0'])).toEqual({ licenses: ['CC-BY-4.0'] })
    expect(await exported(['--permitted', printed.slice(1, -1)])).toEqual({ licenses: ['ODbL-1.0'] })
    expect(await exported(['--permitted', city.normalize('NFD')])).toEqual({ licenses: ['ODbL-1.0'] })
    expect(await exported(['--split-by-license'])).toEqual({ licenses: ['CC-BY-4.0', 'ODbL-1.0'] })
    const unknown = await openfountain(['export', '--out', 'out', '--permitted', 'Wien'], { cwd })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain(`--permitted: source "Wien" not found; the sources are\n  ${printed}\n`)
    // The last way out: the import goes, and the export is not refused any more.
    const [both, elsewhere, removed, freed] = await openfountains(
      [
        ['export', '--out', 'out', '--split-by-license', '--license', 'CC0-1.0'],
        ['source', 'remove', 'Wien'],
        ['source', 'remove', printed.slice(1, -1), '--json'],
        ['export', '--out', 'out', '--formats', 'csv', '--json'],
      ],
      { cwd },
    )
    expect(both?.stderr).toContain('--split-by-license and --license exclude each other')
    expect(elsewhere).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`the sources are ${printed}`) as string,
    })
    expect(JSON.parse(removed?.stdout ?? '')).toMatchObject({ removed: 2, kept: [], dryRun: false })
    expect(JSON.parse(freed?.stdout ?? '')).toMatchObject({ licenses: ['ODbL-1.0'] })
  })

  test('what no consent can clear is not offered to be permitted', async () => {
    const cwd = await withFile()
    const restricted = ['import', 'lund.csv', '--source', 'Strict city', '--license', 'CC-BY-NC-4.0']
    const { stderr } = await openfountain(restricted, { cwd })
    expect(stderr).toContain('"Strict city" (CC-BY-NC-4.0): not compatible.')
    expect(stderr).not.toContain('--permitted')
    const told = await openfountain(['export', '--out', 'out', '--json'], { cwd })
    expect(JSON.parse(told.stderr)).toMatchObject({
      code: 'LICENCE_CONFLICT',
      details: { license: 'ODbL-1.0', obstacles: [{ name: 'Strict city', verdict: 'no' }] },
    })
  })

  test('an export that is split by licence becomes a site, and is served file by file', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    await writeFile(
      path.join(cwd, 'wien.csv'),
      'id,name,latitude,longitude\nw1,Stephansplatz,48.2085,16.3731\nw2,Prater,48.2166,16.3989\n',
    )
    const vienna = ['import', 'wien.csv', '--source', 'Stadt Wien', '--license', 'CC-BY-4.0']
    await answered(Counts, vienna, { cwd })
    await answered(z.unknown(), ['export', '--out', 'exports', '--split-by-license'], { cwd })
    const built = await answered(
      z.object({ waypoints: z.int(), waypointPages: z.int() }),
      ['site', 'build', '--data', 'exports', '--out', 'site', '--languages', 'en'],
      { cwd },
    )
    expect(built).toEqual({ waypoints: 4, waypointPages: 4 })
    const part = await openfountain(['site', 'build', '--data', 'exports/CC-BY-4.0', '--out', 'no'], { cwd })
    expect([part.code, part.stderr]).toEqual([
      6,
      expect.stringContaining(`give the folder that has them all, --data ${path.join(cwd, 'exports')}\n`),
    ])
    const server = await serving(['--exports', 'exports', '--site', 'site', '--no-log'], { cwd })
    const { exports } = z
      .object({
        exports: z.array(z.object({ file: z.string(), license: z.string(), rows: z.int().optional() })),
      })
      .parse(await (await fetch(`${server.url}/api/exports`)).json())
    expect(exports).toEqual(
      expect.arrayContaining([
        { file: 'CC-BY-4.0/waypoints.csv', license: 'CC-BY-4.0', rows: 2 },
        { file: 'CC0-1.0/waypoints.csv', license: 'CC0-1.0', rows: 2 },
        { file: 'CC0-1.0/ATTRIBUTION.md', license: 'CC0-1.0' },
        { file: 'ODbL-1.0/reviews.json', license: 'ODbL-1.0', rows: 0 },
      ]),
    )
    for (const base of ['/api/exports/', '/data/']) {
      const answer = await fetch(`${server.url}${base}CC-BY-4.0/waypoints.csv`)
      expect(await answer.text()).toContain('Stephansplatz')
    }
  })

  test('a site comes out of an export, and never out of something else', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    await answered(z.unknown(), ['export', '--out', 'exports', '--registry-name', 'Fountains of Lund'], {
      cwd,
    })
    const args = [
      'site',
      'build',
      '--data',
      'exports',
      '--out',
      'site',
      '--languages',
      'de,en',
      '--base',
      '/map',
    ]
    const report = await answered(
      z.object({ pages: z.int(), waypoints: z.int(), languages: z.array(z.string()) }),
      args,
      { cwd },
    )
    expect(report).toMatchObject({ waypoints: 2, languages: ['de', 'en'] })
    const told = await openfountain(
      ['site', 'build', '--data', 'exports', '--out', 'site', '--languages', 'en', '--pages', '1'],
      { cwd },
    )
    expect(told.stderr).toMatch(
      /^The site will have about 2,\d{3} files, \d+ MB; 1 of 2 fountains get a page \(--pages\):$/mu,
    )
    expect(told.stderr).toMatch(/^ +1 files, +\d MB {2}pages of fountains$/mu)
    expect(told.stdout).toContain('1 of 2 fountains with a page')
    expect(await readFile(path.join(cwd, 'site/index.html'), 'utf8')).toContain('Fountains of Lund')
    const nothing = await openfountain(['site', 'build', '--data', 'nowhere', '--out', 'site2'], { cwd })
    expect(nothing.code).toBe(6)
    expect(nothing.stderr).toContain(`Make one with openfountain export --out ${path.join(cwd, 'nowhere')}`)
    const wrong = await openfountain(
      ['site', 'build', '--data', 'exports', '--out', 'site2', '--base', 'map'],
      { cwd },
    )
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('--base: must be a path that begins with a slash')
    const most = await openfountain(
      ['site', 'build', '--data', 'exports', '--out', 'site2', '--pages', 'most'],
      { cwd },
    )
    expect(most.code).toBe(2)
    expect(most.stderr).toContain('--pages: must be none, all or how many fountains get a page')
  })
})
