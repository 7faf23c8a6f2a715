import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openRegistry, token } from '@openfountain/core'

/**
 * Runs examples of docstrings, each in a new folder with a registry of one fountain and a file `fountains.csv`:
 *   node --conditions=openfountain-source run-examples.ts example-1.ts example-2.ts
 */
const fountain = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }

for (const file of process.argv.slice(2)) {
  process.chdir(await mkdtemp(join(tmpdir(), 'openfountain-example-')))
  await writeFile('fountains.csv', 'name,latitude,longitude\nCathedral,55.7039,13.1935\n')
  const { example } = await import(pathToFileURL(file).href)
  const registry = await openRegistry({ database: 'registry.db' })
  await registry.waypoints.create(fountain, token())
  const snapshot = await registry.snapshot()
  try {
    await example({ registry, snapshot })
    console.log(`worked ${file}`)
  } catch (error) {
    console.log(`failed ${file}: ${error instanceof Error ? error.message : error}`)
  } finally {
    snapshot.close()
    await registry.close()
  }
}
