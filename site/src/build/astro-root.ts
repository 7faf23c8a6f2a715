import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { linkFolder } from './link-folder.ts'

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) })

/**
 * Makes a root with the pages in the work folder, as second names of their files where that is possible, and links to what they
 * import. Astro writes into its root, files of its own, and this package may be installed where its user may not write.
 *
 * @param pages whether people have accounts; without, their pages are not part of the site in any way
 * @returns the root for Astro
 */
export async function makeAstroRoot(
  workFolder: string,
  packageFolder: string,
  { accounts }: { readonly accounts: boolean },
): Promise<string> {
  const root = join(workFolder, 'root')
  await mkdir(root, { recursive: true })
  for (const name of ['src', 'public']) linkFolder(join(packageFolder, name), join(root, name))
  await copyFile(join(packageFolder, 'package.json'), join(root, 'package.json'))
  if (!accounts)
    for (const page of ['sign-in', 'account', 'contributions', 'moderation/index'])
      await rm(join(root, 'src/pages/[...language]', `${page}.astro`))
  const { dependencies } = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const folders = createRequire(join(packageFolder, 'package.json')).resolve.paths('astro') ?? []
  for (const name of Object.keys(dependencies)) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found === undefined) throw new Error(`${name} is not installed; install @openfountain/site again`)
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(found, link, 'junction')
  }
  return root
}
