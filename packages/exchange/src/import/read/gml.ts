import { dayIn } from '../understand/values.ts'
import type { Geometry } from './geometry.ts'
import { ImportRefused, quotable } from './refusal.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { readXml } from './xml-rows.ts'

/** Elements that hold features. */
const containers = new Set(['featureMember', 'featureMembers', 'member'])
/** Elements with positions of their own; segments of a curve continue it. */
const carriers = new Set('Point|LineString|LinearRing|Curve|Ring'.split('|'))
const rings = new Set(['LinearRing', 'Ring'])
const inner = new Set(['interior', 'innerBoundaryIs'])

/** Systems that name the northing, or latitude, first where a name says the order of the authority (EPSG registry). */
const northFirst = new Set('4326|4258|4269|4979|2180|3006|3035|31287|31467|31468'.split('|'))

type Attributes = Readonly<Record<string, string>>

/**
 * The features of a GML text (OGC 07-036, versions 2 to 3.2), as web feature services answer: each element with text
 * becomes a field by its name, the first property with a geometry is the place.
 */
export async function* readGml(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  const rows: SourceRow[] = []
  const outer: string[] = []
  let row = 0
  let matched = 0
  let feature: Feature | undefined
  let system: string | undefined
  yield* readXml(chunks, rows, {
    open(name, attributes) {
      if (feature !== undefined) feature.open(name, attributes)
      else if (containers.has(outer.at(-1) ?? '') && name !== 'FeatureCollection')
        feature = new Feature(idOf(attributes), system)
      else {
        if (outer.length === 0) matched = readFacts(attributes, facts)
        system ??= attributes['srsName']
        outer.push(name)
      }
    },
    close(name, text) {
      if (feature === undefined) {
        outer.pop()
        if (name === 'ExceptionText' || name === 'ServiceException')
          throw new ImportRefused(
            { code: 'UNKNOWN_FORMAT' },
            `The server answered with an error: "${quotable(text)}".`,
          )
      } else if (feature.isOpen) feature.close(name, text)
      else {
        row += 1
        rows.push(feature.row(row, facts))
        feature = undefined
      }
    },
  })
  if (matched > row) facts.partial = { total: matched }
}

const idOf = (attributes: Attributes): string | undefined =>
  attributes['fid'] ?? Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]

/** @returns how many features the server has; 0 where it does not say */
function readFacts({ numberMatched, timeStamp = '' }: Attributes, facts: FileFacts): number {
  const day = dayIn([timeStamp])
  if (day !== undefined) facts.published ??= day
  return Number(numberMatched) || 0
}

type Part = { readonly type: 'Point' | 'LineString' | 'Polygon'; readonly line: number[][] }

class Feature {
  readonly #id: string | undefined
  readonly #fields: Record<string, unknown> = {}
  readonly #parts: Part[] = []
  /** The open elements, each with what it says of its geometry. */
  readonly #path: { readonly name: string; readonly attributes: Attributes }[] = []
  #property: string | undefined
  #system: string | undefined
  #part: Part | undefined
  #tuple: number[] = []

  constructor(id: string | undefined, system: string | undefined) {
    this.#id = id
    this.#system = system
  }

  get isOpen(): boolean {
    return this.#path.length > 0
  }

  open(name: string, attributes: Attributes): void {
    if (carriers.has(name) && this.#part === undefined) {
      const isRing = rings.has(name)
      this.#part = { type: name === 'Point' ? 'Point' : isRing ? 'Polygon' : 'LineString', line: [] }
    }
    if (name === 'coord') this.#tuple = []
    this.#path.push({ name, attributes })
  }

  close(name: string, text: string): void {
    if (this.#part === undefined) {
      const isBounds = this.#path.some((step) => step.name === 'boundedBy')
      if (text !== '' && !isBounds) this.#fields[name] ??= text
    } else this.#geometry(name, text)
    const isWithin = this.#path.slice(0, -1).some((step) => carriers.has(step.name))
    if (this.#part !== undefined && carriers.has(name) && !isWithin) this.#end(this.#part)
    this.#path.pop()
  }

  #geometry(name: string, text: string): void {
    const line = this.#part?.line ?? []
    if (name === 'pos') line.push(numbers(text))
    else if (name === 'posList') {
      const all = numbers(text)
      const size = Number(this.#stated('srsDimension') ?? 2) === 3 ? 3 : 2
      for (let at = 0; at + 1 < all.length; at += size) line.push(all.slice(at, at + 2))
    } else if (name === 'coordinates') {
      const { cs = ',', ts = ' ', decimal = '.' } = this.#path.at(-1)?.attributes ?? {}
      for (const tuple of text.split(ts.trim() === '' ? /\s+/u : ts))
        line.push(tuple.split(cs).map((each) => Number(each.trim().replace(decimal, '.'))))
    } else if (name === 'X' || name === 'Y') this.#tuple.push(Number(text))
    else if (name === 'coord') line.push(this.#tuple)
  }

  #stated(attribute: string): string | undefined {
    return this.#path.findLast(({ attributes }) => attributes[attribute] !== undefined)?.attributes[attribute]
  }

  #end(part: Part): void {
    this.#part = undefined
    const property = this.#path[0]?.name
    if (part.line.length === 0 || this.#path.some(({ name }) => inner.has(name))) return
    this.#property ??= property
    if (property !== this.#property) return
    this.#system = this.#stated('srsName') ?? this.#system
    this.#parts.push(part)
  }

  row(row: number, facts: FileFacts): SourceRow {
    const fields = this.#fields
    const geometry = this.#place(facts)
    return { row, fields, geometry, id: this.#id, original: () => JSON.stringify({ ...fields, geometry }) }
  }

  /** The parts of the kind with the most dimensions, in the order x, y. */
  #place(facts: FileFacts): Geometry | null {
    const name = this.#system ?? ''
    const code = /(?:^|\D)(\d{4,6})$/u.exec(name)?.[1]
    const crs = code === undefined ? name : `EPSG:${code}`
    if (crs !== '') facts.crs ??= crs
    // One system a file: another one is named with the row that is refused.
    if (crs !== '' && facts.crs !== crs) return { type: `${this.#parts[0]?.type ?? ''} in ${crs}` }
    const isTurned = code !== undefined && northFirst.has(code) && /^urn:|\/def\/crs\//iu.test(name)
    const of = (type: Part['type']): number[][][] =>
      this.#parts
        .filter((part) => part.type === type)
        .map(({ line }) => (isTurned ? line.map(([y = Number.NaN, x = Number.NaN]) => [x, y]) : line))
    const [polygons, lines, points] = [of('Polygon'), of('LineString'), of('Point').flat()]
    if (polygons.length > 0) return { type: 'MultiPolygon', coordinates: polygons.map((ring) => [ring]) }
    if (lines.length > 0) return { type: 'MultiLineString', coordinates: lines }
    if (points.length > 1) return { type: 'MultiPoint', coordinates: points }
    return points.length === 0 ? null : { type: 'Point', coordinates: points[0] }
  }
}

const numbers = (text: string): number[] => text.split(/\s+/u).map(Number)
