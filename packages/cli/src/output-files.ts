import { existsSync } from 'node:fs'
import path from 'node:path'
import { usage } from './failure.ts'

/**
 * Checks the folders of output files before the work begins.
 *
 * @param files paths by option; undefined for a missing option
 * @throws CommandError usage when a folder does not exist
 */
export function checkFolders(files: Readonly<Record<string, string | undefined>>): void {
  for (const [option, file] of Object.entries(files)) {
    const folder = file === undefined ? '.' : path.dirname(file)
    if (!existsSync(folder))
      throw usage(`--${option}: folder ${folder} not found; create it first, or choose another one`)
  }
}
