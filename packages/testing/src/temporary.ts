import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiled = fileURLToPath(new URL('../../../node_modules/.cache/node-compile', import.meta.url))

/** One folder for temporary files. Its compile cache saves child processes half a second each. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fountain-tests-'))
  // Some tests run as other users, who need access to their folders below it.
  await chmod(folder, 0o755)
  // Workers and their child processes inherit it.
  process.env['TMPDIR'] = folder
  process.env['NODE_COMPILE_CACHE'] ??= compiled
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
