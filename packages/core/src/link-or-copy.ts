import { linkSync, mkdirSync } from 'node:fs'
import { copyFile, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Gives a file a second name on the same disk, else copies it with the time of its last change; makes the folder for it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  if (isLinked(from, to)) return
  mkdirSync(dirname(to), { recursive: true })
  if (isLinked(from, to)) return
  await copyFile(from, to)
  const { atime, mtime } = await stat(from)
  // A server sees by it which compressed forms are of a file.
  await utimes(to, atime, mtime)
}

/** A promise for each of many files takes several times as long. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}
