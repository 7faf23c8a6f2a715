import type { Registry } from '@openfountain/core'
import {
  type Box,
  certain,
  changedTags,
  doubtful,
  osmTagsIn,
  recordTags,
  type WaypointRecord,
} from '@openfountain/core/internal'
import { contributionsTo } from '../export/credit.ts'
import { extentOf } from '../export/edition.ts'
import { understand } from '../import/import-file.ts'
import { openInput } from '../import/read/recognition.ts'
import { ImportRefused } from '../import/read/refusal.ts'
import type { SourceRow } from '../import/read/source-row.ts'
import { obstacles, type Obstacle } from '../licences/licences.ts'
import { keptTags } from '../import/understand/kinds.ts'

type Tags = Readonly<Record<string, string>>

/** Why something of the registry is not proposed to OpenStreetMap. */
export type NotProposed = 'licence' | 'of-a-source' | 'was-there' | 'near-another' | 'not-for-use'

/** A waypoint and an object of OpenStreetMap, or one of them. */
export interface OsmComparedRow {
  /** `unsure` ones are near an object, and may be it. */
  readonly kind: 'same' | 'differs' | 'only-here' | 'only-there' | 'unsure'
  readonly id?: number
  /** The object, such as `node/1`. */
  readonly osm?: string
  readonly by?: 'reference' | 'place'
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  /** Values that differ, by key: here, and at OpenStreetMap. Null is none. */
  readonly tags?: Readonly<Record<string, readonly [here: string | null, there: string | null]>>
  /** Tags that people changed here and OpenStreetMap could take. */
  readonly proposed?: Tags
  readonly notProposed?: NotProposed
}

export type OsmChange =
  | { readonly kind: 'create'; readonly id: number; readonly at: Place; readonly tags: Tags }
  | {
      readonly kind: 'modify'
      readonly id: number
      readonly name: string
      readonly osm: string
      /** Absent where the file does not say it: the object cannot be in an osmChange. */
      readonly version?: number | undefined
      readonly at: Place
      /** All of its tags as they are there. */
      readonly tags: Tags
      readonly set: Tags
      readonly unset: readonly string[]
    }

type Place = Readonly<Record<'latitude' | 'longitude', number>>

export interface OsmComparison {
  readonly counts: Readonly<Record<OsmComparedRow['kind'], number>>
  /** By waypoint, then by object. */
  readonly rows: readonly OsmComparedRow[]
  /** Origins whose licence OpenStreetMap cannot take, with the waypoints that are not proposed for it. */
  readonly leftOut: readonly Obstacle[]
  readonly changes: readonly OsmChange[]
}

interface OsmObject extends Place {
  readonly osm: string
  readonly version: number | undefined
  readonly name: string
  readonly tags: Tags
}

const license = 'ODbL-1.0'

/**
 * Compares a registry with objects of OpenStreetMap, in the box around them: by the references of sources, else by place and
 * name as imports match. Nothing is written, here or there. What is proposed is what people changed or added here, where the
 * file still says what was imported.
 *
 * @param options `file` is JSON of Overpass, XML of OpenStreetMap or .osm.pbf; `permitted` names sources that consented to
 * ODbL in writing
 * @throws ImportRefused for a file that is none of these
 */
export async function compareWithOsm(
  registry: Registry,
  { file, permitted = [] }: { readonly file: string; readonly permitted?: readonly string[] },
): Promise<OsmComparison> {
  const objects = await objectsIn(registry, file)
  const candidates = await candidatesOf(registry, objects)
  const snapshot = await registry.snapshot()
  try {
    const box = extentOf(objects.values()) ?? [180, 90, -180, -90]
    const near = new Set(candidates.map(({ id }) => id))
    const records = Array.from(snapshot.records({ bbox: widened(box), hasValues: true })).filter(
      (record) => isIn(box, record) || near.has(record.id) || objects.has(referenceOf(record) ?? ''),
    )
    const own = { name: contributionsTo(registry.name), license: registry.license, waypoints: 0, own: true }
    const blocked = obstacles([...snapshot.sources(), own], license, permitted)
    const names = new Map(snapshot.sources().map((source) => [source.id, source.name]))
    return new Comparing(objects, records, { blocked, names, own: own.name }).result(candidates)
  } finally {
    snapshot.close()
  }
}

/** The objects of a file by their references. @throws ImportRefused */
async function objectsIn(registry: Registry, path: string): Promise<ReadonlyMap<string, OsmObject>> {
  const input = await openInput(path)
  try {
    const { file, interpretation } = await understand(registry, input, {}, { file: path, keepAll: true })
    const objects = new Map<string, OsmObject>()
    for await (const rows of file.rows())
      for (const row of rows) {
        if (!/^(?:node|way|relation)\/\d+$/u.test(row.id ?? ''))
          throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'The file has no objects of OpenStreetMap.')
        const read = interpretation.read(row)
        const waypoint = read.kind === 'refused' ? undefined : read.waypoint
        const at = waypoint ?? pointOf(row)
        if (at === undefined) continue
        const version = row.fields['@version']
        const tags = Object.entries(row.fields).filter(([key]) => !key.startsWith('@'))
        objects.set(row.id ?? '', {
          osm: row.id ?? '',
          version: typeof version === 'number' ? version : undefined,
          latitude: at.latitude,
          longitude: at.longitude,
          name: waypoint?.name ?? '',
          tags: Object.fromEntries(tags.map(([key, value]) => [key, String(value)])),
        })
      }
    if (objects.size === 0) throw new ImportRefused({ code: 'NO_ROWS' })
    return objects
  } finally {
    await input.dispose()
  }
}

/** The position of a row that is no fountain to import. */
function pointOf({ geometry }: SourceRow): Place | undefined {
  const [longitude, latitude] = geometry?.type === 'Point' ? (geometry.coordinates as unknown[]) : []
  return typeof longitude === 'number' && typeof latitude === 'number' ? { latitude, longitude } : undefined
}

/** Around the objects at the edge of a box there may be their waypoints: half a kilometre of latitude. */
const margin = 0.005

const widened = ([west, south, east, north]: Box): Box => [
  Math.max(-180, west - margin),
  Math.max(-90, south - margin),
  Math.min(180, east + margin),
  Math.min(90, north + margin),
]

const isIn = ([west, south, east, north]: Box, { latitude, longitude }: Place): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

type Candidate = { readonly osm: string } & Readonly<Record<'id' | 'score', number>>

/** The waypoints around each object, the likeliest first. */
async function candidatesOf(
  registry: Registry,
  objects: ReadonlyMap<string, OsmObject>,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = []
  for (const { osm, latitude, longitude, name } of objects.values())
    for (const { waypoint, score } of await registry.waypoints.nearDuplicates({ latitude, longitude, name }))
      found.push({ osm, id: waypoint.id, score })
  return found.toSorted((one, other) => other.score - one.score || one.id - other.id)
}

interface Terms {
  readonly blocked: readonly Obstacle[]
  readonly names: ReadonlyMap<number, string>
  /** The origin of what people contributed here. */
  readonly own: string
}

const referenceOf = ({ osmType, osmId }: WaypointRecord): string | undefined =>
  osmType === undefined ? undefined : `${osmType}/${osmId}`

class Comparing {
  readonly #objects: ReadonlyMap<string, OsmObject>
  readonly #records: readonly WaypointRecord[]
  readonly #terms: Terms
  readonly #changes: OsmChange[] = []
  /** How many waypoints are not proposed for an origin. */
  readonly #leftOut = new Map<string, number>()

  constructor(objects: ReadonlyMap<string, OsmObject>, records: readonly WaypointRecord[], terms: Terms) {
    this.#objects = objects
    this.#records = records
    this.#terms = terms
  }

  result(candidates: readonly Candidate[]): OsmComparison {
    const byId = new Map(this.#records.map((record) => [record.id, record]))
    const pairs = new Map<number, { readonly osm: string; readonly by: 'reference' | 'place' }>()
    const taken = new Set<string>()
    const pair = (id: number, osm: string, by: 'reference' | 'place') => {
      if (pairs.has(id) || taken.has(osm)) return
      pairs.set(id, { osm, by })
      taken.add(osm)
    }
    for (const record of this.#records) {
      const osm = referenceOf(record)
      if (osm !== undefined && this.#objects.has(osm)) pair(record.id, osm, 'reference')
    }
    for (const { id, osm, score } of candidates) if (score >= certain && byId.has(id)) pair(id, osm, 'place')
    const near = new Set(candidates.map(({ id }) => id))
    const unsure = new Set(
      candidates.flatMap(({ id, osm, score }) => (score >= doubtful && !pairs.has(id) ? [osm] : [])),
    )
    const rows = this.#records.map((record) => {
      const found = pairs.get(record.id)
      const object = found && this.#objects.get(found.osm)
      return found && object
        ? this.#pair(record, object, found.by)
        : this.#onlyHere(record, near.has(record.id))
    })
    for (const { osm, name, latitude, longitude } of this.#objects.values())
      if (!taken.has(osm))
        rows.push({ kind: unsure.has(osm) ? 'unsure' : 'only-there', osm, name, latitude, longitude })
    const counts = { same: 0, differs: 0, 'only-here': 0, 'only-there': 0, unsure: 0 }
    for (const { kind } of rows) counts[kind] += 1
    const leftOut = this.#terms.blocked.flatMap((each) => {
      const waypoints = this.#leftOut.get(each.name)
      return waypoints === undefined ? [] : [{ ...each, waypoints }]
    })
    return { counts, rows, leftOut, changes: this.#changes }
  }

  #pair(record: WaypointRecord, object: OsmObject, by: 'reference' | 'place'): OsmComparedRow {
    const { id, name, latitude, longitude } = record
    const { osm, version } = object
    const own = by === 'reference' ? osmTagsIn(record) : undefined
    const changed = changedTags(record)
    const [here, there] =
      own === undefined
        ? [recordTags(record), object.tags]
        : [{ ...own, ...changed }, keptTags(object.tags).tags ?? {}]
    const keys = Object.keys(own === undefined ? here : { ...here, ...there })
    const tags = Object.fromEntries(
      keys.flatMap((key) =>
        here[key] === there[key] ? [] : [[key, [here[key] ?? null, there[key] ?? null]] as const],
      ),
    )
    const base = own ?? {}
    const set = Object.fromEntries(
      Object.entries(changed).filter(
        ([key, value]) => object.tags[key] !== value && object.tags[key] === base[key],
      ),
    )
    const row = { id, osm, by, name, latitude, longitude }
    if (Object.keys(tags).length === 0) return { kind: 'same', ...row }
    if (Object.keys(set).length === 0) return { kind: 'differs', ...row, tags }
    if (this.#isBlocked(record)) return { kind: 'differs', ...row, tags, notProposed: 'licence' }
    const isUndrinkable = set['drinking_water'] === 'no' && set['amenity'] === undefined
    this.#changes.push({
      kind: 'modify',
      id,
      name,
      osm,
      version,
      at: { latitude: object.latitude, longitude: object.longitude },
      tags: object.tags,
      set,
      unset: isUndrinkable && object.tags['amenity'] === 'drinking_water' ? ['amenity'] : [],
    })
    return { kind: 'differs', ...row, tags, proposed: set }
  }

  #onlyHere(record: WaypointRecord, isNear: boolean): OsmComparedRow {
    const { id, name, latitude, longitude, sources, state, access } = record
    const row = { kind: isNear ? 'unsure' : 'only-here', id, name, latitude, longitude } as const
    const osm = referenceOf(record)
    if (osm !== undefined) return { ...row, osm, notProposed: 'was-there' }
    if (this.#isBlocked(record)) return { ...row, notProposed: 'licence' }
    if (sources.length > 0) return { ...row, notProposed: 'of-a-source' }
    if (isNear) return { ...row, notProposed: 'near-another' }
    if (state === 'gone' || access === 'private') return { ...row, notProposed: 'not-for-use' }
    const tags = recordTags(record)
    this.#changes.push({ kind: 'create', id, at: { latitude, longitude }, tags })
    return { ...row, proposed: tags }
  }

  /** Whether OpenStreetMap cannot take it for the licence of any of its origins, which is counted. */
  #isBlocked({ sources }: WaypointRecord): boolean {
    const { blocked, names, own } = this.#terms
    const origins = new Set([own, ...sources.map(({ sourceId }) => names.get(sourceId))])
    const found = blocked.filter(({ name }) => origins.has(name))
    for (const { name } of found) this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1)
    return found.length > 0
  }
}
