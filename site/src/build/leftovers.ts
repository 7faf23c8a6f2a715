import { readdir, readlink, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Marks a folder as written by this program, which may replace it. */
export const marker = '.openfountain-site'

/** The prefix of the folders that builds of `out` write; a unique part follows. */
export const newFolderPrefix = (out: string): string => join(dirname(out), `.${basename(out)}-new-`)

/** Suffixes of the folders beside the new folder. */
export const suffixes = { work: '-work', export: '-export', old: '-old' } as const

/** A `randomUUID`, alone or with one of the suffixes. */
const uniquePart = new RegExp(`^([0-9a-f-]{36})(?:${Object.values(suffixes).join('|')})?$`, 'u')

/** The build folder that the link `out` points at; undefined when `out` is no such link. */
export async function linkedBuild(out: string): Promise<string | undefined> {
  const target = await readlink(out).catch(() => undefined)
  if (target === undefined) return undefined
  const folder = resolve(dirname(out), target)
  const prefix = newFolderPrefix(out)
  const [, unique] = (folder.startsWith(prefix) && uniquePart.exec(folder.slice(prefix.length))) || []
  return folder === `${prefix}${unique}` ? folder : undefined
}

/** Removes a folder; one of another user may stay, and is reported. */
export async function removeOld(folder: string, onLeftover: (folder: string) => void): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error
    onLeftover(folder)
  })
}

/** Removes the leftovers of killed builds of `out`, whose lock this build holds; a site that was only moved aside is moved back. */
export async function removeLeftovers(out: string, onLeftover: (folder: string) => void): Promise<void> {
  const prefix = basename(newFolderPrefix(out))
  const names = await readdir(dirname(out)).catch(() => [])
  const builds = new Set(
    names
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => uniquePart.exec(name.slice(prefix.length))?.[1] ?? [])
      .map((unique) => `${newFolderPrefix(out)}${unique}`),
  )
  const live = await linkedBuild(out)
  for (const folder of builds) {
    const exists = await stat(out).then(
      () => true,
      () => false,
    )
    if (!exists) await rename(`${folder}${suffixes.old}`, out).catch(() => undefined)
    for (const suffix of [...(folder === live ? [] : ['']), ...Object.values(suffixes)])
      await removeOld(`${folder}${suffix}`, onLeftover)
  }
}
