import { dayIn } from '../understand/values.ts'
import type { Position } from './geometry.ts'
import { fountainRows, type OsmElement } from './osm.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { readXml } from './xml-rows.ts'

/** The fountains of OpenStreetMap's XML, of the API, of Overpass or of an extract. */
export async function* readOsmXml(chunks: () => AsyncIterable<string>, facts: FileFacts): RowBatches {
  const rows = fountainRows(
    () => xmlElements(chunks(), facts),
    (elements) => void (elements > 0 && facts.notes.push({ code: 'ELEMENTS_NOT_READ', elements })),
  )
  for await (const batch of rows)
    yield batch.map((row): SourceRow => ({ ...row, original: () => JSON.stringify(row) }))
}

type Attributes = Readonly<Record<string, string>>

const isType = (name: string): name is OsmElement['type'] =>
  name === 'node' || name === 'way' || name === 'relation'

const pointOf = ({ lat, lon }: Attributes): Position | undefined =>
  lat === undefined || lon === undefined ? undefined : [Number(lon), Number(lat)]

async function* xmlElements(chunks: AsyncIterable<string>, facts: FileFacts): AsyncGenerator<OsmElement[]> {
  const elements: OsmElement[] = []
  let attributes: Attributes | undefined
  let position: Position | undefined
  let tags: Record<string, string> = {}
  let [nodes, ways]: [number[], number[]] = [[], []]
  yield* readXml(chunks, elements, {
    open(name, given) {
      if (isType(name)) {
        attributes = given
        position = pointOf(given)
        ;[tags, nodes, ways] = [{}, [], []]
      } else if (attributes === undefined) {
        const { copyright, osm_base: base } = given
        if (name === 'osm' && copyright !== undefined) facts.copyright ??= copyright
        const day = name === 'meta' && base !== undefined ? dayIn([base]) : undefined
        if (day !== undefined) facts.published ??= day
      } else if (name === 'tag') tags[given['k'] ?? ''] = given['v'] ?? ''
      else if (name === 'nd') nodes.push(Number(given['ref']))
      else if (name === 'member')
        (given['type'] === 'node' ? nodes : given['type'] === 'way' ? ways : []).push(Number(given['ref']))
      else if (name === 'center') position = pointOf(given)
    },
    close(name, text) {
      if (name === 'note' && attributes === undefined) facts.copyright ??= text
      if (!isType(name) || attributes === undefined) return
      const { timestamp, visible } = attributes
      const version = attributes['version'] === undefined ? undefined : Number(attributes['version'])
      const element = {
        type: name,
        id: Number(attributes['id']),
        tags,
        position,
        timestamp,
        version,
        nodes,
        ways,
      }
      if (visible !== 'false') elements.push(element)
      attributes = undefined
    },
  })
}
