import { setImmediate as nextTurn } from 'node:timers/promises'
import { openRegistry } from '@openfountain/core'
import { importFile } from '../../src/index.ts'

const [database = '', file = '', killedAt] = process.argv.slice(2)
// Earlier than the clock of the registry that continues.
const clock = () => new Date('2026-01-01T00:00:00.000Z')
const registry = await openRegistry({ database, durability: 'relaxed', clock })
if (killedAt !== undefined) void killAt(Number(killedAt))
try {
  await importFile(registry, { file, source: { name: 'City', license: 'CC0-1.0' }, batchRows: 200 })
  console.log('done')
} catch (error) {
  const { name, code } = error as { name?: string; code?: string }
  console.log(JSON.stringify({ name, code }))
} finally {
  await registry.close()
}

async function killAt(waypoints: number): Promise<void> {
  while ((await registry.statistics()).totalWaypoints < waypoints) await nextTurn()
  process.kill(process.pid, 'SIGKILL')
}
