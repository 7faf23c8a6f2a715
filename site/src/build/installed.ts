import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

// Also the names of packages that are older than npm's naming rules.
const Names = z.record(z.string(), z.unknown()).catch({})
const Manifest = z.object({
  name: z.string().catch(''),
  version: z.string().catch(''),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
})

/** All packages that a package needs, itself included, as `name@version`, sorted, without those that are not installed. */
export async function installedVersions(root: string): Promise<string[]> {
  const found = new Map<string, string>()
  const folders = [root]
  for (const folder of folders) {
    const real = await realpath(folder)
    if (found.has(real)) continue
    const text = await readFile(join(real, 'package.json'), 'utf8')
    const { name, version, ...needed } = Manifest.parse(JSON.parse(text))
    found.set(real, `${name}@${version}`)
    for (const one of Object.values(needed).flatMap((names) => Object.keys(names)))
      folders.push(...folderOf(one, real))
  }
  return [...found.values()].toSorted()
}

/** The folder of a dependency: in the package's own `node_modules`, or in that of a parent folder. */
function folderOf(name: string, from: string): string[] {
  for (let folder = from; ; folder = dirname(folder)) {
    const wanted = join(folder, 'node_modules', name)
    if (existsSync(join(wanted, 'package.json'))) return [wanted]
    if (dirname(folder) === folder) return []
  }
}
