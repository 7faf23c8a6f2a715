/** @module-tag postgres */
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { copyRegistry, openRegistry, token, user } from '@openfountain/core'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { fullHistory } from '@openfountain/testing/histories/full-history'
import { copiedTables } from '../../core/src/store/tables.ts'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'

async function filledFile(): Promise<string> {
  const file = path.join(await temporaryFolder(), 'from.db')
  await writeFile(file, await fullHistory())
  const registry = await openRegistry({ database: file, clock: tickingClock('2026-03-01T00:00:00.000Z') })
  await registry.tokens.create({ name: 'A server' })
  await registry.reports.create(
    { bubblerId: 1, reason: 'wrong', comment: 'Tab\there, \\N and \\. too\nNext line: 噴水 🚰' },
    user('u1'),
  )
  const places = [0.00001, 1e-7, -0.000123456789, 89.99999999, 1 / 3, -5e-324, 47.12345678901234]
  const unit = [0.1 + 0.2, 1e-4, 0.000_099_99, 45.000_000_000_000_01, -8.012_345_678_901_234]
  for (const [index, latitude] of [...places, ...unit].entries()) {
    const place = { latitude, longitude: -latitude * 2 }
    const name = `Tap \\ ${index} "quoted" 'single'`
    await registry.waypoints.create({ name, ...place, description: 'Back\\slash' }, token())
  }
  await registry.close()
  return file
}

function inFile<Found>(file: string, read: (database: Database.Database) => Found): Found {
  const database = new Database(file, { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const rowsOf = (file: string) =>
  inFile(file, (database) => {
    const tables = copiedTables.map(({ name }) => name).filter((name) => name !== 'numbers')
    return [...tables, 'sqlite_sequence'].map((name) => {
      const rows = database.prepare<[], object>(`select * from "${name}" order by 1, 2`).all()
      return [name, rows.map((row) => ({ ...row, indexedTo: 0 }))]
    })
  })

const schemaOf = (file: string) =>
  inFile(file, (database) =>
    database
      .prepare(
        "select type, name, tbl_name, sql from sqlite_schema where name not like 'waypoint%_%' order by 1, 2",
      )
      .all(),
  )

test('copying a registry brings every row to PostgreSQL, to another database there, and back to a file that is written on', async () => {
  const [from, one, other] = [await filledFile(), await emptyDatabase(), await emptyDatabase()]
  const to = path.join(await temporaryFolder(), 'back.db')
  const { rows } = await copyRegistry({ from, to: one })
  expect((await copyRegistry({ from: one, to: other })).rows).toEqual(rows)
  expect((await copyRegistry({ from: other, to })).rows).toEqual(rows)
  expect(rows).toMatchObject({ secrets: 1, reports: 1, state: 1 })
  expect(rowsOf(to)).toEqual(rowsOf(from))
  expect(schemaOf(to)).toEqual(schemaOf(from))
  for (const database of [one, to]) {
    await using registry = await openRegistry({ database, acceptClock: true })
    expect(await registry.waypoints.search({ q: 'quoted' })).toHaveLength(12)
    const { id } = await registry.changes.head()
    await registry.waypoints.create({ name: 'After', latitude: 1, longitude: 2 }, token())
    expect((await registry.changes.head()).id).toBe(id + 1)
  }
})

test('copying a registry leaves nothing where it was interrupted, and is made from the beginning then', async () => {
  const [from, database, folder] = [await filledFile(), await emptyDatabase(), await temporaryFolder()]
  const to = path.join(folder, 'copy.db')
  for (const [source, target] of [
    [from, database],
    [database, to],
  ] as const) {
    for (const at of ['rows', 'indexes', 'verification'] as const) {
      const stop = new AbortController()
      const interrupted = copyRegistry({
        from: source,
        to: target,
        signal: stop.signal,
        onProgress: (step, done, total) => {
          if (step === at && done > total / 2) stop.abort(new Error(`Enough ${at}`))
        },
      })
      await expect(interrupted).rejects.toThrow(`Enough ${at}`)
      await expect(openRegistry({ database: target, create: false })).rejects.toMatchObject({
        code: 'STORAGE_MISSING',
      })
      expect(await readdir(folder)).toEqual([])
    }
    await copyRegistry({ from: source, to: target })
  }
  expect(rowsOf(to)).toEqual(rowsOf(from))
})

test('copying a registry into one database runs once at a time, and is no registry meanwhile', async () => {
  const [from, database] = [await filledFile(), await emptyDatabase()]
  let meanwhile: Promise<unknown>[] = []
  const onProgress = (step: string): void => {
    if (step !== 'indexes' || meanwhile.length > 0) return
    meanwhile = [copyRegistry({ from, to: database }), openRegistry({ database, create: false })]
    for (const each of meanwhile) each.catch(() => undefined)
  }
  await copyRegistry({ from, to: database, onProgress })
  const [other, opened] = meanwhile
  await expect(other).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
  await expect(opened).rejects.toMatchObject({ code: 'STORAGE_MISSING' })
  await using copy = await openRegistry({ database, create: false })
  expect((await copy.waypoints.get(1))?.name).toBeDefined()
})

test('copying a registry refuses a log that does not verify, and leaves no registry', async () => {
  const [from, one, other] = [await filledFile(), await emptyDatabase(), await emptyDatabase()]
  await copyRegistry({ from, to: one })
  const change = `alter table entries disable trigger all; update entries set fields = replace(fields, 'Renamed', 'Forged')`
  await administer(one, change)
  for (const to of [other, path.join(await temporaryFolder(), 'forged.db')]) {
    await expect(copyRegistry({ from: one, to })).rejects.toMatchObject({
      code: 'STORAGE_CORRUPT',
      details: {
        problems: expect.arrayContaining([expect.stringMatching(/does not match its leaf/)]) as unknown,
      },
    })
    await expect(openRegistry({ database: to, create: false })).rejects.toMatchObject({
      code: expect.stringMatching(/STORAGE_(?:MISSING|CORRUPT)/) as unknown,
    })
  }
})

test('copying a registry refuses what has a registry already', async () => {
  const [from, database] = [await filledFile(), await emptyDatabase()]
  await copyRegistry({ from, to: database })
  for (const given of [
    { from, to: database },
    { from: database, to: from },
    { from, to: from },
  ])
    await expect(copyRegistry(given)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
