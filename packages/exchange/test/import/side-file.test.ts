import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { importFile } from '../../src/index.ts'
import { dated, fileWith, importContent, source } from './fixture.ts'

const rows = 'id,lat,lon,name\na,47.1,8.5,One\nb,0,0,Nowhere\n'

test('a dry run writes no file that is not named', async () => {
  const file = fileWith(rows, 'rows.csv')
  const folder = path.dirname(file)
  // No file can be created under that name.
  await mkdir(path.join(folder, 'rows.csv.rejected.ndjson.part'))
  const registry = await emptyRegistry()
  const dry = await importFile(registry, { file, source, dryRun: true })
  expect(dry.counts).toMatchObject({ created: 1, refused: 1 })
  expect(dry.rejectedFile).toBeUndefined()
  expect((await readdir(folder)).toSorted()).toEqual(['rows.csv', 'rows.csv.rejected.ndjson.part'])
  const rejectedFile = path.join(folder, 'no.ndjson')
  expect((await importFile(registry, { file, source, dryRun: true, rejectedFile })).rejectedFile).toBe(
    rejectedFile,
  )
  expect(await readFile(rejectedFile, 'utf8')).toContain('Nowhere')
})

test.each<readonly [string, (folder: string, file: string) => Promise<unknown>]>([
  ['nothing can be written there', (_, file) => mkdir(`${file}.rejected.ndjson.part`)],
  ...(process.getuid?.() === 0
    ? [['the folder is that of another user', (folder: string) => chown(folder, 65_534, 65_534)] as const]
    : []),
])('where %s, refused rows go to the working directory, and that is said', async (_, obstruct) => {
  const folder = newFolder()
  const file = path.join(folder, `${path.basename(folder)}.csv`)
  await writeFile(file, rows)
  await obstruct(folder, file)
  const registry = await emptyRegistry()
  const understood: unknown[] = []
  const onUnderstood = ({ notes }: { notes: readonly unknown[] }) => understood.push(...notes)
  const { rejectedFile = '', notes } = await importFile(registry, { file, source, ...dated, onUnderstood })
  const text = await readFile(rejectedFile, 'utf8')
  await rm(rejectedFile, { force: true })
  expect(rejectedFile).toBe(path.join(process.cwd(), `${path.basename(file)}.rejected.ndjson`))
  expect(text).toContain('Nowhere')
  const note = { code: 'ROWS_ELSEWHERE', folder: process.cwd(), instead: folder }
  expect([understood, notes]).toEqual([[note], [note]])
  const named = { rejectedFile: path.join(folder, 'no.ndjson'), reviewFile: path.join(folder, 'maybe.csv') }
  expect(await importFile(registry, { file, source, ...dated, ...named })).toMatchObject({
    rejectedFile: named.rejectedFile,
    notes: [],
  })
})

test('where they cannot be written at all, nothing is imported', async () => {
  const registry = await emptyRegistry()
  const rejectedFile = path.join(newFolder(), 'missing', 'no.ndjson')
  await expect(importContent(registry, rows, { rejectedFile })).rejects.toMatchObject({
    code: 'NOT_WRITABLE',
    details: { files: [rejectedFile] },
    message: `${rejectedFile} cannot be written (folder not found). Name files for refused and doubtful rows that can be written. Nothing was imported.`,
  })
  expect(await registry.sources.list()).toEqual([])
  expect(await registry.waypoints.list()).toEqual([])
})
