import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'
import { RandomHistory } from '../../packages/core/test/random-history.ts'
import { outcome, type Attack } from './attempt.ts'

/** Contents of all files below a folder, unpacked where they are packed. */
async function* contentsOf(folder: string): AsyncGenerator<readonly [file: string, content: Buffer]> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const content = await readFile(file)
    yield [path.relative(folder, file), file.endsWith('.gz') ? gunzipSync(content) : content]
  }
}

interface Published {
  readonly waypoints: number
  readonly exported: number
  readonly pages: number
  /** Files that have a text which was redacted. */
  readonly leaking: readonly string[]
  readonly erased: number
}

/** Makes a registry of random hostile writes, exports it and builds its site. @throws Error with what failed */
async function publish(folder: string, seed: number, steps: number): Promise<Published> {
  await mkdir(folder)
  let now = Date.parse('1970-01-01T00:00:00Z')
  let users = 0
  const registry = await openRegistry({
    database: path.join(folder, 'registry.db'),
    durability: 'relaxed',
    clock: () => new Date((now += 1000)),
    ids: () => `u${++users}`,
  })
  const [data, out] = [path.join(folder, 'export'), path.join(folder, 'site')]
  const history = new RandomHistory(seed, { hostile: true })
  try {
    for (const name of ['Line\u2028separator', '=cmd|"\u2029</script>]]>', '\u202e../\uffff{{x}}${y}'])
      await registry.waypoints.create({ name, latitude: 90, longitude: -180 }, token())
    for (let step = 0; step < steps; step++) {
      if (step === Math.floor(steps / 2)) now = Date.parse('9999-12-30T00:00:00Z')
      await history.step(registry)
    }
    await exportRegistry(registry, { out: data })
    await buildSite({ data, out, languages: ['en'], url: 'https://fountains.example/' })
    const { totalWaypoints } = await registry.statistics()
    const lines = gunzipSync(await readFile(path.join(data, 'waypoints.ndjson.gz')))
      .toString()
      .trimEnd()
      .split('\n')
    for (const line of lines) JSON.parse(line)
    const pages = (await readdir(path.join(out, 'waypoint'))).filter((name) => /^\d+$/u.test(name)).length
    const erased = [...history.erased]
    const forms = erased.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    const leaking: string[] = []
    for await (const [file, content] of contentsOf(folder))
      if (forms.some((form) => content.includes(form))) leaking.push(file)
    return { waypoints: totalWaypoints, exported: lines.length, pages, leaking, erased: erased.length }
  } finally {
    await registry.close()
  }
}

/** The attacks look at the same files, which are made once. */
export function publishing(): readonly Attack[] {
  let made: Promise<Published[]> | undefined
  const published = (folder: string, seed: number, full: boolean): Promise<Published[]> =>
    (made ??= (async () => {
      const all: Published[] = []
      for (let number = 0; number < (full ? 10 : 1); number++)
        all.push(await publish(path.join(folder, String(number)), seed + number, full ? 1000 : 200))
      return all
    })())
  const sum = (all: readonly Published[], of: (one: Published) => number) =>
    all.reduce((total, one) => total + of(one), 0)
  return [
    {
      name: 'hostile-registry',
      kind: 'publishing',
      wants: 'that nobody can publish the registry any more',
      async run({ folder, seed, full }) {
        const all = await published(folder, seed, full)
        const [waypoints, exported, pages] = [
          sum(all, (one) => one.waypoints),
          sum(all, (one) => one.exported),
          sum(all, (one) => one.pages),
        ]
        return outcome(
          `exported and built registries of hostile texts, places, areas and dates up to the year 9999 (seed ${seed})`,
          `${waypoints} waypoints, ${exported} lines, ${pages} pages`,
          waypoints > 0 && exported === waypoints && pages >= waypoints,
        )
      },
    },
    {
      name: 'redacted-texts',
      kind: 'publishing',
      wants: 'to read what was redacted',
      async run({ folder, seed, full }) {
        const all = await published(folder, seed, full)
        const leaking = all.flatMap((one) => one.leaking)
        const erased = sum(all, (one) => one.erased)
        return outcome(
          `looked for ${erased} redacted texts in the database, its log, the export and the site`,
          leaking.length === 0 ? 'no file has one' : `found in ${leaking.slice(0, 5).join(', ')}`,
          leaking.length === 0 && erased > 0,
        )
      },
    },
  ]
}
