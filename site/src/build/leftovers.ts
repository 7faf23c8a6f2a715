import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Marks a folder as written by this program, which may replace it; while it is being written, it names the process. */
export const marker = '.openfountain-site'

/** What the names of the folders that builds of `out` write begin with; a unique part follows. */
export const newFolderBeginning = (out: string): string => join(dirname(out), `.${basename(out)}-new-`)

/** Folders beside the new one, by what their names end with. */
export const besides = { workshop: '-work', old: '-old' } as const

/** What `randomUUID` makes, alone or with one of the endings. */
const uniquePart = new RegExp(`^([0-9a-f-]{36})(?:${Object.values(besides).join('|')})?$`, 'u')

/** Records in a new folder which process writes it. */
export async function signFolder(folder: string): Promise<void> {
  await writeFile(join(folder, marker), `${hostname()} ${process.pid}\n`)
}

/** A folder without a mark, or with that of another machine, counts as left behind when it has not changed for this long. */
const patienceMilliseconds = 24 * 3_600_000

/**
 * Removes what builds of `out` left beside it when they were killed. Builds that still run are left alone, and an
 * earlier site that a build had put aside is put back when the new one was never finished.
 */
export async function removeLeftovers(out: string): Promise<void> {
  const beginning = basename(newFolderBeginning(out))
  const names = await readdir(dirname(out)).catch(() => [])
  const builds = new Set(
    names
      .filter((name) => name.startsWith(beginning))
      .flatMap((name) => uniquePart.exec(name.slice(beginning.length))?.[1] ?? [])
      .map((unique) => `${newFolderBeginning(out)}${unique}`),
  )
  for (const folder of builds) {
    if (await isAtWork(folder)) continue
    const exists = await stat(out).then(
      () => true,
      () => false,
    )
    if (!exists) await rename(`${folder}${besides.old}`, out).catch(() => undefined)
    for (const ending of ['', ...Object.values(besides)])
      await rm(`${folder}${ending}`, { recursive: true, force: true })
  }
}

async function isAtWork(folder: string): Promise<boolean> {
  const times = await Promise.all(
    ['', ...Object.values(besides)].map((ending) =>
      stat(`${folder}${ending}`).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const changed = Math.max(...times)
  const signed = await readFile(join(folder, marker), 'utf8').catch(() => '')
  const [host, pid] = signed.trim().split(' ')
  if (host !== hostname() || pid === undefined) return Date.now() - changed < patienceMilliseconds
  // In a container every start may have the same number.
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
