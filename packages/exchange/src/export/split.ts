import { judge } from '../licences/compatibility.ts'
import { textsOfEach, type Edition } from './edition.ts'
import { pagesOf } from './texts.ts'
import type { ChangeRecord, WaypointRecord } from './snapshot.ts'

/** The waypoints that go out together under one licence. */
export interface LicenceSet {
  readonly license: string
  /** The name of its folder. */
  readonly folder: string
  includes(record: WaypointRecord): boolean
}

/** A waypoint whose sources no licence brings together, so that it is published nowhere. */
export interface Withheld {
  readonly id: number
  readonly licenses: readonly string[]
}

export interface Split {
  readonly sets: readonly LicenceSet[]
  readonly withheld: readonly Withheld[]
}

/**
 * Sorts waypoints into sets by licence. A waypoint of several sources goes under the one of their licences that
 * the others may go out under, or the registry's. The registry's own set is always there, since reviews and the
 * log belong to it.
 */
export async function splitByLicence(edition: Edition): Promise<Split> {
  const { publisher } = edition
  const setOf = licenceSetOf(edition)
  const found = new Set([publisher.license])
  const withheld: Withheld[] = []
  let seen = 0
  for (const record of edition.waypoints()) {
    const license = setOf(record)
    if (license === undefined) withheld.push({ id: record.id, licenses: licensesOf(edition, record) })
    else found.add(license)
    seen += 1
    if (seen % 2000 === 0) await new Promise(setImmediate)
  }
  const sets = [...found].toSorted().map((license) => ({
    license,
    folder: folderOf(license),
    includes: (record: WaypointRecord) => setOf(record) === license,
  }))
  return { sets, withheld }
}

const folderOf = (license: string): string =>
  license.replaceAll(/[^A-Za-z0-9.+-]+/gu, '-').replace(/^\.+/u, '') || 'licence'

function licensesOf(edition: Edition, record: WaypointRecord): string[] {
  const { license } = edition.terms(record)
  return license.split(' AND ')
}

function licenceSetOf(edition: Edition): (record: WaypointRecord) => string | undefined {
  const known = new Map<string, string | undefined>()
  const own = edition.publisher.license
  return (record) => {
    const { license } = edition.terms(record)
    if (known.has(license)) return known.get(license)
    const all = license.split(' AND ')
    const home = [...all, own].find((candidate) =>
      all.every((other) => judge(other, candidate).verdict === 'yes'),
    )
    known.set(license, home)
    return home
  }
}

/**
 * The edition of one set. Its log tells the changes of its own waypoints alone; the digests of the other
 * entries still hold the chain together.
 */
export async function editionOfSet(edition: Edition, set: LicenceSet): Promise<Edition> {
  const waypoints = function* (): Iterable<WaypointRecord> {
    for (const record of edition.waypoints()) if (set.includes(record)) yield record
  }
  const members = new Set<number>()
  for (const { id } of waypoints()) members.add(id)
  const changes = function* (): Iterable<ChangeRecord> {
    for (const entry of edition.changes()) {
      yield members.has(entry.bubblerId)
        ? entry
        : { ...entry, changes: {}, salt: null, withheld: 'the waypoint is not published under this licence' }
    }
  }
  return {
    ...edition,
    license: set.license,
    waypoints,
    texts: (template) => textsOfEach(waypoints(), template),
    pages: (template) => pagesOf(waypoints(), template),
    changes,
  }
}
