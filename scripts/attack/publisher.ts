import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRegistry, token } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'
import { RandomHistory } from '@openfountain/testing/histories/random-history'

/** Contents of all files below a folder, decompressed where necessary. */
async function* contentsOf(folder: string): AsyncGenerator<readonly [file: string, content: Buffer]> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const content = await readFile(file)
    yield [path.relative(folder, file), file.endsWith('.gz') ? gunzipSync(content) : content]
  }
}

/** The counts that the program prints. */
export interface Published {
  readonly waypoints: number
  readonly exported: number
  readonly pages: number
  /** Files with a redacted text. */
  readonly leaking: readonly string[]
  readonly erased: number
}

/** Makes a registry of random hostile writes, exports it and builds its site. @throws Error with the failure */
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
    for (const name of ['Line\u2028separator', '=cmd|"\u2029</script>]]>', '\u200f../\uffff{{x}}${y}'])
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

// A process of its own, since an endless build takes all memory.
const [folder = '', seed, steps] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await publish(folder, Number(seed), Number(steps))))
