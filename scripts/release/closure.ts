import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '../packages/folders.ts'

const Names = z.record(z.string(), z.string()).default({})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ link: z.boolean().optional(), dependencies: Names, optionalDependencies: Names }),
  ),
})

/**
 * Packages of others that packages of the workspace need at run time, as package-lock.json pins them and `npm ci` has
 * installed them for this machine.
 *
 * @param folders packages of the workspace
 * @returns paths of their folders, such as `node_modules/zod`, sorted
 */
export async function closureOf(folders: readonly string[]): Promise<string[]> {
  const { packages } = Lock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')))
  const found = new Set<string>()

  /** Where Node finds a package from a folder; `undefined` for an optional one of other machines. */
  function resolved(from: string, name: string): string | undefined {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
      if (packages[path] !== undefined) return existsSync(join(root, path)) ? path : undefined
      if (at === '') return undefined
    }
  }

  function follow(from: string): void {
    const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {}
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
      const path = resolved(from, name)
      if (path === undefined) {
        if (name in optionalDependencies) continue
        throw new Error(`${from} needs ${name}, which is not installed: npm ci`)
      }
      if (packages[path]?.link === true || found.has(path)) continue
      found.add(path)
      follow(path)
    }
  }

  for (const folder of folders) follow(folder)
  return [...found].toSorted()
}
