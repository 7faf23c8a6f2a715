import { execFileSync } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { editionOf } from '../../src/export/edition.ts'
import { draftBeside, draftIn } from '../../src/export/folder/folder.ts'
import { publishEdition } from '../../src/export/folder/publish.ts'
import { formats } from '../../src/export/formats.ts'
import { publisher, snapshotOf } from './sample-snapshot.ts'

let directory: string
beforeEach(() => {
  directory = newFolder()
})

async function published(draft: Awaited<ReturnType<typeof draftIn>>, chosen = formats): Promise<void> {
  const edition = editionOf({ snapshot: snapshotOf({}), publisher })
  const { files } = await publishEdition(draft.path, edition, chosen)
  await draft.publish(files.map(({ file }) => file))
}

test('every file of an export is listed in the checksums, sha256sum agrees, and exports of the same records are equal to the byte', async () => {
  for (const name of ['one', 'two']) await published(await draftIn(path.join(directory, name)))
  const one = path.join(directory, 'one')
  const listed = textIn(one, 'SHA256SUMS')
    .trim()
    .split('\n')
    .map((line) => line.slice(66))
  expect([...listed, 'SHA256SUMS'].toSorted()).toEqual(readdirSync(one).toSorted())
  for (const cwd of [one, path.join(directory, 'two')])
    execFileSync('sha256sum', ['--check', '--strict', path.join(one, 'SHA256SUMS')], { cwd })
})

test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'an export that root writes belongs to the owner of the folder that it is in',
  async () => {
    const nobodyUid = 65_534
    chownSync(directory, nobodyUid, nobodyUid)
    const draft = await draftIn(path.join(directory, 'data'))
    for (const folder of [draft.path, path.join(draft.path, 'part')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path.join(folder, 'a.csv'), '')
    }
    await draft.publish(['a.csv', 'part/a.csv'])
    const names = readdirSync(directory, { encoding: 'utf8', recursive: true })
    expect(names).toHaveLength(4)
    expect(names.map((name) => lstatSync(path.join(directory, name)).uid)).toEqual(names.map(() => nobodyUid))
  },
)

test('a dated export appears complete, latest points to the newest, and none replaces another one', async () => {
  for (const name of ['2026-01-01', '2026-01-02']) await published(await draftBeside(directory, name))
  expect(readdirSync(directory).toSorted()).toEqual(['2026-01-01', '2026-01-02', 'latest'])
  const [latest, second] = ['latest', '2026-01-02'].map((name) => textIn(directory, `${name}/SHA256SUMS`))
  expect(latest).toBe(second)
  await expect(draftBeside(directory, '2026-01-01')).rejects.toThrow(/dated: the folder 2026-01-01 exists/u)
})

test('an export into its own folder removes files it no longer writes and leaves those of others', async () => {
  writeFileSync(path.join(directory, 'notes.txt'), 'mine')
  await published(await draftIn(directory))
  await published(await draftIn(directory), formats.slice(0, 1))
  expect(readdirSync(directory).toSorted()).toEqual([
    'ATTRIBUTION.md',
    'LICENSE.txt',
    'SHA256SUMS',
    'datapackage.json',
    'dataset.jsonld',
    'dataset.ttl',
    'notes.txt',
    'waypoints.geojson',
  ])
})
