import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests of a run one folder for what is temporary, and removes it when they have ended. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fountain-tests-'))
  // Some tests are of other users, who go through it to folders of their own.
  await chmod(folder, 0o755)
  // Workers and the programs that they start have it from here.
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
