import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidBecause } from '@openfountain/core/internal'
import { LicenceConflict, obstacles, unknownNames } from '../licences/licences.ts'
import { editionOf, isPart, type Addresses, type Edition } from './edition.ts'
import { withConsents, contributionsTo, creditedBy, formerOrigins, originsOf, surveyOf } from './credit.ts'
import type { Publisher, ExportSnapshot } from './snapshot.ts'
import { differenceSince } from './difference.ts'
import { dailyFiles, type Daily } from './folder/daily.ts'
import { datedName, draftBeside, draftIn } from './folder/folder.ts'
import { type EarlierLog, type WitnessAddress, type WrittenLog, writeTiles } from './folder/log.ts'
import { precompress } from './folder/precompress.ts'
import type { Format, Subject } from './format.ts'
import { publishEdition, publishSets, type ListedFile, type Progress } from './folder/publish.ts'
import { chosenFormats, partOf, type LeftOutFile, type Selection } from './folder/selection.ts'
import { editionOfSet, splitByLicence, withOwnChanges, type Withheld } from './folder/split.ts'

export interface ExportContent extends Selection {
  /** The licence of the files; default the registry's own. Not with `splitByLicense`. */
  readonly license?: string | undefined
  /** Writes one set of files a licence, each in a folder of its own. Default false. */
  readonly splitByLicense?: boolean | undefined
  /**
   * Names of sources that gave their written consent to the licence, in any Unicode form. A `LicenceConflict` has the name of
   * contributions. A name that the registry does not know is refused.
   */
  readonly permitted?: readonly string[] | undefined
  /** True when the records are fictional and must say so. */
  readonly fictional?: boolean | undefined
  /**
   * Writes compressed forms of the files beside them (`waypoints.csv.br`, `.zst` where Node has Zstandard, `.gz`), which
   * web servers send to who accepts them. Default false.
   */
  readonly precompress?: boolean | undefined
  /** Where the folder of the files will be found: an absolute `http:` or `https:` address. Default unknown. */
  readonly url?: string | undefined
  /** Where the registry has its pages for people: an absolute `http:` or `https:` address. Default unknown. */
  readonly homepage?: string | undefined
}

export interface ExportOptions extends ExportContent {
  /** The folder to write into; made when missing. */
  readonly out: string
  /** Writes into a new folder of `out`, named after the time, and points the link `latest` to it. Default false. */
  readonly dated?: boolean | undefined
  /** The time after which the dated folder is named. Default the system's. */
  readonly now?: Date | undefined
  /** Called at the beginning and the end of each file, and every quarter of a second in between. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface RegistryExportOptions extends ExportOptions {
  /**
   * The time of statuses, ISO 8601 with a zone, or a date; later facts count unless they are about a later day. Exports
   * of the same registry as of the same time have the same bytes. Default the beginning of today.
   */
  readonly asOf?: string | undefined
  /**
   * `daily` makes large downloads (GeoJSON, CSV, GPX, KML, KMZ, GeoParquet, GeoPackage, SQLite) at most once a day:
   * those of `earlier` are taken over while it is of the same day (UTC), options, rules, program, sources and their
   * terms are the same, and nothing was erased and nobody renamed since. The data package has the time of each file.
   * Default `always`: all files are new.
   */
  readonly downloads?: 'always' | 'daily' | undefined
  /** The folder of an earlier export, from which downloads are taken over with `downloads: 'daily'`. Default none. */
  readonly earlier?: string | undefined
  /** How many photos of each waypoint, the newest, have their files in the folder `photos`, under their hashes. Default 0. */
  readonly photos?: number | undefined
  /** Who is asked to cosign the checkpoint; the export goes on without those that do not. Default nobody. */
  readonly witnesses?: readonly WitnessAddress[] | undefined
  /** Stops the export; the previous one stays as it was. */
  readonly signal?: AbortSignal | undefined
}

export interface WrittenExport {
  readonly files: readonly ListedFile[]
  /** The licence of the files; several when split. */
  readonly licenses: readonly string[]
  readonly revision: number
  /** The time of statuses, ISO 8601 in UTC. */
  readonly asOf: string
  /** The newest entry of the log that the export knows; id 0 for an empty log. */
  readonly head: { readonly id: number; readonly hash: string; readonly timestamp?: string | undefined }
  /** Waypoints that may not be published under any licence, when split. */
  readonly withheld: readonly Withheld[]
  /** The copied files of photos, their bytes, and how many are missing where they are stored. */
  readonly photos?: Readonly<Record<'files' | 'bytes' | 'missing', number>> | undefined
  /** The tiles of the log, where it has a key; they prove themselves, and stand in no checksums. */
  readonly log?: WrittenLog | undefined
  /** Paths of the compressed forms; they stand neither in the checksums nor in the data package. */
  readonly compressed: readonly string[]
}

export interface ExportReport extends WrittenExport {
  /** Where the files are. */
  readonly folder: string
  /** Files of a complete export that this one does not contain, and why. */
  readonly leftOut: readonly LeftOutFile[]
}

/**
 * Writes a consistent view of a registry as files, in this thread, to a temporary folder that is moved into place at the end:
 * after a failure the previous export is as it was.
 *
 * @throws {LicenceConflict} when the records may not be published together under the licence
 * @throws {RegistryError} INVALID_INPUT for an unknown format or permitted name, a bad choice or since; CHAIN_BROKEN when
 * since names an entry that the log does not have
 */
export function exportSnapshot(
  snapshot: ExportSnapshot,
  publisher: Publisher,
  options: ExportOptions,
): Promise<ExportReport> {
  return drafted(options, (path) => writeExport(snapshot, publisher, path, options, options.onProgress))
}

/** Creates a draft, writes it, and publishes it, or discards it after a failure. */
export async function drafted(
  options: ExportOptions,
  write: (path: string) => Promise<WrittenExport>,
): Promise<ExportReport> {
  const { out, dated = false, now = new Date() } = options
  const { leftOut } = chosenFormats(options)
  const draft = dated ? await draftBeside(out, datedName(now)) : await draftIn(out)
  try {
    const written = await write(draft.path)
    if (written.log?.isOther) await rm(join(out, 'log'), { recursive: true, force: true })
    const files = written.files.map(({ file }) => file)
    const folder = await draft.publish([...files, ...written.compressed, ...(written.log?.files ?? [])])
    return { folder, leftOut, ...written }
  } catch (error) {
    await draft.discard()
    throw error
  }
}

export async function writeExport(
  snapshot: ExportSnapshot,
  publisher: Publisher,
  path: string,
  content: ExportContent,
  onProgress?: (progress: Progress) => void,
  daily?: Daily,
  earlierLog?: EarlierLog,
): Promise<WrittenExport> {
  const { license, since, fictional } = content
  const { formats } = chosenFormats(content)
  const given = 'cannot be given with splitByLicense: each set has the licence of its sources'
  if (content.splitByLicense === true && license !== undefined) throw invalidBecause('license', given)
  const difference = since === undefined ? undefined : await differenceSince(snapshot, since)
  const about = { license, difference, fictional, addresses: addressesOf(content) }
  const edition = editionOf({ snapshot, publisher, where: partOf(content), ...about })
  checkPermitted(edition, content.permitted)
  const write = content.splitByLicense ? writeSets : writeWhole
  const written = await write(edition, { path, formats, permitted: content.permitted, onProgress, daily })
  const { revision, asOf, head } = snapshot
  const compressed = content.precompress
    ? await precompress(path, written.files, daily?.earlier, onProgress)
    : []
  const isWhole = formats.some(({ subject }) => subject === 'log') && !isPart(edition)
  const log = earlierLog && isWhole ? await writeTiles(snapshot, path, earlierLog) : undefined
  return { ...written, revision, asOf, head, compressed, ...(log && { log }) }
}

/** @throws {RegistryError} INVALID_INPUT for what is no address on the web */
function addressesOf({ url, homepage }: ExportContent): Addresses {
  const address = (name: string, given: string | undefined) => {
    const parsed = given === undefined ? undefined : URL.parse(given)
    if (parsed === undefined) return undefined
    if (parsed !== null && /^https?:$/u.test(parsed.protocol) && parsed.username + parsed.password === '')
      return parsed
    throw invalidBecause(name, 'must be an absolute address, such as https://fountains.example/data/')
  }
  const [folder, pages] = [address('url', url), address('homepage', homepage)]
  if (folder && !folder.pathname.endsWith('/')) folder.pathname += '/'
  return { url: folder?.href, homepage: pages?.href }
}

type Written = Pick<WrittenExport, 'files' | 'licenses' | 'withheld'>

interface Writing extends Pick<ExportContent, 'permitted'> {
  readonly path: string
  readonly formats: readonly Format[]
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly daily: Daily | undefined
}

async function writeWhole(whole: Edition, writing: Writing): Promise<Written> {
  const { path, formats, permitted, onProgress, daily } = writing
  const edition = withConsents(whole, permitted)
  const survey = await surveyOf(edition)
  const reviews = reviewsIn(edition, formats)
  const origins = originsOf(edition, survey, reviews)
  const found = obstacles(origins, edition.license, permitted)
  if (found.length > 0) throw new LicenceConflict(edition.license, found, origins)
  // The log still has the texts of deleted waypoints, which may be from a source that has no others.
  const former = obstacles(formerOrigins(edition, origins), edition.license, permitted)
  const cleared = former.length > 0 ? withOwnChanges(edition) : edition
  const credited = creditedBy(cleared, survey, reviews)
  const isPartial = isPart(edition) || edition.difference !== undefined
  const listed = isPartial ? { ...credited, sources: survey.sources } : credited
  const dated = await withDaily(listed, daily, [reviews > 0, former.length > 0])
  const { files } = await publishEdition(path, dated, formats, survey.sources, onProgress)
  return { files, licenses: [edition.license], withheld: [] }
}

async function writeSets(whole: Edition, writing: Writing): Promise<Written> {
  const { path, formats, permitted, onProgress, daily } = writing
  const { sets, withheld } = await splitByLicence(whole, permitted)
  const editions = []
  for (const set of sets) {
    const { folder, registry } = set
    const part = withConsents(editionOfSet(whole, set), permitted)
    const survey = await surveyOf(part)
    const reviews = registry ? reviewsIn(whole, formats) : 0
    const listed = { ...creditedBy(part, survey, reviews), sources: survey.sources }
    const earlier = daily?.earlier === undefined ? undefined : join(daily.earlier, folder)
    const edition = await withDaily(listed, daily && { ...daily, earlier }, [registry])
    const ofSet = formats.filter(({ subject }) => subject === 'waypoints' || registry)
    editions.push({ folder, registry, edition, formats: ofSet })
  }
  const { files } = await publishSets(path, whole, editions, onProgress)
  return { files, licenses: sets.map(({ license }) => license), withheld }
}

/** The edition with files taken over from earlier the same day. */
const withDaily = async (
  edition: Edition,
  daily: Daily | undefined,
  more: readonly boolean[],
): Promise<Edition> => (daily ? { ...edition, daily: await dailyFiles(edition, daily, more) } : edition)

/** @throws {RegistryError} INVALID_INPUT when a name is not found */
function checkPermitted({ sources, publisher }: Edition, permitted: readonly string[] = []): void {
  const names = [...sources.map(({ name }) => name), contributionsTo(publisher.name)]
  const [unknown] = unknownNames(permitted, names)
  if (unknown === undefined) return
  const list = names.map((name) => JSON.stringify(name)).join(', ')
  throw invalidBecause('permitted', `source ${JSON.stringify(unknown)} not found; the sources are ${list}`)
}

function reviewsIn(edition: Edition, formats: readonly Format[]): number {
  const { snapshot, difference } = edition
  const has = (subject: Subject) => formats.some((format) => format.subject === subject)
  if (!difference) return has('registry') ? snapshot.statistics().totalReviews : 0
  if (!(has('difference') || has('registry')) || isPart(edition)) return 0
  return snapshot
    .reviewsAfter(difference.since.id)
    .filter(({ deletedAt }) => deletedAt === undefined)
    .toArray().length
}
