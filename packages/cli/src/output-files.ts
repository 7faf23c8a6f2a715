import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { usage } from './failure.ts'

/** Checks the folders of output files, by option, before the work begins. @throws CommandError usage */
export function checkFolders(files: Readonly<Record<string, string | undefined>>): void {
  for (const [option, file] of Object.entries(files)) {
    const folder = file === undefined ? '.' : path.dirname(file)
    if (!existsSync(folder))
      throw usage(`--${option}: folder ${folder} not found; create it first, or choose another one`)
  }
}

/** Writes a file atomically, for its owner alone. */
export async function writePrivately(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const part = `${file}.part`
  // A file left by an interrupted run may have a wider mode.
  await rm(part, { force: true })
  try {
    await writeFile(part, pieces, { flag: 'wx', mode: 0o600, flush: true })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
