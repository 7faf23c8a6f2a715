import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs programs of this repository, with Node's compile cache as the command has it.
 *
 * @returns runs one, and resolves to the processor time of all its threads in milliseconds
 */
export function processorTimes(folder: string): (program: string, ...args: string[]) => Promise<number> {
  const file = path.join(folder, 'processor-time')
  const cache = path.join(folder, 'compiled')
  // Rolldown allocates as in the build of a site.
  const env = { ...process.env, NODE_COMPILE_CACHE: cache, PROCESSOR_TIME: file, MIMALLOC_ALLOW_THP: '0' }
  const clock = path.join(import.meta.dirname, 'processor-time.ts')
  return async (...program) => {
    await promisify(execFile)(process.execPath, [...process.execArgv, '--import', clock, ...program], { env })
    return Number(readFileSync(file, 'utf8'))
  }
}
