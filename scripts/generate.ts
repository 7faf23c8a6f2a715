import { parseArgs } from 'node:util'
import { differences, generateAll, writeAll } from './generate/files.ts'

/**
 * Generates the derived files: the API reference, the list of public exports, pictures of the code, the OpenAPI
 * document, the types of a client, the tables of docs/data.md, the examples in the guides, and the map's engine.
 *   npm run generate           writes them
 *   npm run generated:check    fails when they differ
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const made = await generateAll()
if (values.check) {
  const found = await differences(made)
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error('Generated files are not up to date: run `npm run generate` and commit what it writes.')
    process.exitCode = 1
  }
} else await writeAll(made)
