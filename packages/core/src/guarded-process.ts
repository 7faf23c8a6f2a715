import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Guard } from './guard.ts'

/**
 * A process for other people's parsers, with limits of memory, an empty environment and no files but its program's: a
 * file that is made for it lets a parser loop, use all memory, or worse.
 */

interface GuardedOptions {
  /** The folder of the package that the program is of. */
  readonly root: string
  readonly memoryMiB: number
  /** Other folders and files that it may read. Default none. */
  readonly readable?: readonly string[]
  /** Whether it loads native modules. Default false. */
  readonly addons?: boolean
}

/** Address space that Node reserves as writable beside what it uses, in MiB, rounded up. */
const reservedMiB = 3072

/** Limits that the system enforces, where it can; the process watches its memory itself everywhere. */
const limiting = 'ulimit -c 0 2>/dev/null; ulimit -d "$0" 2>/dev/null; exec "$@"'
const shell = '/bin/sh'

/** The module of the guard is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ownRoot = fileURLToPath(new URL('../', import.meta.url))

function programFolders(root: string): string[] {
  const folders = [root, ownRoot]
  for (let folder = root; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) folders.push(modules)
    if (folder === dirname(folder)) return folders
  }
}

/** What `spawn` starts a module in a guarded process by, with the environment `{}`; `task` is its argument, as JSON. */
export function guardedCommand(
  module: string,
  task: object,
  { root, memoryMiB, readable = [], addons = false }: GuardedOptions,
): { readonly program: string; readonly given: readonly string[] } {
  const guard: Guard = { memory: memoryMiB * 1024 * 1024, parent: process.pid }
  const all = [
    `--max-old-space-size=${Math.ceil((memoryMiB * 2) / 3)}`,
    ...(extension === 'ts' ? ['--conditions=openfountain-source'] : []),
    // Without writing, without other processes, and without reading other files than its program.
    '--permission',
    '--allow-worker',
    ...(addons ? ['--allow-addons'] : []),
    ...[...programFolders(root), ...readable].map((each) => `--allow-fs-read=${each}`),
    `--import=${new URL(`guard.${extension}`, import.meta.url).href}`,
    module,
    JSON.stringify({ ...task, ...guard }),
  ]
  const isLimited = process.platform !== 'win32' && existsSync(shell)
  return isLimited
    ? {
        program: shell,
        given: ['-c', limiting, String((memoryMiB + reservedMiB) * 1024), process.execPath, ...all],
      }
    : { program: process.execPath, given: all }
}
