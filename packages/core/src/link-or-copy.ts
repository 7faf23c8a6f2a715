import { copyFile, link, mkdir, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Gives a file a second name on the same disk, else copies it with the time of its last change; makes the folder for it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to)
    const { atime, mtime } = await stat(from)
    // A server sees by it which compressed forms are of a file.
    await utimes(to, atime, mtime)
  }
}
