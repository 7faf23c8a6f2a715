/** @module-tag process */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defaultRules, openRegistry, type Registry } from '@openfountain/core'
import Database from 'better-sqlite3'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ended, folder } from '@openfountain/testing/command/shell'

/** The native driver cannot be bundled; a bundle elsewhere finds it by its address. */
const driver = pathToFileURL(createRequire(import.meta.url).resolve('better-sqlite3')).href

let bundle: string

beforeAll(async () => {
  bundle = path.join(await mkdtemp(path.join(tmpdir(), 'openfountain-writer-')), 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['openfountain-source'],
    plugins: [
      {
        name: 'driver',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: driver, external: true })),
      },
    ],
    logLevel: 'error',
  })
})
afterAll(() => rm(path.dirname(bundle), { recursive: true, force: true }))

interface Told {
  readonly word: string
  readonly id: number
}

function toldIn(text: string): Told[] {
  // A line without its end was never told.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [word = '', id] = line.split(' ')
      return { word, id: Number(id) }
    })
}

/** Lets a writer write until it has told some writes and a moment has passed, kills it, and answers what it told. */
async function killedWriter(database: string, name: string, moment: number): Promise<Told[]> {
  const child = spawn(process.execPath, [bundle, database, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), moment))
  const { stdout, signal } = await ended(child)
  expect(signal).toBe('SIGKILL')
  return toldIn(stdout)
}

/** A source of moments that is the same at each run. */
function moments(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % 40
  }
}

async function ledgerIsTheSum(database: string): Promise<void> {
  const sqlite = new Database(database, { readonly: true })
  const wrong = sqlite
    .prepare(
      `select id, xp, (select coalesce(sum(award.value ->> 2), 0) from entries, json_each(entries.awards) award
        where award.value ->> 0 = users.id) paid from users where xp <> paid`,
    )
    .all()
  sqlite.close()
  expect(wrong).toEqual([])
}

async function isThere(registry: Registry, { word, id }: Told): Promise<boolean> {
  if (word === 'reviewed') {
    const reviews = await registry.reviews.list()
    return reviews.some((review) => review.id === id)
  }
  const actions = new Set((await registry.waypoints.history(id)).map(({ action }) => String(action)))
  // A deletion may have been written and not been told any more.
  return actions.has(word) && (actions.has('deleted') || (await registry.waypoints.get(id)).id === id)
}

describe('a process that is killed while it writes', () => {
  test(
    'two hundred times: the registry opens, verifies, and has every write that was answered',
    { timeout: 400_000 },
    async () => {
      const database = path.join(await folder(), 'killed.db')
      const names = ['ada', 'grace']
      const setUp = await openRegistry({ database })
      for (const id of names) await setUp.users.create({ id, name: id, xp: 100 })
      await setUp.close()
      const moment = moments()
      const told: Told[] = []
      for (let round = 0; round < 100; round++) {
        const both = await Promise.all(names.map((name) => killedWriter(database, name, moment())))
        const fresh = both.flat()
        told.push(...fresh)
        const registry = await openRegistry({ database })
        const last = fresh.slice(-6)
        const present = await Promise.all(last.map((one) => isThere(registry, one)))
        expect(present).toEqual(last.map(() => true))
        if (round % 20 === 19)
          expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
        await registry.close()
      }
      const registry = await openRegistry({ database })
      expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
      const logged = new Set<string>()
      for await (const { subject, subjectId, action } of registry.changes.since(0))
        if (subject === 'waypoint') logged.add(`${action} ${subjectId}`)
      const reviews = new Set((await registry.reviews.list()).map(({ id }) => id))
      const lost = told.filter(({ word, id }) =>
        word === 'reviewed' ? !reviews.has(id) : !logged.has(`${word} ${id}`),
      )
      expect(lost).toEqual([])
      // At least the first of each writer, which is waited for.
      expect(told.length).toBeGreaterThanOrEqual(200)
      await registry.close()
      await ledgerIsTheSum(database)
    },
  )
})

describe('two processes that write at once', () => {
  test('neither lose nor double any XP, review, flag or count', async () => {
    const database = path.join(await folder(), 'shared.db')
    const names = ['ada', 'grace', 'ada']
    const setUp = await openRegistry({ database })
    for (const id of ['ada', 'grace']) await setUp.users.create({ id, name: id, xp: 20 })
    await setUp.close()
    const rounds = 40
    const answers = await Promise.all(
      names.map((name) => ended(spawn(process.execPath, [bundle, database, name, String(rounds)]))),
    )
    expect(answers.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      names.map(() => ({ code: 0, stderr: '' })),
    )
    const { createWaypoint, editWaypoint, postReview, waypointVerified } = defaultRules.xp
    const each = rounds * (createWaypoint + editWaypoint + postReview + waypointVerified)
    const registry = await openRegistry({ database })
    const [ada, grace] = await Promise.all([registry.users.get('ada'), registry.users.get('grace')])
    expect([ada.xp, grace.xp]).toEqual([20 + 2 * each, 20 + each])
    expect(ada.stats).toEqual({
      waypointsCreated: 2 * rounds,
      waypointsEdited: 2 * rounds,
      reviewsPosted: 2 * rounds,
    })
    const gone = 3 * Math.floor(rounds / 5)
    expect(await registry.statistics()).toMatchObject({
      totalWaypoints: 3 * rounds - gone,
      totalVerifiedWaypoints: 3 * rounds - gone,
      totalReviews: 3 * rounds,
    })
    expect(
      new Set(toldIn(answers.map(({ stdout }) => stdout).join('')).map(({ word, id }) => `${word} ${id}`))
        .size,
    ).toBe(3 * (4 * rounds + Math.floor(rounds / 5)))
    expect(await registry.changes.verify()).toMatchObject({ ok: true })
    await registry.close()
    await ledgerIsTheSum(database)
  })
})
