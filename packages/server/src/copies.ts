import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppOptions } from './options.ts'

export type CopiesFolders = Pick<AppOptions, 'backups' | 'exports' | 'site'>

/** Ages of the newest backup and publication in seconds: null for none yet, absent without a configured folder. */
export interface CopiesAges {
  readonly backupAgeSeconds?: number | null
  readonly publicationAgeSeconds?: number | null
}

export async function agesOfCopies(folders: CopiesFolders, now = Date.now()): Promise<CopiesAges> {
  const { backups, exports, site } = folders
  const ageOf = (time: number | undefined): number | null =>
    time === undefined ? null : Math.max(0, Math.floor((now - time) / 1000))
  const published = [exports, typeof site === 'string' ? site : site?.folder].filter(
    (one) => one !== undefined,
  )
  return {
    ...(backups === undefined ? {} : { backupAgeSeconds: ageOf(await newestBackup(backups)) }),
    // A new publication keeps unchanged downloads with their old times, so the newest time of both folders counts.
    ...(published.length === 0
      ? {}
      : { publicationAgeSeconds: ageOf(newestOf(await Promise.all(published.map(publishedAt)))) }),
  }
}

const none = (): undefined => undefined

/** The time of the newest backup in a folder. A backup gets its name only when it is complete and verified. */
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

/** The time of an export, of the newest dated export, or of a site. */
async function publishedAt(folder: string): Promise<number | undefined> {
  for (const list of ['SHA256SUMS', 'latest/SHA256SUMS']) {
    const time = await timeOf(join(folder, list))
    if (time !== undefined) return time
  }
  // Unchanged pages keep their times; the folder of a site is new each time.
  const site = await realpath(folder).catch(none)
  const isSite = site !== undefined && (await timeOf(join(site, 'index.html'))) !== undefined
  return isSite ? timeOf(site) : undefined
}

const timeOf = async (file: string): Promise<number | undefined> => (await stat(file).catch(none))?.mtimeMs
