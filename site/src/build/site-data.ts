import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { linkOrCopy } from '@openfountain/core/internal'
import { openExportFolder, photosFolder, type ExportFolder } from '../data/folder.ts'
import { ExportFolderError } from '../data/problem.ts'
import type { CheckedOptions } from './options.ts'
import type { Output } from './output.ts'
import type { SiteMarker } from './marker.ts'

export interface SiteData {
  readonly folder: ExportFolder
  readonly isUnchanged: boolean
}

/** Opens the export of a site; one with the state of the earlier site, by its marker, is reused. @throws {ExportFolderError} */
export async function openSiteData(
  { data, dataState }: CheckedOptions,
  { earlier, exportFolder }: Output,
  marker: SiteMarker | undefined,
): Promise<SiteData> {
  if (typeof data === 'string') return { folder: await openExportFolder(data), isUnchanged: false }
  if (dataState !== undefined && marker?.data === dataState) {
    const folder = await takenOver(join(earlier, 'data'), exportFolder)
    if (folder) return { folder, isUnchanged: true }
    await rm(exportFolder, { recursive: true, force: true })
  }
  await mkdir(exportFolder)
  await data(exportFolder, marker === undefined ? undefined : join(earlier, 'data'))
  return { folder: await openExportFolder(exportFolder), isUnchanged: false }
}

/** Reuses the files of an export, with their compressed copies; undefined where one is missing. */
async function takenOver(from: string, to: string): Promise<ExportFolder | undefined> {
  try {
    const { files, compressed, photos, signed } = await openExportFolder(from)
    const listed = await listedIn(from)
    for (const { name } of files) if (listed.has(name)) await linkOrCopy(join(from, name), join(to, name))
    for (const { name } of compressed)
      if (listed.has(name.replace(/\.[a-z]+$/u, ''))) await linkOrCopy(join(from, name), join(to, name))
    for (const { name } of signed?.files ?? []) {
      await mkdir(dirname(join(to, name)), { recursive: true })
      await linkOrCopy(join(from, name), join(to, name))
    }
    if (photos.size > 0) await mkdir(join(to, photosFolder))
    for (const name of photos) await linkOrCopy(join(from, photosFolder, name), join(to, photosFolder, name))
    return await openExportFolder(to)
  } catch (error) {
    if (error instanceof ExportFolderError || isMissing(error)) return undefined
    throw error
  }
}

async function listedIn(folder: string): Promise<ReadonlySet<string>> {
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8')
  return new Set(['SHA256SUMS', ...sums.split('\n').map((line) => line.slice(66))])
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
