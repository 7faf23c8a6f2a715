import { existsSync } from 'node:fs'
import path from 'node:path'
import { usage } from './failure.ts'

/**
 * Checks that files can be written where options name them, before the work of which they are the report.
 *
 * @param files paths by the names of their options; undefined for an option that is not given
 * @throws CommandError usage when a folder does not exist
 */
export function checkFolders(files: Readonly<Record<string, string | undefined>>): void {
  for (const [option, file] of Object.entries(files)) {
    const folder = file === undefined ? '.' : path.dirname(file)
    if (!existsSync(folder))
      throw usage(`--${option}: folder ${folder} not found; create it first, or choose another one`)
  }
}
