import { openRegistry } from '@openfountain/core'
import { importFile } from '../../src/import/index.ts'

/** Imports a file into a database in a process of its own, which a test may end at any moment. */
const [database = '', file = ''] = process.argv.slice(2)
const registry = await openRegistry({ database, durability: 'relaxed' })
try {
  await importFile(registry, { file, source: { name: 'City', license: 'CC0-1.0' }, batchRows: 200 })
  console.log('done')
} catch (error) {
  const { name, code } = error as { name?: string; code?: string }
  console.log(JSON.stringify({ name, code }))
} finally {
  await registry.close()
}
