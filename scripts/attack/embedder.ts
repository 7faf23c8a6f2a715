import { openRegistry } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'

/**
 * A program that embeds the importer: it reads files one after another and writes a line about each, and a last one at
 * its end.
 */

/** The result of reading a file. */
export interface Read {
  readonly file: string
  /** The code of the refusal; `read` after success, `unexpected` for any other error. */
  readonly code: string
}

/** The last line. */
export interface EmbedderEnd {
  /** The peak memory of the program in bytes, without that of its child processes. */
  readonly memory: number
}

const registry = await openRegistry({ database: ':memory:' })
for (const file of process.argv.slice(2)) {
  let code = 'read'
  try {
    await importFile(registry, { file, source: { name: 'City', license: 'CC0-1.0' }, dryRun: true })
  } catch (error) {
    const { name, code: refusal } = error as { name?: string; code?: string }
    code = name === 'ImportRefused' ? (refusal ?? name) : 'unexpected'
  }
  const read: Read = { file, code }
  process.stdout.write(`${JSON.stringify(read)}\n`)
  // Node reports unhandled rejections after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve))
}
await registry.close()
const end: EmbedderEnd = { memory: process.resourceUsage().maxRSS * 1024 }
process.stdout.write(`${JSON.stringify(end)}\n`)
