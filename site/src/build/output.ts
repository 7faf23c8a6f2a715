import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nameIn, type ExportFolder } from '../data/folder.ts'
import { explain } from '../data/problem.ts'
import { tilesPart } from './map-config.ts'
import { suffixes, marker, newFolderPrefix, removeLeftovers, signFolder } from './leftovers.ts'
import { SiteOptionError } from './option-error.ts'

/** The folder that a build writes: beside its final place until `finish` puts it there. */
export interface Output {
  readonly folder: string
  /** For files that are needed only during the build; on the same disk. */
  readonly workFolder: string
  /**
   * Puts the export's files under data/, hard-linked where possible, else copied. What the map reads is in data/
   * itself, also where it came from a part's folder.
   */
  addExport(from: ExportFolder): Promise<void>
  /** Replaces what was at the final place. `about` is what the site says of itself in its marker. */
  finish(about: string): Promise<void>
  /** Removes what was not finished. */
  discard(): Promise<void>
}

/**
 * Opens a new output for the final place `out`, and removes what killed builds left beside it.
 *
 * @throws {SiteOptionError} when there is something other than an earlier site, or it cannot be written.
 */
export async function openOutput(out: string): Promise<Output> {
  await refuseOthers(out)
  await removeLeftovers(out)
  const folder = await newFolder(out)
  const workFolder = `${folder}${suffixes.work}`
  return {
    folder,
    workFolder,
    async addExport(from) {
      const data = join(folder, 'data')
      await mkdir(data, { recursive: true })
      for (const { folder: part } of from.parts) await mkdir(join(data, part), { recursive: true })
      for (const { name } of from.files) {
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
    },
    async finish(about) {
      await writeFile(join(folder, marker), about)
      const old = `${folder}${suffixes.old}`
      const replaced = await rename(out, old).then(
        () => true,
        () => false,
      )
      await rename(folder, out)
      if (replaced) await rm(old, { recursive: true, force: true })
    },
    async discard() {
      await rm(workFolder, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
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

async function newFolder(out: string): Promise<string> {
  try {
    await mkdir(dirname(out), { recursive: true })
    const folder = `${newFolderPrefix(out)}${randomUUID()}`
    // Not mkdtemp, whose folders only their owner can read: the web server reads the site too.
    await mkdir(folder)
    await signFolder(folder)
    return folder
  } catch (error) {
    throw new SiteOptionError({ code: 'OUT_NOT_WRITABLE', option: 'out', out, reason: explain(error) })
  }
}

/** Whether there is a file of this name. */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Gives a file a second name on the same disk, else copies it; makes the folder for it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to)
  }
}
