import { existsSync } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyRegistry, openRegistry, token } from '@openfountain/core'
import { temporaryFolder } from '@openfountain/testing/registry'
import { fullHistory, unprotected } from '@openfountain/testing/histories/full-history'

async function filled(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'from.db')
  await writeFile(file, await fullHistory())
  return file
}

test('a copy of a registry is a registry that verifies, is searched, is private, and has nothing beside it but what was erased', async () => {
  const [from, folder] = [await filled(), await temporaryFolder()]
  const to = path.join(folder, 'to.db')
  const steps = new Set<string>()
  const { rows } = await copyRegistry({ from, to, onProgress: (step) => steps.add(step) })
  expect(rows).toMatchObject({ waypoints: 266, state: 1 })
  expect([...steps]).toEqual(['rows', 'indexes', 'verification'])
  expect((await readdir(folder)).toSorted()).toEqual(['to.db', 'to.db.erased'])
  expect((await stat(to)).mode & 0o777).toBe(0o600)
  await using registry = await openRegistry({ database: to })
  expect((await registry.waypoints.search({ q: 'Renam' })).map(({ name }) => name)).toContain('Renamed')
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('a copy of a registry of a log that was changed is refused, and no file is left that could be taken for one', async () => {
  const from = await filled()
  unprotected(from, (database) =>
    database.exec(`update entries set fields = replace(fields, 'Renamed', 'Forged')`),
  )
  const to = path.join(await temporaryFolder(), 'to.db')
  await expect(copyRegistry({ from, to })).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
  expect(existsSync(to)).toBe(false)
})

test('a copy of a registry is begun again when what an interruption left is damaged', async () => {
  const [from, folder] = [await filled(), await temporaryFolder()]
  const to = path.join(folder, 'to.db')
  await writeFile(`${to}.copying`, 'This is no database')
  await copyRegistry({ from, to })
  expect((await readdir(folder)).toSorted()).toEqual(['to.db', 'to.db.erased'])
})

test('a copy of a registry replaces nothing', async () => {
  const from = await filled()
  const folder = await temporaryFolder()
  await writeFile(path.join(folder, 'note.txt'), 'Mine')
  for (const to of [from, path.join(folder, 'note.txt'), ':memory:', ''])
    await expect(copyRegistry({ from, to })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const [absent, to] = [path.join(folder, 'absent', 'to.db'), path.join(folder, 'to.db')]
  for (const given of [
    { from, to: absent },
    { from: absent, to },
  ])
    await expect(copyRegistry(given)).rejects.toMatchObject({ code: 'STORAGE_MISSING' })
})

test('a copy of a registry goes on giving numbers where the registry was', async () => {
  const from = await filled()
  const registry = await openRegistry({ database: from })
  const first = await registry.tokens.create({ name: 'First' })
  await registry.tokens.delete(first.id)
  await registry.close()
  const to = path.join(await temporaryFolder(), 'to.db')
  await copyRegistry({ from, to })
  await using copy = await openRegistry({ database: to })
  expect((await copy.tokens.create({ name: 'Second' })).id).toBe(first.id + 1)
  await copy.waypoints.create({ name: 'Next', latitude: 1, longitude: 2 }, token())
})
