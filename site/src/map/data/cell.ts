import type { Bounds } from './config.ts'
import { mapFactsIn, type MapFacts } from './facts.ts'
import { objectNumber, objectOf } from './osm-object.ts'
import { checkNames, type Filter, type Filterable } from '../list/filter.ts'
import { shownState, stageOn, type Stage, type Stages } from '../../status/stage.ts'
import type { Position } from '../page/position.ts'

/**
 * Fountains by square of the map ("cells"): small files from which a page takes the fountains near a place. They
 * feed the filters, the lists, the nearest ones, maps without range requests and maps without a network.
 * A cell is a tile of the Web Mercator pyramid that holds at most {@link cellCapacity} fountains.
 */
export interface CellIndex {
  /** Time of the data, ISO 8601 UTC. */
  readonly time: string
  /** The amenity of each bit of a cell's `offers`, from the lowest. */
  readonly amenities: readonly string[]
  /** The filter of each bit of a cell's `checks`, from the lowest. */
  readonly checks: readonly string[]
  readonly cells: readonly CellEntry[]
  /** The lowest id of each file that maps ids to cells, ascending: `ids-0.json`, `ids-1.json` … */
  readonly ids: readonly number[]
}

/** The cell of each fountain, by ascending id. */
export interface IdFile {
  /** Differences from the previous id. */
  readonly ids: readonly number[]
  /** Indexes into {@link CellIndex.cells}. */
  readonly cells: readonly number[]
}

/** A cell in the index: key, count, bits of the filters that a fountain matches, of the amenities that occur, and bounds. */
export type CellEntry = readonly [
  key: string,
  count: number,
  checks: number,
  offers: number,
  west: number,
  south: number,
  east: number,
  north: number,
]

/** Most fountains of a cell, except in a smallest square with more. */
export const cellCapacity = 1_200

/** The smallest squares are of this zoom: about 600 m at the equator. */
export const cellMaxZoom = 16

/** The fields of a fountain for filters and clusters. */
export interface CellPoint extends Position, Filterable {
  readonly id: number
  readonly approved: boolean
  /** Today's stage of the status; `state` is the same, and is absent when unconfirmed. */
  readonly stage?: Stage
}

/** A fountain as the site was built with it, with all stages of its status. */
export interface BuiltPoint extends Omit<CellPoint, 'state' | 'stage'> {
  readonly stages: Stages
}

/** The additional fields for lists and cards. */
export interface CellDetail extends MapFacts {
  readonly name: string
  /** Mean of the reviews, 1 to 5. */
  readonly rating?: number
  readonly reviews: number
  /** Day of the last confirmation, ISO 8601. */
  readonly confirmed: string
  /** Names of the sources; absent for a contribution. */
  readonly source?: string
  /** Day of a source's last listing, ISO 8601; absent without one. */
  readonly listed?: string
  /** Its object at OpenStreetMap, such as `node/1`, where a source names it. */
  readonly object?: string
  /** The description, shortened. */
  readonly description?: string
  /** Whether the fountain has a page of its own. */
  readonly page: boolean
  /** Whether a change of the visitor is unsent. */
  readonly isWaiting?: boolean
}

/** All facts of a fountain that the map has. */
export interface Fountain extends CellPoint, CellDetail {}

/** The points of a cell as columns; columns whose name ends with `Delta` hold differences from the previous row. */
export interface PointFile {
  readonly idDelta: readonly number[]
  /** In millionths of a degree. */
  readonly xDelta: readonly number[]
  readonly yDelta: readonly number[]
  /** 1 verified, 2 approved, added. */
  readonly flags: readonly number[]
  /** Indexes into `sets`. */
  readonly set: readonly number[]
  readonly sets: readonly (readonly string[])[]
  /** Indexes into `regions` from 1, 0 for none. */
  readonly region: readonly number[]
  readonly regions: readonly string[]
  /** Names of the places around them; indexes into `places` from 1, 0 for none. */
  readonly place: readonly number[]
  readonly places: readonly string[]
  /** Indexes into `stages` from 1, 0 for none; absent where all are unknown. */
  readonly stage?: readonly number[]
  readonly stages?: readonly Stages[]
}

/** The rest of a cell as columns, in the order of its points. */
export interface DetailFile {
  readonly name: readonly string[]
  /** Hundredths, 0 for none. */
  readonly rating: readonly number[]
  readonly reviews: readonly number[]
  /** Days since 1970. */
  readonly day: readonly number[]
  /** Indexes into `sources` from 1, 0 for none. */
  readonly source: readonly number[]
  readonly sources: readonly string[]
  /** Days since 1970, 0 for none. */
  readonly listed: readonly number[]
  /** Objects of OpenStreetMap as numbers (osm-object.ts), 0 for none; absent where there are none. */
  readonly object?: readonly number[]
  /** Indexes into `descriptions` from 1, 0 for none. */
  readonly description: readonly number[]
  readonly descriptions: readonly string[]
  /** Indexes into `facts` from 1, 0 for none; absent where there are none. */
  readonly fact?: readonly number[]
  readonly facts?: readonly MapFacts[]
  readonly page: readonly number[]
}

const perDegree = 1e6
const dayMilliseconds = 86_400_000

const dayOf = (time: string) => Math.floor(Date.parse(time) / dayMilliseconds)
const dateOf = (day: number) => new Date(day * dayMilliseconds).toISOString().slice(0, 10)

/** Differences from the previous number. */
function deltas(values: readonly number[]): number[] {
  return values.map((value, row) => value - (values[row - 1] ?? 0))
}

function sums(differences: readonly number[]): number[] {
  let sum = 0
  return differences.map((difference) => (sum += difference))
}

/** Numbers distinct texts from 1; 0 is none. */
function dictionary(): { readonly texts: string[]; place(text: string | undefined): number } {
  const texts: string[] = []
  const places = new Map<string, number>()
  return {
    texts,
    place(text) {
      if (text === undefined || text === '') return 0
      const known = places.get(text)
      if (known !== undefined) return known
      texts.push(text)
      places.set(text, texts.length)
      return texts.length
    },
  }
}

/** Writes points as columns. */
export function encodePoints(points: readonly BuiltPoint[]): PointFile {
  const sets: (readonly string[])[] = []
  const setPlaces = new Map<string, number>()
  const regions = dictionary()
  const places = dictionary()
  const stages = dictionary()
  const stage = points.map((point) => stages.place(jsonOf(point.stages)))
  const set = points.map(({ amenities }) => {
    const key = JSON.stringify(amenities)
    const place = setPlaces.get(key) ?? sets.push(amenities) - 1
    setPlaces.set(key, place)
    return place
  })
  return {
    idDelta: deltas(points.map(({ id }) => id)),
    xDelta: deltas(points.map(({ longitude }) => Math.round(longitude * perDegree))),
    yDelta: deltas(points.map(({ latitude }) => Math.round(latitude * perDegree))),
    flags: points.map(({ verified, approved }) => (verified ? 1 : 0) + (approved ? 2 : 0)),
    set,
    sets,
    region: points.map(({ region }) => regions.place(region)),
    regions: regions.texts,
    place: points.map(({ place }) => places.place(place)),
    places: places.texts,
    ...(stages.texts.length > 0 && { stage, stages: stages.texts.map((text) => JSON.parse(text) as Stages) }),
  }
}

/** The dictionary key of a value: empty for an empty list or object. */
function jsonOf(value: object): string {
  const text = JSON.stringify(value)
  return text.length > 2 ? text : ''
}

/** Decodes columns into points with their states of a day. */
export function decodePoints(file: PointFile, day: string): CellPoint[] {
  const now = (file.stages ?? []).map((stages) => stageOn(stages, day))
  const ids = sums(file.idDelta)
  const xs = sums(file.xDelta)
  const ys = sums(file.yDelta)
  return ids.map((id, row) => {
    const flags = file.flags[row] ?? 0
    const region = file.regions[(file.region[row] ?? 0) - 1]
    const place = file.places[(file.place[row] ?? 0) - 1]
    const stage = now[(file.stage?.[row] ?? 0) - 1]
    const state = shownState(stage)
    return {
      id,
      longitude: (xs[row] ?? 0) / perDegree,
      latitude: (ys[row] ?? 0) / perDegree,
      verified: (flags & 1) !== 0,
      approved: (flags & 2) !== 0,
      amenities: file.sets[file.set[row] ?? 0] ?? [],
      region,
      place,
      stage,
      state,
    }
  })
}

/** Writes details as columns. */
export function encodeDetails(details: readonly CellDetail[]): DetailFile {
  const sources = dictionary()
  const descriptions = dictionary()
  const object = details.map((detail) => objectNumber(detail.object))
  const facts = dictionary()
  const fact = details.map((detail) => facts.place(jsonOf(mapFactsIn({ ...detail }))))
  return {
    name: details.map(({ name }) => name),
    rating: details.map(({ rating }) => (rating === undefined ? 0 : Math.round(rating * 100))),
    reviews: details.map(({ reviews }) => reviews),
    day: details.map(({ confirmed }) => dayOf(confirmed)),
    source: details.map(({ source }) => sources.place(source)),
    sources: sources.texts,
    listed: details.map(({ listed }) => (listed === undefined ? 0 : dayOf(listed))),
    ...(object.some((number) => number > 0) && { object }),
    description: details.map(({ description }) => descriptions.place(description)),
    descriptions: descriptions.texts,
    page: details.map(({ page }) => (page ? 1 : 0)),
    ...(facts.texts.length > 0 && { fact, facts: facts.texts.map((text) => JSON.parse(text) as MapFacts) }),
  }
}

/** Reads columns back as details. */
export function decodeDetails(file: DetailFile): CellDetail[] {
  return file.name.map((name, row) => {
    const rating = file.rating[row] ?? 0
    const source = file.sources[(file.source[row] ?? 0) - 1]
    const listed = file.listed[row] ?? 0
    const object = objectOf(file.object?.[row] ?? 0)
    const description = file.descriptions[(file.description[row] ?? 0) - 1]
    return {
      name,
      reviews: file.reviews[row] ?? 0,
      confirmed: dateOf(file.day[row] ?? 0),
      page: file.page[row] === 1,
      ...(rating > 0 && { rating: rating / 100 }),
      source,
      ...(listed > 0 && { listed: dateOf(listed) }),
      object,
      description,
      ...file.facts?.[(file.fact?.[row] ?? 0) - 1],
    }
  })
}

/** The bounds of a cell's fountains. */
export function cellBounds([, , , , west, south, east, north]: CellEntry): Bounds {
  return [west, south, east, north]
}

/** The number of different names that the bits of a number can represent. */
export const bitCount = 32

/** Whether a name's bit is set; true for a name without a bit. */
function mayHave(bits: number, names: readonly string[], name: string): boolean {
  const bit = names.indexOf(name)
  return bit < 0 || ((bits >>> bit) & 1) === 1
}

/** Whether a cell can hold a fountain that matches a filter. The index has no regions. */
export function cellMayMatch(index: CellIndex, [, , checks, offers]: CellEntry, filter: Filter): boolean {
  return (
    checkNames.every((name) => !filter[name] || mayHave(checks, index.checks, name)) &&
    filter.amenities.every((amenity) => mayHave(offers, index.amenities, amenity))
  )
}
