import * as fs from 'node:fs'
import { copyFile, stat, utimes } from 'node:fs/promises'
import path from 'node:path'

const root = 0

/** Whose folder a file is in, when root writes there for another user. */
function ownerOfFolder(file: string): fs.Stats | undefined {
  if (process.getuid?.() !== root) return undefined
  const owner = fs.statSync(path.dirname(path.resolve(file)))
  return owner.uid === root ? undefined : owner
}

/** Gives an open file that root has made to the owner of its folder, so that the services can go on with it. */
export function giveFile(handle: number, file: string): void {
  const owner = ownerOfFolder(file)
  if (owner !== undefined && fs.fstatSync(handle).uid === root) fs.fchownSync(handle, owner.uid, owner.gid)
}

/** Gives a folder made by root, with its contents, to the owner of the folder around it. Linux alone. */
export function giveFolder(folder: string): void {
  const owner = process.platform === 'linux' ? ownerOfFolder(folder) : undefined
  if (owner !== undefined) give(folder, owner)
}

/** A hard link belongs to the program or an earlier site too: a copy changes owner in its place. */
function giveEntry(file: string, owner: fs.Stats): void {
  const { uid, nlink, atime, mtime } = fs.lstatSync(file)
  if (uid !== root) return
  if (nlink === 1) return fs.lchownSync(file, owner.uid, owner.gid)
  const copy = `${file}.given`
  fs.copyFileSync(file, copy, fs.constants.COPYFILE_EXCL)
  fs.utimesSync(copy, atime, mtime)
  fs.lchownSync(copy, owner.uid, owner.gid)
  fs.renameSync(copy, file)
}

function give(folder: string, owner: fs.Stats): void {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
  const handle = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    // The owner of the parent folder may have replaced it; in a folder of root nobody else makes links.
    if (fs.fstatSync(handle).uid !== root) return
    const inside = `/proc/self/fd/${handle}`
    for (const entry of fs.readdirSync(inside, { withFileTypes: true })) {
      const each = path.join(inside, entry.name)
      if (entry.isDirectory()) give(each, owner)
      else giveEntry(each, owner)
    }
    fs.fchownSync(handle, owner.uid, owner.gid)
  } finally {
    fs.closeSync(handle)
  }
}

/** Gives a file a second name on the same disk, else copies it with the time of its last change; makes the folder for it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  const folder = path.dirname(to)
  // A promise for each of many files takes several times as long, and so does an error.
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true })
  try {
    fs.linkSync(from, to)
  } catch {
    await copyFile(from, to)
    const { atime, mtime } = await stat(from)
    // A server sees by it which compressed forms are of a file.
    await utimes(to, atime, mtime)
  }
}
