import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { token, type Registry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'
import { newFolder, textIn } from '@openfountain/testing/folder'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportRegistry, type RegistryExportOptions } from '../../src/index.ts'

const first = seed + 1
const others = Array.from(
  { length: counted({ quick: 1, all: 4, full: 12 }) },
  (_, index) => first + 1 + index,
)

interface Random {
  readonly registry: Registry
  readonly history: RandomHistory
  readonly chance: Chance
  readonly passDays: (days: number) => void
}

/** An empty registry with a clock and chances of its own. @param tick milliseconds by which the clock goes on with each look */
async function random(given: number, tick: number): Promise<Random> {
  const history = new RandomHistory(given, { hostile: given % 2 === 0 })
  const { chance } = history
  let now = Date.UTC(2026, 2, 1)
  const registry = await emptyRegistry({
    durability: 'relaxed',
    license: 'ODbL-1.0',
    clock: () => new Date((now += tick)),
    random: (bytes) => chance.bytes(bytes),
  })
  return { registry, history, chance, passDays: (days) => (now += days * 86_400_000) }
}

/** Imports fountains of two sources with licences of their own. */
async function fill(registry: Registry, fountains: number): Promise<void> {
  for (const [index, license] of ['ODbL-1.0', 'CC0-1.0'].entries()) {
    const run = await registry.imports.start({ source: { name: `Source ${license}`, license } })
    const rows = Array.from({ length: fountains / 2 }, (_, place) => {
      const position = { latitude: index * 40 + Math.floor(place / 40), longitude: place % 40 }
      const input = { name: `Fountain ${index}.${place}`, ...position, description: `${place * 7919} steps` }
      return { row: place + 1, ref: `R${place}`, input }
    })
    for (let from = 0; from < rows.length; from += 250) await run.apply(rows.slice(from, from + 250))
    await run.finish({ counts: {}, missing: 'keep' })
  }
}

/** The bytes of all files of an export by their names. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]))
}

/** What is exported again and again, each time from the earlier export, and must be what is exported anew. */
class Line {
  readonly taken = new Set<string>()
  readonly #folder = newFolder()
  readonly #options: Partial<RegistryExportOptions>
  #count = 0

  constructor(options: Partial<RegistryExportOptions>) {
    this.#options = options
  }

  /** @returns the files that differ */
  async exported(registry: Registry): Promise<string[]> {
    const count = ++this.#count
    const place = (name: string, at = count) => path.join(this.#folder, `${name}${at}`)
    const options = { ...this.#options, asOf: await registry.time() }
    mkdirSync(place('kept'))
    const earlier = count > 1 ? { earlier: place('again', count - 1) } : {}
    const kept = { to: place('kept'), ...(count > 1 && { from: place('kept', count - 1) }) }
    const { files } = await exportRegistry(registry, { ...options, out: place('again'), ...earlier, kept })
    await exportRegistry(registry, { ...options, out: place('anew') })
    const [again, anew] = [filesIn(place('again')), filesIn(place('anew'))]
    for (const { file, takenOver = 0 } of files) if (takenOver > 0) this.taken.add(file)
    return [...new Set([...again.keys(), ...anew.keys()])].filter(
      (file) => again.get(file) !== anew.get(file),
    )
  }

  /** A file of the latest export, or what is kept of it beside it. */
  latest(file: string, of: 'again' | 'kept' = 'again'): string {
    return path.join(this.#folder, `${of}${this.#count}`, file)
  }

  /** Whether a text is in the latest log. */
  logHas(text: string): boolean {
    return gunzipSync(readFileSync(this.latest('changes.ndjson.gz'))).includes(text)
  }
}

async function isTakenOver(each: number, ...more: string[]): Promise<void> {
  const { registry, history, chance, passDays } = await random(each, 1000)
  const formats = ['ndjson', 'changes', ...more]
  const [whole, split] = [new Line({ formats }), new Line({ formats, splitByLicense: true })]
  const fountains = 400
  await fill(registry, fountains)
  for (let step = 0; step < 20; step++) await history.step(registry)
  for (let round = 0; round < 4; round++) {
    expect(await whole.exported(registry)).toEqual([])
    if (round % 2 === 1) expect(await split.exported(registry)).toEqual([])
    if (chance.isIn(2)) passDays(1 + chance.below(200))
    for (let step = chance.below(12); step > 0; step--) await history.step(registry)
    const id = 1 + chance.below(fountains)
    const secret = `Secret ${each}.${round}`
    // What is deleted by now is not found.
    await registry.waypoints.update(id, { description: secret }, token()).catch(() => undefined)
    if (round !== 1) continue
    expect(await whole.exported(registry)).toEqual([])
    const { logs } = await registry.changes.list({ bubblerId: id, order: 'desc' })
    const entry = logs.find(({ changes }) => changes['description'] === secret)
    expect(whole.logHas(secret)).toBe(entry !== undefined)
    if (entry) await registry.changes.redact(entry.id, { fields: ['description'], reason: 'A number' })
    expect(await whole.exported(registry)).toEqual([])
    expect(whole.logHas(secret)).toBe(false)
  }
  expect([...whole.taken]).toEqual(
    expect.arrayContaining(['changes.ndjson.gz', ...more.map((name) => `waypoints.${name}`)]),
  )
  expect(split.taken.size).toBeGreaterThan(0)
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  missing: (file) => rmSync(file),
  'cut off': (file) => truncateSync(file, statSync(file).size - 1),
  'another one of its size': (file) => {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 9))
  },
  'a folder': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
}

/** Expects exports to be whole where files that they would take over, or what is kept of them, are damaged. */
async function survivesDamage(line: Line, registry: Registry, ...files: string[]): Promise<void> {
  await line.exported(registry)
  line.taken.clear()
  for (const [what, damage] of Object.entries(damages))
    for (const of of ['again', 'kept'] as const) {
      for (const file of files) damage(line.latest(file, of))
      expect(await line.exported(registry), `${of} ${what}`).toEqual([])
      expect([...line.taken]).toEqual([])
    }
  expect(await line.exported(registry)).toEqual([])
  expect([...line.taken].toSorted()).toEqual(files.toSorted())
}

test('an export is whole, and the same, where a file that it would take over or what is kept of it is damaged', async () => {
  const { registry } = await random(first, 1000)
  await fill(registry, 400)
  const line = new Line({ formats: ['ndjson', 'changes'] })
  await survivesDamage(line, registry, 'waypoints.ndjson.gz', 'changes.ndjson.gz')
  // It is one member of gzip, whose end says how long all of its text is.
  const log = readFileSync(line.latest('changes.ndjson.gz'))
  expect(log.readUInt32LE(log.length - 4)).toBe(gunzipSync(log).length)
  execFileSync('gzip', ['--test', line.latest('changes.ndjson.gz')])
})

test('tiles show what has changed of a fountain, and those of another one are taken over', async () => {
  const { registry } = await random(first, 1000)
  await placed(registry)
  await placed(registry, { longitude: -70, latitude: -40 })
  const line = new Line({ formats: ['pmtiles'] })
  await line.exported(registry)
  const changes: readonly Parameters<typeof registry.waypoints.update>[1][] = [
    { name: 'Mill' },
    { name: 'Drinking fountain at 55.7029, 13.1929' },
    { verified: true },
    { approved: true },
    { amenities: ['wheelchair'] },
    { region: 'Lund' },
    { longitude: 13.5 },
  ]
  for (const change of changes) {
    await registry.waypoints.update(1, change, token())
    expect(await line.exported(registry), JSON.stringify(change)).toEqual([])
  }
  await registry.observations.create({ bubblerId: 1, kind: 'broken' }, token())
  expect(await line.exported(registry)).toEqual([])
  expect([...line.taken]).toEqual(['waypoints.pmtiles'])
  await survivesDamage(line, registry, 'waypoints.pmtiles')
})

test.each([first])(
  'an export that takes blocks over is the same to the byte as one that takes none: history %d',
  (each) => isTakenOver(each),
)
test.each(others)('and so is one that takes blocks and tiles over: history %d', { tags: ['long'] }, (each) =>
  isTakenOver(each, 'pmtiles'),
)

/** The rows of a file by id, each as it is written. */
type Rows = Map<number, string>

const rowsOf = (text: string, row: RegExp): Rows =>
  new Map(Array.from(text.matchAll(row), ([all, id]) => [Number(id), all]))

// A row of CSV goes on over line breaks within quotes.
const csvRow = /^(\d+),(?:[^"\r\n]|"(?:[^"]|"")*")*\r\n/gmu
const jsonRow = /^\{"id":(\d+),.*\}(?=,?$)/gmu
const featureRow = /^\{"type":"Feature","id":(\d+),.*\}(?=,?$)/gmu
const placemark = /^<Placemark id="waypoint-(\d+)">[\s\S]*?<\/Placemark>$/gmu

/** How the rows of each format that has differences are found in it. */
const differing: Readonly<Record<string, readonly [file: string, row: RegExp, of: 'id' | 'review_id']>> = {
  ndjson: ['waypoints.ndjson.gz', jsonRow, 'id'],
  csv: ['waypoints.csv', csvRow, 'id'],
  geojson: ['waypoints.geojson', featureRow, 'id'],
  kml: ['waypoints.kml', placemark, 'id'],
  'reviews.json': ['reviews.json', jsonRow, 'review_id'],
  'reviews.csv': ['reviews.csv', csvRow, 'review_id'],
}

async function exported(registry: Registry, since?: string): Promise<string> {
  const out = path.join(newFolder(), 'out')
  const asOf = await registry.observations.today()
  const formats = [...Object.keys(differing), ...(since === undefined ? [] : ['difference'])]
  await exportRegistry(registry, { out, since, asOf, formats })
  return out
}

async function isUpdated(each: number): Promise<void> {
  const { registry, history, chance, passDays } = await random(each, 60_000)
  for (let step = 0; step < 60; step++) await history.step(registry)
  let old = await exported(registry)
  for (let round = 0; round < 3; round++) {
    const { id, hash } = await registry.changes.head()
    // Long enough for words to age and seasons to turn, or not even to the next day.
    if (!chance.isIn(3)) passDays(1 + chance.below(200))
    if (chance.isIn(2)) await registry.observations.age()
    // In no entry of the log: boundaries were drawn anew.
    const meridian = chance.below(360) - 180
    if (chance.isIn(2))
      await registry.waypoints.assignPlaces(({ longitude }) => ({
        country: 'SE',
        ...(longitude < meridian && { name: 'West' }),
      }))
    for (let step = 1 + chance.below(15); step > 0; step--) await history.step(registry)
    const [difference, later] = [await exported(registry, `${id}:${hash}`), await exported(registry)]
    const tombstones = textIn(difference, 'difference.ndjson.gz').match(/^\{"change":"removed".*$/gmu) ?? []
    for (const [name, [file, row, of]] of Object.entries(differing)) {
      const rows = rowsOf(textIn(old, file), row)
      for (const removed of tombstones.map((line) => JSON.parse(line))) rows.delete(removed[of])
      for (const [changed, text] of rowsOf(textIn(difference, file), row)) rows.set(changed, text)
      const all = [...rows].toSorted(([one], [other]) => one - other).map(([, text]) => text)
      expect(all, `${name}, round ${round}`).toEqual([...rowsOf(textIn(later, file), row).values()])
    }
    old = later
  }
}
test.each([first])(
  'an earlier export and the difference are the later export in every format: history %d',
  isUpdated,
)
test.each(others)(
  'an earlier export and the difference are the later export in another history: %d',
  { tags: ['long'] },
  isUpdated,
)
