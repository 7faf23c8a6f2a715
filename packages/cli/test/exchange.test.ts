import { existsSync } from 'node:fs'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, started, type Answer } from './shell.ts'

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

/** Starts an import and sends it what Ctrl-C does as soon as the first rows are in the registry. */
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
  while (!(await isBegun())) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  return end
}

describe('import', () => {
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
    const head = (await openfountain(['log', 'head'], { cwd })).stdout
    const second = await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    expect(second.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, refused: 1 })
    expect((await openfountain(['log', 'head'], { cwd })).stdout).toBe(head)
  })

  test('a dry run writes nothing to a registry that is there', async () => {
    const cwd = await withFile()
    await answered(z.unknown(), ['user', 'add', '--name', 'Ada'], { cwd })
    const before = await readFile(path.join(cwd, 'openfountain.db'))
    const { counts } = await answered(Counts, ['import', 'lund.csv', ...source, '--dry-run'], { cwd })
    expect(counts.created).toBe(2)
    expect(before.equals(await readFile(path.join(cwd, 'openfountain.db')))).toBe(true)
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

  test('what the source no longer lists is marked, or removed when told', async () => {
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
    expect((await openfountain(['log', 'show', '1'], { cwd })).stdout).toContain('Torget')
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

  test('a file that is not there is told', async () => {
    const { code, stderr } = await openfountain(['import', 'nowhere.csv', ...source], { cwd: await folder() })
    expect(code).toBe(6)
    expect(stderr).toContain('no such file')
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

  const zurich = fileURLToPath(
    new URL('../../../../shared/data/zurich_brunnen_2021.geojson', import.meta.url),
  )
  test.skipIf(!existsSync(zurich))(
    'a city’s real file with its ready map (needs ../shared/data)',
    async () => {
      const cwd = await folder()
      await copyFile(zurich, path.join(cwd, 'brunnen.geojson'))
      const { counts } = await answered(Counts, ['import', 'brunnen.geojson', '--map', 'zurich'], { cwd })
      expect(counts.created).toBeGreaterThan(1000)
      expect(counts.rows).toBe(1274)
      expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
      // Its headings give the file away, so that the same map is chosen where nothing is said.
      const bare = await answered(Counts, ['import', 'brunnen.geojson'], { cwd })
      expect(bare.counts).toMatchObject({ rows: 1274, created: 0, unchanged: 1274 })
    },
  )
})

describe('export and site build', () => {
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

  test('a part, in some formats, is told with what it leaves out', async () => {
    const cwd = await withFile()
    await answered(Counts, ['import', 'lund.csv', ...source], { cwd })
    const part = await openfountain(
      ['export', '--out', 'part', '--bbox', '13.2,55,14,56', '--formats', 'geojson'],
      { cwd },
    )
    expect(part.stdout).toMatch(/^waypoints\.geojson +1 /mu)
    const unknown = await openfountain(['export', '--out', 'part', '--formats', 'shapefile'], { cwd })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('there are geojson, csv')
  })

  test('sources whose licences clash are refused by name with a code of its own, unless split', async () => {
    const cwd = await withFile()
    const restricted = ['import', 'lund.csv', '--source', 'Strict city', '--license', 'CC-BY-NC-4.0']
    await answered(Counts, restricted, { cwd })
    const { code, stderr } = await openfountain(['export', '--out', 'out'], { cwd })
    expect(code).toBe(5)
    expect(stderr).toContain('Strict city: CC-BY-NC-4.0')
    expect(existsSync(path.join(cwd, 'out/waypoints.geojson'))).toBe(false)
    const split = await answered(
      z.object({ licenses: z.array(z.string()) }),
      ['export', '--out', 'out', '--split-by-license'],
      { cwd },
    )
    expect(split.licenses).toEqual(['CC-BY-NC-4.0', 'ODbL-1.0'])
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
    expect(await readFile(path.join(cwd, 'site/index.html'), 'utf8')).toContain('Fountains of Lund')
    const nothing = await openfountain(['site', 'build', '--data', 'nowhere', '--out', 'site2'], { cwd })
    expect(nothing.code).toBe(6)
    expect(nothing.stderr).toContain('openfountain export --out')
    const wrong = await openfountain(
      ['site', 'build', '--data', 'exports', '--out', 'site2', '--base', 'map'],
      { cwd },
    )
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('base: must be a path that begins with a slash')
  })
})
