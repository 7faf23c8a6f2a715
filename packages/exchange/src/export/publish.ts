import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPackageOf, type PublishedFile } from './datapackage.ts'
import type { Edition } from './edition.ts'
import type { Format, Tally } from './format.ts'
import { checksums, measured, type WrittenFile } from './written.ts'

/** Told while an edition is written. */
export interface Progress {
  /** The file in work. */
  readonly file: string
  /** Its rows so far. */
  readonly rows: number
  /** Files done, and files in all. */
  readonly done: number
  readonly files: number
}

export interface PublishedEdition {
  readonly files: readonly (WrittenFile & { readonly rows?: number })[]
}

/**
 * Writes an edition in the given formats into an empty folder, with the data package and the checksums.
 * `onProgress` is told at the beginning and the end of each file.
 */
export async function publishEdition(
  folder: string,
  edition: Edition,
  formats: readonly Format[],
  onProgress: (progress: Progress) => void = () => {},
): Promise<PublishedEdition> {
  const files: PublishedFile[] = []
  for (const format of formats) {
    const tally: Tally = { rows: 0 }
    const progress = () =>
      onProgress({ file: format.file, rows: tally.rows, done: files.length, files: formats.length })
    progress()
    await format.write(join(folder, format.file), edition, tally)
    files.push({ ...(await measured(join(folder, format.file), format.file)), format, rows: tally.rows })
    progress()
  }
  const add = async (file: string, text: string): Promise<WrittenFile> => {
    await writeFile(join(folder, file), text, { flag: 'wx' })
    return measured(join(folder, file), file)
  }
  const description = await add(
    'datapackage.json',
    `${JSON.stringify(dataPackageOf(edition, files), undefined, 2)}\n`,
  )
  const data = files.map(({ file, bytes, sha256, rows }) => ({ file, bytes, sha256, rows }))
  const all = [...data, description]
  return { files: [...all, await add('SHA256SUMS', checksums(all))] }
}
