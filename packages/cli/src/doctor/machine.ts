import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isOnServer } from '@openfountain/core/internal'
import { isBucket } from '@openfountain/photos'
import { bytesText, limits, ok, warning, wrong, type Finding } from './finding.ts'
import type { Settings } from './settings.ts'

/** Whether this Node has long-term support; odd versions do not. */
export function nodeFinding(version: string = process.version): Finding {
  const isShort = Number.parseInt(version.slice(1), 10) % 2 === 1
  return isShort
    ? warning('node', `Node ${version} gets repairs for half a year alone: install one with an even number`)
    : ok('node', `Node ${version}`)
}

/** Whether the clock is right: not behind the newest log entry, and synchronised, as far as systemd knows. */
export async function clockFinding(newest: string | undefined, now = Date.now()): Promise<Finding> {
  if (newest !== undefined && Date.parse(newest) > now)
    return wrong('clock', `The clock is behind the newest entry of the log, of ${newest}: set it`)
  const asked = ['show', '--property=NTPSynchronized', '--value']
  const told = await promisify(execFile)('timedatectl', asked).catch(() => undefined)
  if (told === undefined || told.stdout.trim() === '')
    return ok(
      'clock',
      `The clock says ${new Date().toISOString()}; nobody here tells whether it is set by the network`,
    )
  return told.stdout.trim() === 'yes'
    ? ok('clock', 'The clock is set by the network')
    : warning('clock', 'The clock is not set by the network: timedatectl set-ntp true')
}

export function diskFinding(folder: string, free: number, database: number): Finding {
  const needed = Math.max(limits.leastBytes, limits.timesDatabase * database)
  const room = `${bytesText(free)} are free where ${folder} is`
  return free >= needed
    ? ok('disk', room)
    : wrong('disk', `${room}, and ${bytesText(needed)} are needed: make room`)
}

function existing(folder: string): string {
  const parent = path.dirname(folder)
  return existsSync(folder) || parent === folder ? folder : existing(parent)
}

export async function diskFindings({ db, photos, backups, site }: Settings): Promise<Finding[]> {
  const { size } = (isOnServer(db) ? undefined : await stat(db).catch(() => undefined)) ?? { size: 0 }
  const kept = photos === undefined || isBucket(photos) ? undefined : path.resolve(photos)
  const folders = [isOnServer(db) ? undefined : path.dirname(db), kept, backups, site && path.dirname(site)]
  const named = [...new Set(folders.filter((folder) => folder !== undefined).map(existing))]
  const disks = new Map<number, string>()
  for (const folder of named) {
    const { dev } = await stat(folder)
    if (!disks.has(dev)) disks.set(dev, folder)
  }
  return Promise.all(
    [...disks.values()].map(async (folder) => {
      const { bavail, bsize } = await statfs(folder)
      return diskFinding(folder, bavail * bsize, size)
    }),
  )
}
