import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { authorOf, linkOrCopy } from '@openfountain/core/internal'
import { dataPackageOf } from './datapackage.ts'
import { datasetDescription } from './dataset.ts'
import { creditOfFile } from '../credit.ts'
import type { Edition } from '../edition.ts'
import type { Format, Tally } from '../format.ts'
import { attributionNotice, licenseNotice, type PhotoCredit } from './notices.ts'
import type { SourceRecord } from '../snapshot.ts'
import { checksums, measured, type PublishedFile, type WrittenFile } from './written.ts'

export interface Progress {
  /** The file that is being written. */
  readonly file: string
  /** Its rows so far. */
  readonly rows: number
  /** Files that are complete, and all files. */
  readonly done: number
  readonly files: number
}

export interface ListedFile extends WrittenFile {
  readonly rows?: number
  /** Whether it was taken over from an earlier export of the same day. */
  readonly isEarlier?: true
}

type OnProgress = (progress: Progress) => void

const progressMilliseconds = 250

/**
 * Writes an edition in the given formats into an empty folder, with licence, attribution, data package, dataset description
 * and checksums.
 *
 * @param present the sources that its waypoints name; default those with waypoints
 * @param onProgress called at the beginning and the end of each file, and every quarter of a second in between
 */
export async function publishEdition(
  folder: string,
  edition: Edition,
  formats: readonly Format[],
  present: readonly SourceRecord[] = edition.sources.filter(({ waypoints }) => waypoints > 0),
  onProgress: OnProgress = () => {},
): Promise<{ readonly files: readonly ListedFile[]; readonly written: readonly PublishedFile[] }> {
  const written = await writeFormats(folder, edition, formats, onProgress)
  const dataset = datasetDescription(edition, written, present)
  const credits = photoCredits(edition, formats)
  const files = await sealed(folder, [
    ...written.map(figures),
    await added(folder, 'LICENSE.txt', licenseNotice(edition)),
    await added(folder, 'ATTRIBUTION.md', attributionNotice(edition, present, credits)),
    await added(folder, 'dataset.jsonld', dataset.jsonld),
    await added(folder, 'dataset.ttl', dataset.turtle),
    await added(folder, 'datapackage.json', json(dataPackageOf(edition, written, present))),
  ])
  return { files, written }
}

/** The authors and licences of the photos that a format lists, those with the most first. */
function photoCredits({ snapshot, publisher }: Edition, formats: readonly Format[]): PhotoCredit[] {
  if (!formats.some(({ name }) => name === 'photos')) return []
  const credits = new Map<string, PhotoCredit>()
  for (const photo of snapshot.photos()) {
    const author = authorOf(photo, { name: photo.userName, publisher: publisher.author })
    const { license } = photo
    const key = JSON.stringify([author, license])
    credits.set(key, { author, license, count: (credits.get(key)?.count ?? 0) + 1 })
  }
  return [...credits.values()].toSorted((one, other) => other.count - one.count)
}

/** Writes several editions into folders of their own, and one data package and checksums over all of them. */
export async function publishSets(
  out: string,
  whole: Edition,
  sets: readonly { folder: string; registry: boolean; edition: Edition; formats: readonly Format[] }[],
  onProgress: OnProgress = () => {},
): Promise<{ readonly files: readonly ListedFile[] }> {
  const all: ListedFile[] = []
  const resources: (PublishedFile & { license: string })[] = []
  for (const set of sets) {
    const path = join(out, set.folder)
    await mkdir(path)
    const within = <Named extends WrittenFile>(named: Named) => ({
      ...named,
      file: `${set.folder}/${named.file}`,
    })
    const { edition } = set
    const { written, files } = await publishEdition(path, edition, set.formats, edition.sources, onProgress)
    all.push(...files.map(within))
    for (const file of written)
      resources.push({ ...within(file), ...creditOfFile(edition, file.format.subject) })
  }
  const parts = sets.map(({ folder, registry, edition: { license } }) => ({ folder, license, registry }))
  const described = dataPackageOf(whole, resources, whole.sources, parts)
  return { files: await sealed(out, [...all, await added(out, 'datapackage.json', json(described))]) }
}

/** Reports its rows now and then. An error of the report, as of one that is not wanted any more, ends the writing. */
function reportingTally(report: (rows: number) => void): Tally {
  let counted = 0
  let next = performance.now() + progressMilliseconds
  return {
    get rows() {
      return counted
    },
    set rows(rows) {
      counted = rows
      const now = performance.now()
      if (now < next) return
      next = now + progressMilliseconds
      report(rows)
    },
  }
}

async function writeFormats(
  folder: string,
  edition: Edition,
  formats: readonly Format[],
  onProgress: OnProgress,
): Promise<PublishedFile[]> {
  const files: PublishedFile[] = []
  for (const format of formats) {
    const { file } = format
    const kept = format.isDaily && edition.daily?.kept.get(file)
    if (kept && edition.daily) {
      await linkOrCopy(join(edition.daily.folder, file), join(folder, file))
      const { bytes, hash, rows } = kept.described
      files.push({ file, bytes, sha256: hash.slice('sha256:'.length), format, rows, kept })
      continue
    }
    const report = (rows: number) => onProgress({ file, rows, done: files.length, files: formats.length })
    report(0)
    const tally = reportingTally(report)
    await format.write(join(folder, file), edition, tally)
    files.push({ ...(await measured(folder, file)), format, rows: tally.rows })
    report(tally.rows)
  }
  return files
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`

const sealed = async (folder: string, files: readonly ListedFile[]): Promise<ListedFile[]> => [
  ...files,
  await added(folder, 'SHA256SUMS', checksums(files)),
]

async function added(folder: string, file: string, text: string): Promise<WrittenFile> {
  await writeFile(join(folder, file), text, { flag: 'wx' })
  return measured(folder, file)
}

const figures = ({ file, bytes, sha256, rows, kept }: PublishedFile): ListedFile => ({
  file,
  bytes,
  sha256,
  rows,
  ...(kept && { isEarlier: true }),
})
