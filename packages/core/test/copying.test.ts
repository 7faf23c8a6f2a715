import { existsSync } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { copyRegistry, openRegistry, token } from '@openfountain/core'
import { lineOf, rowOf } from '../src/store/copying/lines.ts'
import { copiedTables } from '../src/store/copying/tables.ts'
import { Chance } from '@openfountain/testing/chance'
import { temporaryFolder } from '@openfountain/testing/registry'
import { fullHistory, unprotected } from '@openfountain/testing/histories/full-history'
import { hostileText } from '@openfountain/testing/hostile-values'

async function filled(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'from.db')
  await writeFile(file, await fullHistory())
  return file
}

/** The columns of all tables of a registry, without those of the indexes of search. */
function columnsIn(file: string): string[] {
  const database = new Database(file, { readonly: true })
  const rows = database.prepare<[], { name: string }>(
    `select t.name || '.' || c.name as name from pragma_table_list t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'kysely_%'`,
  )
  const names = rows.all().map(({ name }) => name)
  database.close()
  return names.filter((name) => !/^(?:waypointWords|waypointNames|search)/.test(name))
}

describe('a copy of a registry', () => {
  test('has every column of every table', async () => {
    const known = copiedTables
      .filter(({ name }) => name !== 'numbers')
      .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    expect(columnsIn(await filled()).toSorted()).toEqual([...known, 'state.indexedTo'].toSorted())
  })

  test('is a registry that verifies, is searched, is private, and has nothing beside it but what was erased', async () => {
    const [from, folder] = [await filled(), await temporaryFolder()]
    const to = path.join(folder, 'to.db')
    const steps = new Set<string>()
    const { rows, continued } = await copyRegistry({ from, to, onProgress: (step) => steps.add(step) })
    expect(rows).toMatchObject({ waypoints: 266, state: 1 })
    expect(continued).toBe(0)
    expect([...steps]).toEqual(['rows', 'indexes', 'verification'])
    expect((await readdir(folder)).toSorted()).toEqual(['to.db', 'to.db.erased'])
    expect((await stat(to)).mode & 0o777).toBe(0o600)
    const registry = await openRegistry({ database: to })
    expect((await registry.waypoints.search({ q: 'Renam' })).map(({ name }) => name)).toContain('Renamed')
    expect((await registry.changes.verify()).problems).toEqual([])
    await registry.close()
  })

  test('of a log that was changed is refused, and no file is left that could be taken for one', async () => {
    const from = await filled()
    unprotected(from, (database) =>
      database.exec(`update entries set fields = replace(fields, 'Renamed', 'Forged')`),
    )
    const to = path.join(await temporaryFolder(), 'to.db')
    await expect(copyRegistry({ from, to })).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
    expect(existsSync(to)).toBe(false)
  })

  test('is begun again when what an interruption left is damaged', async () => {
    const [from, folder] = [await filled(), await temporaryFolder()]
    const to = path.join(folder, 'to.db')
    await writeFile(`${to}.copying`, 'This is no database')
    expect((await copyRegistry({ from, to })).continued).toBe(0)
    expect((await readdir(folder)).toSorted()).toEqual(['to.db', 'to.db.erased'])
  })

  test('replaces nothing', async () => {
    const from = await filled()
    const folder = await temporaryFolder()
    await writeFile(path.join(folder, 'note.txt'), 'Mine')
    for (const to of [from, path.join(folder, 'note.txt'), ':memory:', ''])
      await expect(copyRegistry({ from, to })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    for (const to of [path.join(folder, 'absent', 'to.db')])
      await expect(copyRegistry({ from, to })).rejects.toMatchObject({ code: 'STORAGE_MISSING' })
    await expect(
      copyRegistry({ from: path.join(folder, 'absent.db'), to: path.join(folder, 'to.db') }),
    ).rejects.toMatchObject({ code: 'STORAGE_MISSING' })
  })

  test('goes on giving numbers where the registry was', async () => {
    const from = await filled()
    const registry = await openRegistry({ database: from })
    const first = await registry.tokens.create({ name: 'First' })
    await registry.tokens.revoke(first.id)
    await registry.close()
    const to = path.join(await temporaryFolder(), 'to.db')
    await copyRegistry({ from, to })
    const copy = await openRegistry({ database: to })
    expect((await copy.tokens.create({ name: 'Second' })).id).toBe(first.id + 1)
    await copy.waypoints.create({ name: 'Next', latitude: 1, longitude: 2 }, token())
    await copy.close()
  })
})

describe('a row as a line', () => {
  const columns = [
    { name: 'id', kind: 'integer' },
    { name: 'subject', kind: 'text' },
    { name: 'subjectId', kind: 'subject' },
    { name: 'text', kind: 'text' },
    { name: 'real', kind: 'real' },
    { name: 'bytes', kind: 'bytes' },
  ] as const

  test('is the same row again, whatever its texts are', () => {
    const chance = new Chance(7)
    const hostile = Array.from({ length: 500 }, () => hostileText(chance))
    const texts = [...hostile, '', '\\N', '\\.', 'a\tb\nc\rd\\e', '\b\f\v', '\\x41', '\u2028', '🚰']
    for (const each of texts)
      for (const [subject, subjectId] of [
        ['user', '17'],
        ['waypoint', 17],
      ] as const) {
        const row = [1, subject, subjectId, each, 0.1, Buffer.from([0, 10, 255])]
        const line = lineOf({ columns }, row)
        expect(line).not.toMatch(/[\n\r]/)
        expect(line.split('\t')).toHaveLength(columns.length)
        expect(rowOf({ columns }, line)).toEqual(row)
      }
  })
})
