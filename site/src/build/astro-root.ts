import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) })

/** Makes Astro's root in the work folder, with links to the pages and their imports: this package may lie where its user cannot write. */
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

/** Copies a folder, by hard links where possible: creating thousands of files is the slowest part of a small site on some disks. */
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
