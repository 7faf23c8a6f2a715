import { spawnSync } from 'node:child_process'
import { chmod, readdir, readFile, rm } from 'node:fs/promises'
import { token } from '@openfountain/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folder, workplace, type Workplace } from '@openfountain/testing/command/shell'

const isRoot = process.getuid?.() === 0
/** Permissions bind everybody but root. */
const bound = isRoot ? { uid: 65_534 } : {}

const fill = ({ registry }: Workplace): Promise<void> =>
  registry(async ({ waypoints }) => {
    for (let count = 1; count <= 20; count++)
      await waypoints.create({ name: `Fountain ${count}`, latitude: count, longitude: 7 }, token())
  })

type Refusal = readonly [code: number, name: string, message: string]

async function isRefused({ run }: Workplace, line: string, [code, name, message]: Refusal, options = {}) {
  const result = await run(line, options)
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' })
  expect(result.stderr).toContain(message)
  expect(result.stderr.trim().split('\n')).toHaveLength(1)
  const json = await run(`${line} --json`, options)
  expect([json.code, JSON.parse(json.stderr)]).toMatchObject([code, { code: name }])
}

const add = 'user add --name Ada'

const refusals: readonly (readonly [line: string, ...Refusal])[] = [
  ['stats', 14, 'STORAGE_MISSING', 'There is no database at openfountain.db'],
  [`${add} --db nowhere/x.db`, 14, 'STORAGE_MISSING', 'not exist: create it first'],
  ['log verify --db text.db', 13, 'STORAGE_CORRUPT', 'text.db'],
]

test.each(refusals)('%s is refused with %i, %s, and creates nothing', async (line, ...refusal) => {
  const place = await workplace({ 'text.db': 'milk, bread '.repeat(1000) })
  await isRefused(place, line, refusal)
  expect(await readdir(place.cwd)).toEqual(['text.db'])
})

describe('a database that cannot be written', { tags: ['process'] }, () => {
  test('a missing permission is reported; a backup can be read, and a dry run of an import shows what it would do', async () => {
    const place = await workplace({ 'harbour.csv': 'name,lat,lon\nHarbour,55.6,13\nNowhere,x,y\n' })
    const { at, cwd, json, run } = place
    await fill(place)
    await json('backup copy.db')
    for (const suffix of ['-wal', '-shm']) await rm(at(`openfountain.db${suffix}`), { force: true })
    for (const name of await readdir(cwd)) await chmod(at(name), 0o444)
    await chmod(cwd, 0o555)
    onTestFinished(() => chmod(cwd, 0o755))
    const before = await readdir(cwd)
    const dry = 'import harbour.csv --dry-run --source City --license CC0-1.0'
    const helps = 'make its folder writable for you, or read a backup'
    for (const [line, message] of [
      [`${add} --db new.db`, 'cannot be written: check the permissions'],
      ['stats', helps],
      [dry, helps],
    ] as const)
      await isRefused(place, line, [12, 'STORAGE_READ_ONLY', message], bound)
    expect(await run('stats --db copy.db', bound)).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['new.db', 'copy.db'])
      expect(await json(`${dry} --db ${name}`, bound)).toMatchObject({ dryRun: true, counts: { created: 1 } })
    const named = await run(`${dry} --db new.db --rejected rejected.ndjson`, bound)
    expect(named.code).not.toBe(0)
    expect(await readdir(cwd)).toEqual(before)
  })
})

async function smallDisk(kilobytes: number): Promise<string> {
  const disk = await folder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk])
  if (mounted.status !== 0) throw new Error(mounted.stderr.toString())
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  return disk
}

describe.skipIf(!isRoot || process.platform !== 'linux')(
  `a disk that fills up ${isRoot ? '' : '(skipped: only root can mount one)'}`,
  { tags: ['process'] },
  () => {
    test('a backup leaves nothing half written, and an export the former one as it was', async () => {
      const place = await workplace()
      await fill(place)
      const disk = await smallDisk(60)
      const full = async (line: string) => await place.refused(line, 11, 'full')
      await full(`backup ${disk}/copy.db`)
      expect(await readdir(disk)).toEqual([])
      await place.json(`export --out ${disk}/exports --formats geojson`)
      const published = () => readFile(`${disk}/exports/waypoints.geojson`, 'utf8')
      const before = await published()
      await full(`export --out ${disk}/exports`)
      expect(await published()).toBe(before)
    })
  },
)
