import { readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** Marks a folder as written by this program, which may replace it; during the writing it has the process id. */
export const marker = '.openfountain-site'

/** The prefix of the folders that builds of `out` write; a unique part follows. */
export const newFolderPrefix = (out: string): string => join(dirname(out), `.${basename(out)}-new-`)

/** Suffixes of the folders beside the new folder. */
export const suffixes = {
  work: '-work',
  export: '-export',
  old: '-old',
} as const

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

/** Writes the current process into the marker of a new folder. */
export async function signFolder(folder: string): Promise<void> {
  await writeFile(join(folder, marker), `${hostname()} ${process.pid}\n`)
}

/** A folder without a mark, or with another machine's, counts as a leftover when it has not changed for this long. */
const staleAfterMilliseconds = 24 * 3_600_000

/**
 * Removes a folder. One of another user may stay; that fails no build.
 *
 * @param onLeftover called with a folder that stays
 */
export async function removeOld(folder: string, onLeftover: (folder: string) => void): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error
    onLeftover(folder)
  })
}

/**
 * Removes the leftovers of killed builds of `out`. Running builds are left alone. An earlier site that a build had
 * moved aside is moved back when the new one was never finished.
 */
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
    if (await isInProgress(folder)) continue
    const exists = await stat(out).then(
      () => true,
      () => false,
    )
    if (!exists) await rename(`${folder}${suffixes.old}`, out).catch(() => undefined)
    for (const suffix of [...(folder === live ? [] : ['']), ...Object.values(suffixes)])
      await removeOld(`${folder}${suffix}`, onLeftover)
  }
}

async function isInProgress(folder: string): Promise<boolean> {
  const times = await Promise.all(
    ['', ...Object.values(suffixes)].map((suffix) =>
      stat(`${folder}${suffix}`).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const changed = Math.max(...times)
  const signed = await readFile(join(folder, marker), 'utf8').catch(() => '')
  // The marker of a finished site has no process.
  if (signed.startsWith('{')) return false
  const [host, pid] = signed.trim().split(' ')
  if (host !== hostname() || pid === undefined) return Date.now() - changed < staleAfterMilliseconds
  // In a container each start may have the same process id.
  if (Number(pid) === process.pid) return changed >= Date.now() - process.uptime() * 1000
  return isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process cannot be signalled, but exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
