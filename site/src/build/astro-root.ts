import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) })

/**
 * Makes a root in the work folder with hard links to the pages where possible, else copies, and links to their imports.
 * Astro writes files of its own into its root, and this package may be installed where its user cannot write.
 *
 * @param pages whether the site has accounts; without them their pages are left out of the site
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
    for (const page of [
      'sign-in',
      'account',
      'following',
      'my-fountains',
      'contributions',
      'moderation/index',
    ])
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

/**
 * Copies a folder: as hard links where possible, else as copies. Creating thousands of files is the slowest part of a
 * small site on some disks; hard links take some hundredths of a second, and with a promise for each several times as
 * long.
 */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [given, made] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(given, made)
    else linkFile(given, made)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
