import { readFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Registry } from '@openfountain/core'
import type { WrittenExport } from '../export.ts'
import type { ListedFile } from './publish.ts'
import { checksums, measured } from './written.ts'

/** A line of photos.ndjson, as far as files follow from it. */
type Row = Readonly<
  Record<'id' | 'waypoint_id', number> & Record<'sha256' | 'medium_sha256' | 'small_sha256', string>
>

const sums = 'SHA256SUMS'

/** The hashes of the files of the newest photos of each waypoint, at most `limit` photos. */
function filesOf(text: string, limit: number): ReadonlySet<string> {
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  const counts = new Map<number, number>()
  const hashes = new Set<string>()
  for (const row of rows.toSorted((one, other) => other.id - one.id)) {
    const before = counts.get(row.waypoint_id) ?? 0
    if (before >= limit) continue
    counts.set(row.waypoint_id, before + 1)
    for (const sha256 of [row.sha256, row.medium_sha256, row.small_sha256]) hashes.add(sha256)
  }
  return hashes
}

/**
 * Adds the files of the photos that an export lists, as `photos/SHA256.webp` beside photos.ndjson, with their checksums.
 *
 * @param limit how many photos of each waypoint, the newest
 */
export async function withPhotos(
  registry: Pick<Registry, 'photos'>,
  { folder, limit }: { readonly folder: string; readonly limit: number },
  written: WrittenExport,
): Promise<WrittenExport> {
  const list = written.files.find(({ file }) => file === 'photos.ndjson' || file.endsWith('/photos.ndjson'))
  if (list === undefined || limit === 0 || !registry.photos.areKept) return written
  const at = list.file.slice(0, -'.ndjson'.length)
  const hashes = filesOf(await readFile(join(folder, list.file), 'utf8'), limit)
  if (hashes.size > 0) await mkdir(join(folder, at), { recursive: true })
  const copied: ListedFile[] = []
  let missing = 0
  for (const sha256 of hashes) {
    const file = `${at}/${sha256}.webp`
    const bytes = await registry.photos.copyFile(sha256, join(folder, file))
    if (bytes === undefined) missing++
    else copied.push({ file, bytes, sha256 })
  }
  if (copied.length === 0) return { ...written, photos: { files: 0, bytes: 0, missing } }
  const bytes = copied.reduce((sum, each) => sum + each.bytes, 0)
  const files = await sealedAnew(folder, [...written.files, ...copied], dirname(list.file))
  return { ...written, files, photos: { files: copied.length, bytes, missing } }
}

/** The files with checksums that have the copied ones: those of the export, and of the set that has the list. */
async function sealedAnew(folder: string, all: readonly ListedFile[], set: string): Promise<ListedFile[]> {
  const inner = set === '.' ? [] : [`${set}/${sums}`]
  let files = [...all]
  for (const file of [...inner, sums]) {
    const prefix = file.slice(0, -sums.length)
    const listed = files.flatMap((each) =>
      each.file !== file && each.file.startsWith(prefix)
        ? [{ ...each, file: each.file.slice(prefix.length) }]
        : [],
    )
    await rm(join(folder, file))
    await writeFile(join(folder, file), checksums(listed), { flag: 'wx' })
    const sealed = await measured(folder, file)
    files = files.map((each) => (each.file === file ? sealed : each))
  }
  return files
}
