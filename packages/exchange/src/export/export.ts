import { LicenceConflict, obstacles } from '../licences/clearance.ts'
import { editionOf, type Edition, type Publisher } from './edition.ts'
import { differenceSince } from './difference.ts'
import { datedName, draftBeside, draftIn, type Draft } from './folder.ts'
import type { Format } from './format.ts'
import { publishEdition, publishSets, type Progress, type PublishedEdition } from './publish.ts'
import { chosenFormats, type Selection } from './selection.ts'
import type { ExportSnapshot } from './snapshot.ts'
import { editionOfSet, splitByLicence, type Withheld } from './split.ts'
import { originsOf, surveyOf } from './survey.ts'
import type { WrittenFile } from './written.ts'

export interface ExportOptions extends Selection {
  /** The folder to write into; made when missing. */
  readonly out: string
  /** The licence of the files; default the registry's own. */
  readonly license?: string | undefined
  /** Writes one set of files a licence, each in a folder of its own. Default false. */
  readonly splitByLicense?: boolean | undefined
  /** Names of sources that gave their written consent to the licence. */
  readonly permitted?: readonly string[] | undefined
  /** Writes into a new folder named after the time in `out` and turns the link `latest` to it. Default false. */
  readonly dated?: boolean | undefined
  /** True when the records are made up and must say so. */
  readonly fictional?: boolean | undefined
  /** Gives the dated folder its name. Default the system's clock. */
  readonly clock?: (() => Date) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface ExportReport {
  /** Where the files are. */
  readonly folder: string
  /** The licence of the files; several when split. */
  readonly licenses: readonly string[]
  readonly revision: number
  /** The newest entry of the log that the export knows; id 0 for an empty log. */
  readonly head: { readonly id: number; readonly hash: string; readonly timestamp?: string | undefined }
  readonly files: readonly (WrittenFile & { readonly rows?: number })[]
  /** Files of the usual export that this one does not hold, and why. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[]
  /** Waypoints that no licence could bring out, when split. */
  readonly withheld: readonly Withheld[]
}

/**
 * Writes a consistent view of a registry as files. Everything is written beside what is there and put in place
 * at the end: a failure leaves the former export as it was.
 *
 * @throws {LicenceConflict} when the records may not be published together under the licence
 * @throws {RegistryError} INVALID_INPUT for an unknown format, a bad bbox or since; CHAIN_BROKEN when since names
 * an entry that the log does not have
 */
export async function exportSnapshot(
  snapshot: ExportSnapshot,
  publisher: Publisher,
  options: ExportOptions,
): Promise<ExportReport> {
  const { out, license, bbox, region, since, fictional, dated = false, clock = () => new Date() } = options
  const { formats, leftOut } = chosenFormats(options)
  const difference = since === undefined ? undefined : differenceSince(snapshot, since)
  const edition = editionOf({ snapshot, publisher, license, bbox, region, difference, fictional })
  const partial = bbox !== undefined || region !== undefined || difference !== undefined
  const draft = dated ? await draftBeside(out, datedName(clock())) : await draftIn(out)
  const { revision, head } = snapshot
  try {
    const { files, ...rest } = options.splitByLicense
      ? await writeSets(draft, edition, formats, options)
      : await writeWhole(draft, edition, formats, partial, options)
    const folder = await draft.publish(files.map(({ file }) => file))
    return { folder, revision, head, files, leftOut, ...rest }
  } catch (error) {
    await draft.discard()
    throw error
  }
}

type Written = PublishedEdition & Pick<ExportReport, 'licenses' | 'withheld'>

async function writeWhole(
  draft: Draft,
  edition: Edition,
  formats: readonly Format[],
  partial: boolean,
  { permitted, onProgress }: ExportOptions,
): Promise<Written> {
  const survey = await surveyOf(edition)
  const found = obstacles(originsOf(edition, survey), edition.license, permitted)
  if (found.length > 0) throw new LicenceConflict(edition.license, found)
  const listed = partial ? { ...edition, sources: survey.sources } : edition
  const { files } = await publishEdition(draft.path, listed, formats, survey.sources, onProgress)
  return { files, licenses: [edition.license], withheld: [] }
}

async function writeSets(
  draft: Draft,
  edition: Edition,
  formats: readonly Format[],
  { onProgress }: ExportOptions,
): Promise<Written> {
  const { sets, withheld } = await splitByLicence(edition)
  const own = edition.publisher.license
  const editions = []
  for (const set of sets) {
    const part = await editionOfSet(edition, set)
    const survey = await surveyOf(part)
    editions.push({
      folder: set.folder,
      edition: { ...part, sources: survey.sources },
      formats: formats.filter(({ subject }) => subject === 'waypoints' || set.license === own),
    })
  }
  const { files } = await publishSets(draft.path, edition, editions, onProgress)
  return { files, licenses: sets.map(({ license }) => license), withheld }
}
