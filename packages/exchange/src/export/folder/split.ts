import { commitmentsOf } from '@openfountain/core/internal'
import { obstacles, oneSpelling } from '../../licences/licences.ts'
import { narrowed, type Edition } from '../edition.ts'
import type { ChangeRecord, SourceRecord, WaypointRecord } from '../snapshot.ts'

interface LicenceSet {
  readonly license: string
  readonly folder: string
  /** Whether reviews, people, totals and the log belong to it: true for the set of the registry's own licence. */
  readonly registry: boolean
  readonly includes: (record: WaypointRecord) => boolean
}

/** A waypoint whose sources have no common licence, so that it is not published. */
export interface Withheld {
  readonly id: number
  readonly licenses: readonly string[]
}

/**
 * Sorts waypoints into sets by licence. A waypoint of several sources is published under the one of their
 * licences that the others allow, or the registry's. The registry's own set always exists, since reviews and the log
 * belong to it.
 *
 * @param permitted names of sources that gave their written consent to other licences
 */
export async function splitByLicence(edition: Edition, permitted: readonly string[] = []) {
  const own = oneSpelling(edition.publisher.license)
  const sources = new Map(edition.sources.map((source) => [source.id, source]))
  const sourcesOf = (record: WaypointRecord) =>
    record.sources.flatMap(({ sourceId }) => sources.get(sourceId) ?? [])
  const setOf = licenceSetOf(own, sourcesOf, permitted)
  const found = new Set([own])
  const withheld: Withheld[] = []
  let seen = 0
  for (const record of edition.waypoints()) {
    const license = setOf(record)
    if (license === undefined) withheld.push({ id: record.id, licenses: licensesOf(sourcesOf(record)) })
    else found.add(license)
    seen += 1
    if (seen % 2000 === 0) await new Promise(setImmediate)
  }
  const taken = new Set(reserved)
  const sets = [...found].toSorted().map((license): LicenceSet => ({
    license,
    folder: folderOf(license, taken),
    registry: license === own,
    includes: (record: WaypointRecord) => setOf(record) === license,
  }))
  return { sets, withheld }
}

/** Other names in the same place: in an export, in a folder of dated exports, in the data of a site. */
const reserved =
  'sha256sums datapackage.json latest index.html areas.geojson waypoints.pmtiles status.json'.split(' ')

/** A name that is valid in every file system and URL, and differs from taken ones also without regard to case. */
function folderOf(license: string, taken: Set<string>): string {
  const plain = license
    .replaceAll(/[^A-Za-z0-9.+-]+/gu, '-')
    .replace(/^[^A-Za-z0-9]+/u, '')
    .replace(/[^A-Za-z0-9]+$/u, '')
    .slice(0, 64)
  const base = plain === '' ? 'licence' : plain
  let folder = base
  for (let n = 2; taken.has(folder.toLowerCase()); n += 1) folder = `${base}-${n}`
  taken.add(folder.toLowerCase())
  return folder
}

const licensesOf = (sources: readonly SourceRecord[]) => [...new Set(sources.map(({ license }) => license))]

function licenceSetOf(
  own: string,
  sourcesOf: (record: WaypointRecord) => readonly SourceRecord[],
  permitted: readonly string[],
): (record: WaypointRecord) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (record) => {
    const key = record.sources.map(({ sourceId }) => sourceId).join(' ')
    if (known.has(key)) return known.get(key)
    const sources = sourcesOf(record)
    const common = [...licensesOf(sources).map(oneSpelling), own].find(
      (candidate) => obstacles(sources, candidate, permitted).length === 0,
    )
    known.set(key, common)
    return common
  }
}

/** The edition of one set. Its log has the fields of its own waypoints alone, and the commitments of the others. */
export function editionOfSet(edition: Edition, set: LicenceSet): Edition {
  const { url } = edition.addresses
  return withOwnChanges({
    ...narrowed(edition, set.includes),
    license: set.license,
    isSet: true,
    addresses: {
      ...edition.addresses,
      ...(url !== undefined && { url: new URL(`${set.folder}/`, url).href }),
    },
  })
}

/**
 * The edition with a log that has the fields of its own waypoints and of their records. Entries about other waypoints
 * have the commitments of their fields alone, so that they can still be proven.
 */
export function withOwnChanges(edition: Edition): Edition {
  const changes = function* (): Iterable<ChangeRecord> {
    const members = new Set<number>()
    for (const { id } of edition.waypoints()) members.add(id)
    // A difference does not read the entries that made older records; entries of unknown waypoints are withheld.
    const waypointsOf = new Map<number, number>()
    for (const entry of edition.changes()) {
      const about = waypointOf(entry, waypointsOf)
      yield about === undefined || members.has(about) ? entry : withheld(entry)
    }
  }
  return { ...edition, changes }
}

/**
 * The waypoint whose texts an entry has; undefined for entries that have none of a source.
 *
 * @param waypointsOf the waypoints of records by the ids of the records, as of the entry before
 */
function waypointOf(entry: ChangeRecord, waypointsOf: Map<number, number>): number | undefined {
  const { id, subject, fields } = entry
  const subjectId = Number(entry.subjectId)
  if (subject === 'waypoint') {
    if ('via' in fields) waypointsOf.set(id, subjectId)
    return subjectId
  }
  if (subject !== 'record') return undefined
  if (typeof fields['waypoint'] === 'number') waypointsOf.set(subjectId, fields['waypoint'])
  return waypointsOf.get(subjectId) ?? unknownWaypoint
}

const unknownWaypoint = 0

function withheld({ seed, salts, fields, commitments, ...entry }: ChangeRecord): ChangeRecord {
  const hole = salts && commitments && { salts, commitments }
  return {
    ...entry,
    fields: {},
    salts: {},
    commitments: commitmentsOf({ fields, seed, hole }),
    withheld: 'the waypoint is not published under this licence',
  }
}
