import type { Position } from './geometry.ts'
import { ImportRefused } from './refusal.ts'
import type { SentRow } from './source-row.ts'

export interface OsmElement {
  readonly type: 'node' | 'way' | 'relation'
  readonly id: number
  readonly tags: Readonly<Record<string, string>>
  /** Longitude and latitude of a node, or the centre of another element where the file says it. */
  readonly position?: Position | undefined
  /** When it was last edited, as in ISO 8601. */
  readonly timestamp?: string | undefined
  readonly version?: number | undefined
  readonly nodes: readonly number[]
  readonly ways: readonly number[]
}

const objects =
  /^(?:drinking_water|fountain|water_point|watering_place|water_tap|water_well|drinking_fountain)$/u
const keys = /^(?:[a-z]+:)?(?:amenity|man_made)$/u

/** Keys of places with water, such as huts and campsites, that are no water points. */
const others = (
  'aeroway amenity boundary building healthcare highway landuse leisure office place public_transport railway shop ' +
  'tourism'
).split(' ')

/**
 * Whether tags are of a water point, also of one out of use: an extract has everything else, too. Springs need a tag for
 * drinking water, and other objects `drinking_water=yes` (https://wiki.openstreetmap.org/wiki/Key:drinking_water).
 */
function areOfWaterPoint(tags: OsmElement['tags']): boolean {
  for (const key in tags) {
    if (key === 'fountain' || (keys.test(key) && objects.test(tags[key] ?? ''))) return true
  }
  if (tags['natural'] === 'spring')
    return tags['drinking_water'] !== undefined || tags['drinking_water:legal'] !== undefined
  return tags['drinking_water'] === 'yes' && others.every((key) => tags[key] === undefined)
}

/** Ids that are kept to find the centres of ways and relations. */
const mostIds = 2_000_000

/**
 * The fountains among the elements of an extract: nodes in their order, then ways and relations at the centre of the box
 * around their nodes, as Overpass has it. For them the file is read again.
 *
 * @param elements all elements of the file, each time from the beginning
 * @param onOthers called once with the number of tagged elements that are no fountains
 * @throws ImportRefused TOO_LARGE
 */
export async function* fountainRows(
  elements: () => AsyncIterable<OsmElement[]>,
  onOthers: (count: number) => void,
): AsyncGenerator<SentRow[]> {
  let [row, unread, ids] = [0, 0, 0]
  const areas: OsmElement[] = []
  const nodes = new Map<number, Position | undefined>()
  const ways = new Map<number, readonly number[]>()
  const keep = (found: readonly number[]): void => {
    ids += found.length
    if (ids > mostIds)
      throw new ImportRefused({ code: 'TOO_LARGE' }, 'Ways of fountains have millions of nodes.')
    for (const id of found) nodes.set(id, undefined)
  }
  const rowOf = (
    { type, id, tags, timestamp, version }: OsmElement,
    position: Position | undefined,
  ): SentRow => ({
    row: ++row,
    fields: {
      ...tags,
      ...(timestamp !== undefined && { '@timestamp': timestamp }),
      ...(version !== undefined && { '@version': version }),
    },
    geometry: position === undefined ? null : { type: 'Point', coordinates: position },
    id: `${type}/${id}`,
  })
  for await (const batch of elements()) {
    const rows: SentRow[] = []
    for (const element of batch) {
      if (!areOfWaterPoint(element.tags)) unread += Object.keys(element.tags).length > 0 ? 1 : 0
      else if (element.position !== undefined) rows.push(rowOf(element, element.position))
      else {
        areas.push(element)
        keep(element.nodes)
        for (const id of element.ways) ways.set(id, [])
      }
    }
    yield rows
  }
  if (ways.size > 0)
    for await (const batch of elements()) {
      for (const { type, id, nodes: found } of batch)
        if (type === 'way' && ways.has(id)) {
          keep(found)
          ways.set(id, found)
        }
      yield []
    }
  if (nodes.size > 0)
    for await (const batch of elements()) {
      for (const { type, id, position } of batch)
        if (type === 'node' && nodes.has(id)) nodes.set(id, position)
      yield []
    }
  yield areas.map((area) => {
    const all = [...area.nodes, ...area.ways.flatMap((id) => ways.get(id) ?? [])]
    return rowOf(area, centre(all.flatMap((id) => [nodes.get(id) ?? []].filter(isPosition))))
  })
  onOthers(unread)
}

const isPosition = (given: Position | []): given is Position => given.length === 2

function centre(positions: readonly Position[]): Position | undefined {
  if (positions.length === 0) return undefined
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)]
  const middle = (all: readonly number[]) =>
    (all.reduce((one, other) => Math.min(one, other)) + all.reduce((one, other) => Math.max(one, other))) / 2
  return [middle(xs), middle(ys)]
}
