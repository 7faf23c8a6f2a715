/** @module-tag long */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { token, type Registry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { exportRegistry, type RegistryExportOptions } from '../../src/index.ts'
import { openRandom, seedsOf } from './random-registry.ts'
import { temporaryFolder, textIn } from './written-edition.ts'

/** So many that both files have several blocks. */
const fountains = 2000
const formats = ['ndjson', 'changes']

/** Imports fountains of two sources with licences of their own. */
async function filled(registry: Registry): Promise<void> {
  for (const [index, license] of ['ODbL-1.0', 'CC0-1.0'].entries()) {
    const run = await registry.imports.start({ source: { name: `Source ${license}`, license } })
    const rows = Array.from({ length: fountains / 2 }, (_, place) => ({
      row: place + 1,
      ref: `R${place}`,
      input: {
        name: `Fountain ${index}.${place}`,
        latitude: index * 40 + Math.floor(place / 40),
        longitude: place % 40,
        description: `${place * 7919} steps from here`,
      },
    }))
    for (let from = 0; from < rows.length; from += 250) await run.apply(rows.slice(from, from + 250))
    await run.finish({ counts: {}, missing: 'keep' })
  }
}

interface Exported {
  readonly taken: readonly string[]
  readonly different: readonly string[]
}

/** The bytes of all files of an export by their names. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]))
}

/** What is exported again and again, each time from the earlier one. */
class Line {
  readonly #folder = temporaryFolder()
  readonly #options: Partial<RegistryExportOptions>
  #count = 0

  constructor(options: Partial<RegistryExportOptions>) {
    this.#options = options
  }

  /** Exports with what the earlier export left, and without. @returns files of which something was taken over, and those that differ */
  async exported(registry: Registry, asOf: string): Promise<Exported> {
    const place = (name: string, count: number) => join(this.#folder, `${name}${count}`)
    const count = ++this.#count
    const options = { formats, asOf, ...this.#options }
    mkdirSync(place('kept', count))
    const { files } = await exportRegistry(registry, {
      ...options,
      out: place('again', count),
      ...(count > 1 && { earlier: place('again', count - 1) }),
      kept: { to: place('kept', count), ...(count > 1 && { from: place('kept', count - 1) }) },
    })
    await exportRegistry(registry, { ...options, out: place('anew', count) })
    const [again, anew] = [filesIn(place('again', count)), filesIn(place('anew', count))]
    return {
      taken: files.flatMap(({ file, takenOver }) => (takenOver === undefined ? [] : [file])),
      different: [...new Set([...again.keys(), ...anew.keys()])].filter(
        (file) => again.get(file) !== anew.get(file),
      ),
    }
  }

  /** Whether a text is in the latest log. */
  logHas(text: string): boolean {
    const folder = join(this.#folder, `again${this.#count}`)
    return textIn(folder, 'changes.ndjson.gz').includes(text)
  }
}

test.each(seedsOf(2))(
  'an export that takes blocks over is the same to the byte as one that takes none: history %d',
  async (seed) => {
    const history = new RandomHistory(seed)
    const { chance } = history
    const random = await openRandom(history, 1000)
    const { registry } = random
    const [whole, split] = [new Line({}), new Line({ splitByLicense: true })]
    const everTaken = new Set<string>()
    try {
      await filled(registry)
      for (let step = 0; step < 20; step++) await history.step(registry)
      for (let round = 0; round < 4; round++) {
        const asOf = await registry.time()
        const exports = [await whole.exported(registry, asOf)]
        if (round > 0) expect(exports[0]?.taken).toContain('changes.ndjson.gz')
        if (round % 2 === 1) exports.push(await split.exported(registry, asOf))
        for (const { taken, different } of exports) {
          expect(different).toEqual([])
          for (const file of taken) everTaken.add(file)
        }
        if (chance.isIn(2)) random.passDays(1 + chance.below(200))
        for (let step = chance.below(12); step > 0; step--) await history.step(registry)
        const id = 1 + chance.below(fountains)
        const secret = `Secret ${seed}.${round}`
        // What is deleted by now is not found.
        await registry.waypoints.update(id, { description: secret }, token()).catch(() => undefined)
        if (round === 1) {
          await whole.exported(registry, await registry.time())
          const { logs } = await registry.changes.list({ bubblerId: id, order: 'desc' })
          const entry = logs.find(({ changes }) => changes['description'] === secret)
          expect(whole.logHas(secret)).toBe(entry !== undefined)
          if (entry) await registry.changes.redact(entry.id, { fields: ['description'], reason: 'A number' })
          const { different } = await whole.exported(registry, await registry.time())
          expect({ different, hasSecret: whole.logHas(secret) }).toEqual({ different: [], hasSecret: false })
        }
      }
      // A source with other terms changes all of its lines.
      expect(everTaken).toContain('waypoints.ndjson.gz')
      expect(everTaken).toContain('ODbL-1.0/changes.ndjson.gz')
    } finally {
      await random.close()
    }
  },
)
