import { randomUUID } from 'node:crypto'
import {
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { giveFolder, holdFile, linkOrCopy, type HeldFile } from '@openfountain/core/internal'
import { nameIn, type ExportFolder } from '../data/folder.ts'
import { explain } from '../data/problem.ts'
import { flushAll, flushFolder } from './flush.ts'
import { writeJoinedStates } from './joined-states.ts'
import { tilesPart } from './map-config.ts'
import { suffixes, linkedBuild, marker, newFolderPrefix, removeLeftovers, removeOld } from './leftovers.ts'
import { SiteOptionError } from './option-error.ts'

export interface Output {
  readonly folder: string
  /** For temporary files of the build; on the same disk. */
  readonly workFolder: string
  readonly exportFolder: string
  readonly earlier: string
  /** Whether the replaced site may stay in place: not when it is a folder and a link is asked for. */
  readonly mayStay: boolean
  /** Updates the time of the site's folder, from which servers compute its age. */
  stay(): Promise<void>
  addExport(from: ExportFolder): Promise<void>
  /** Replaces the site at the final place once the new one is on the disk. `about` is the content of its marker file. */
  finish(about: string): Promise<void>
  /** Removes an unfinished output, and releases the lock for other builds. */
  discard(): Promise<void>
}

export interface OutputOptions {
  /** Whether the final place is a symbolic link to the site's folder; an existing link stays one. Default false. */
  readonly linked?: boolean
  readonly onLeftover?: (folder: string) => void
}

/** Opens and locks an output for `out`, without leftovers of killed builds. @throws {SiteOptionError} when `out` is no site, not writable, or locked */
export async function openOutput(
  given: string,
  { linked = false, onLeftover = () => {} }: OutputOptions = {},
): Promise<Output> {
  const out = await placeOf(given)
  await refuseOthers(out)
  const held = await hold(out)
  try {
    await removeLeftovers(out, onLeftover)
    const folder = await newFolder(out)
    const before = await linkedBuild(out)
    let isFinished = false
    const inFolder = (suffix: string) => `${folder}${suffix}`
    return {
      folder,
      workFolder: inFolder(suffixes.work),
      exportFolder: inFolder(suffixes.export),
      earlier: before ?? out,
      mayStay: (before !== undefined || !linked) && (await isOwn(before ?? out)),
      stay: () => utimes(before ?? out, new Date(), new Date()),
      addExport: (from) => addExport(from, join(folder, 'data')),
      async finish(about) {
        await writeFile(join(folder, marker), about)
        await flushAll(folder, before ?? out)
        await flushFolder(dirname(folder))
        // Downloads have one name from now on.
        await rm(inFolder(suffixes.export), { recursive: true, force: true })
        const isLink = (linked || before !== undefined) && (await isLinkMade(folder))
        giveFolder(folder)
        isFinished = isLink
        await (isLink
          ? pointAt(folder, { out, before, onLeftover })
          : replace(folder, { out, next: folder, onLeftover }))
      },
      async discard() {
        try {
          for (const suffix of [suffixes.work, suffixes.export])
            await rm(inFolder(suffix), { recursive: true, force: true })
          if (!isFinished) await rm(folder, { recursive: true, force: true })
        } finally {
          held.release()
        }
      },
    }
  } catch (error) {
    held.release()
    throw error
  }
}

const linkOf = (folder: string): string => join(folder, '.link')

async function addExport(from: ExportFolder, data: string): Promise<void> {
  await mkdir(data, { recursive: true })
  for (const { folder: part } of from.parts) await mkdir(join(data, part), { recursive: true })
  for (const { name } of [...from.files, ...from.compressed]) {
    await linkOrCopy(join(from.directory, name), join(data, name))
  }
  for (const { name } of from.signed?.files ?? []) {
    await mkdir(dirname(join(data, name)), { recursive: true })
    await linkOrCopy(join(from.directory, name), join(data, name))
  }
  const ofMap = [
    [from.registryFolder, 'areas.geojson'],
    [tilesPart(from)?.folder ?? '', 'waypoints.pmtiles'],
  ] as const
  for (const [part, file] of ofMap) {
    const name = nameIn(part, file)
    if (part === '' || !from.files.some((one) => one.name === name)) continue
    await linkOrCopy(join(from.directory, name), join(data, file))
  }
  await writeJoinedStates(from, data)
}

/** Creates a symbolic link for the final place; some disks have none, and some systems reserve them for administrators. */
async function isLinkMade(folder: string): Promise<boolean> {
  return symlink(basename(folder), linkOf(folder), 'dir').then(
    () => true,
    () => false,
  )
}

interface Place {
  readonly out: string
  readonly onLeftover: (folder: string) => void
}

/** Makes `out` point at a folder in one step, or in two where `out` is a folder from a build without a link. */
async function pointAt(
  folder: string,
  { out, before, onLeftover }: Place & { readonly before: string | undefined },
): Promise<void> {
  const link = linkOf(folder)
  if (await isFolder(out)) return replace(folder, { out, next: link, onLeftover })
  await rename(link, out)
  await flushFolder(dirname(out))
  if (before !== undefined) await removeOld(before, onLeftover)
}

/** Moves `next`, the new folder or a link to it, to the place of the earlier site; the next build undoes a killed one. */
async function replace(
  folder: string,
  { out, next, onLeftover }: Place & { readonly next: string },
): Promise<void> {
  const old = `${folder}${suffixes.old}`
  const isReplaced = await rename(out, old).then(
    () => true,
    () => false,
  )
  try {
    await rename(next, out)
  } catch (error) {
    if (isReplaced) await rename(old, out)
    throw error
  }
  await flushFolder(dirname(out))
  if (isReplaced) await removeOld(old, onLeftover)
}

/** The site's real folder: a foreign link, such as to another disk, stays, and its target is replaced. */
async function placeOf(out: string): Promise<string> {
  const found = await lstat(out).catch(() => undefined)
  if (!found?.isSymbolicLink() || (await linkedBuild(out)) !== undefined) return out
  return realpath(out).catch(() => out)
}

/** Whether this process may set the time of a folder, which only its owner and root may. */
async function isOwn(folder: string): Promise<boolean> {
  const user = process.getuid?.() ?? 0
  const owner = (await stat(folder).catch(() => undefined))?.uid
  return user === 0 || owner === undefined || owner === user
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}

async function refuseOthers(out: string): Promise<void> {
  const found = await stat(out).catch(() => undefined)
  if (!found) return
  if (!found.isDirectory()) throw new SiteOptionError({ code: 'OUT_IS_FILE', option: 'out', out })
  const names = await readdir(out)
  if (names.length > 0 && !names.includes(marker)) {
    throw new SiteOptionError({ code: 'OUT_IN_USE', option: 'out', out })
  }
}

/** Locks the final place against other builds. */
async function hold(out: string): Promise<HeldFile> {
  const held = await writable(out, async () => {
    await mkdir(dirname(out), { recursive: true })
    return holdFile(join(dirname(out), `.${basename(out)}-lock`))
  })
  if (held === undefined) throw new SiteOptionError({ code: 'OUT_BUSY', option: 'out', out })
  return held
}

async function newFolder(out: string): Promise<string> {
  return writable(out, async () => {
    const folder = `${newFolderPrefix(out)}${randomUUID()}`
    // Not mkdtemp, whose folders only their owner can read: the web server reads the site too.
    await mkdir(folder)
    return folder
  })
}

async function writable<FileContents>(out: string, make: () => Promise<FileContents>): Promise<FileContents> {
  try {
    return await make()
  } catch (error) {
    throw new SiteOptionError({ code: 'OUT_NOT_WRITABLE', option: 'out', out, reason: explain(error) })
  }
}
