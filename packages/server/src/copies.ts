import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppOptions } from './options.ts'

/** Where what is made of a registry is kept. */
export type CopiesFolders = Pick<AppOptions, 'backups' | 'exports' | 'site'>

/** Seconds since what is made of a registry was made: null for never, absent where nobody said in which folder it is. */
export interface CopiesAges {
  readonly backupAgeSeconds?: number | null
  readonly publicationAgeSeconds?: number | null
}

/** How old the newest backup and what is published are now. */
export async function agesOfCopies(folders: CopiesFolders, now = Date.now()): Promise<CopiesAges> {
  const { backups, exports, site } = folders
  const ageOf = (time: number | undefined): number | null =>
    time === undefined ? null : Math.max(0, Math.floor((now - time) / 1000))
  const published = [exports, typeof site === 'string' ? site : site?.folder].filter(
    (one) => one !== undefined,
  )
  return {
    ...(backups === undefined ? {} : { backupAgeSeconds: ageOf(await newestBackup(backups)) }),
    // Downloads that did not change are taken over with their times when a site is published again.
    ...(published.length === 0
      ? {}
      : { publicationAgeSeconds: ageOf(newestOf(await Promise.all(published.map(publishedAt)))) }),
  }
}

const none = (): undefined => undefined

/** When the newest copy in a folder was written: a backup has its name only once it is complete and was verified. */
async function newestBackup(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(none)
  const times = await Promise.all(
    (names ?? [])
      .filter((name) => name.endsWith('.db') && !name.startsWith('.'))
      .map((name) => timeOf(join(folder, name))),
  )
  return newestOf(times)
}

function newestOf(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** When an export, the newest of dated exports, or a site was written. */
async function publishedAt(folder: string): Promise<number | undefined> {
  for (const list of ['SHA256SUMS', 'latest/SHA256SUMS']) {
    const time = await timeOf(join(folder, list))
    if (time !== undefined) return time
  }
  // Pages that are as they were are taken over with their times; the folder of a site is new each time.
  const site = await realpath(folder).catch(none)
  const isSite = site !== undefined && (await timeOf(join(site, 'index.html'))) !== undefined
  return isSite ? timeOf(site) : undefined
}

async function timeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(none))?.mtimeMs
}
