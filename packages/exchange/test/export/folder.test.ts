import { execFileSync } from 'node:child_process'
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editionOf } from '../../src/export/edition.ts'
import { draftBeside, draftIn } from '../../src/export/folder/folder.ts'
import { formats } from '../../src/export/formats.ts'
import { publishEdition } from '../../src/export/folder/publish.ts'
import { publisher, sampleWaypoints, snapshotOf } from './sample-snapshot.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'openfountain-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const edition = () => editionOf({ snapshot: snapshotOf({}), publisher })

test('every file of an export is listed in the checksums, and sha256sum agrees', async () => {
  await publishEdition(directory, edition(), formats)
  const sums = readFileSync(join(directory, 'SHA256SUMS'), 'utf8')
  const listed = sums
    .trim()
    .split('\n')
    .map((line) => line.slice(66))
  expect([...listed, 'SHA256SUMS'].toSorted()).toEqual(readdirSync(directory).toSorted())
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: directory })
})

test('two exports of the same records are equal to the byte', async () => {
  const one = join(directory, 'one')
  const two = join(directory, 'two')
  for (const folder of [one, two]) {
    const draft = await draftIn(folder)
    const { files } = await publishEdition(draft.path, edition(), formats)
    await draft.publish(files.map(({ file }) => file))
  }
  expect(readFileSync(join(one, 'SHA256SUMS'), 'utf8')).toBe(readFileSync(join(two, 'SHA256SUMS'), 'utf8'))
  for (const file of readdirSync(one)) {
    expect({ file, same: readFileSync(join(one, file)).equals(readFileSync(join(two, file))) }).toEqual({
      file,
      same: true,
    })
  }
})

test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'an export that root writes belongs to the owner of the folder that it is in',
  async () => {
    const nobody = 65_534
    chownSync(directory, nobody, nobody)
    const draft = await draftIn(join(directory, 'data'))
    for (const folder of [draft.path, join(draft.path, 'part')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'a.csv'), '')
    }
    await draft.publish(['a.csv', 'part/a.csv'])
    const names = readdirSync(directory, { encoding: 'utf8', recursive: true })
    expect(names).toHaveLength(4)
    expect(names.map((name) => lstatSync(join(directory, name)).uid)).toEqual(names.map(() => nobody))
  },
)

test('every waypoint is once in each of the text formats', async () => {
  await publishEdition(directory, edition(), formats)
  const collection = JSON.parse(readFileSync(join(directory, 'waypoints.geojson'), 'utf8'))
  expect(collection.features.map((feature: { id: number }) => feature.id)).toEqual(
    sampleWaypoints.map(({ id }) => id),
  )
  const lines = gunzipSync(readFileSync(join(directory, 'waypoints.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(sampleWaypoints.map(({ name }) => name))
})

test('a dated export appears complete, and latest points to the newest', async () => {
  for (const name of ['2026-01-01', '2026-01-02']) {
    const draft = await draftBeside(directory, name)
    const { files } = await publishEdition(draft.path, edition(), formats)
    await draft.publish(files.map(({ file }) => file))
  }
  expect(readdirSync(directory).toSorted()).toEqual(['2026-01-01', '2026-01-02', 'latest'])
  expect(readFileSync(join(directory, 'latest', 'SHA256SUMS'), 'utf8')).toBe(
    readFileSync(join(directory, '2026-01-02', 'SHA256SUMS'), 'utf8'),
  )
})

test('a dated export never replaces another one', async () => {
  const draft = await draftBeside(directory, '2026-01-01')
  const { files } = await publishEdition(draft.path, edition(), formats.slice(0, 1))
  await draft.publish(files.map(({ file }) => file))
  await expect(draftBeside(directory, '2026-01-01')).rejects.toThrow(/dated: the folder 2026-01-01 exists/u)
})

test('an export into its own folder removes files it no longer writes and leaves those of others', async () => {
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(directory, 'notes.txt'), 'mine')
  const write = async (chosen: typeof formats) => {
    const draft = await draftIn(directory)
    const { files } = await publishEdition(draft.path, edition(), chosen)
    await draft.publish(files.map(({ file }) => file))
  }
  await write(formats)
  await write(formats.slice(0, 1))
  expect(readdirSync(directory).toSorted()).toEqual([
    'ATTRIBUTION.md',
    'LICENSE.txt',
    'SHA256SUMS',
    'datapackage.json',
    'dataset.jsonld',
    'notes.txt',
    'waypoints.geojson',
  ])
})
