import { vocabulary } from '@openfountain/core/vocabulary'
import { drinkableLabels } from '../../export/text/gpx.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { XmlText } from './xml-text.ts'

/** Elements of a waypoint that only hold others, which are read. */
const containers = new Set(['extensions', 'link', 'waypoint'])

/**
 * The waypoints of a GPX text (https://www.topografix.com/GPX/1/1/), with or without its namespace. Each child
 * becomes a field by its name (`name`, `desc`, `cmt`, `src`, `sym`, `type`, `link`), extensions by theirs.
 * Routes and tracks are not fountains: they are counted in a note. Amenities of this project's own files, and whether the
 * water is for drinking, are read from the last line of the description.
 */
export async function* readGpx(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  const waypoints = new WaypointListener(facts)
  const xml = new XmlText(waypoints)
  for await (const chunk of chunks) {
    xml.write(chunk)
    if (waypoints.rows.length > 0) yield waypoints.rows.splice(0)
  }
  xml.end()
  if (waypoints.rows.length > 0) yield waypoints.rows.splice(0)
  if (waypoints.ways > 0) facts.notes.push({ code: 'WAYS_NOT_READ', ways: waypoints.ways })
}

class WaypointListener {
  readonly rows: SourceRow[] = []
  ways = 0
  readonly #facts: FileFacts
  #row = 0
  #position: readonly [string, string] | undefined
  #fields: Record<string, unknown> = {}
  #content = ''

  constructor(facts: FileFacts) {
    this.#facts = facts
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#content = ''
    if (name === 'gpx' && attributes['creator'] === 'openfountain') this.#facts.own = true
    if (name === 'rte' || name === 'trk') this.ways += 1
    if (name === 'wpt') {
      this.#position = [attributes['lon'] ?? '', attributes['lat'] ?? '']
      this.#fields = {}
    } else if (name === 'link' && this.#position !== undefined && attributes['href'] !== undefined) {
      this.#fields['link'] ??= attributes['href']
    }
  }

  text(text: string): void {
    if (this.#position !== undefined) this.#content += text
  }

  close(name: string): void {
    if (this.#position === undefined) return
    if (name === 'wpt') {
      this.#finish(this.#position)
      return
    }
    const text = this.#content.trim()
    this.#content = ''
    if (text !== '' && !containers.has(name)) this.#fields[name] ??= text
  }

  #finish([lon, lat]: readonly [string, string]): void {
    this.#row += 1
    const fields = this.#facts.own === true ? ownFields(this.#fields) : this.#fields
    const coordinates = [lon.trim() === '' ? null : Number(lon), lat.trim() === '' ? null : Number(lat)]
    this.rows.push({
      row: this.#row,
      fields,
      geometry: { type: 'Point', coordinates },
      original: () => JSON.stringify({ lat, lon, ...fields }),
    })
    this.#position = undefined
  }
}

const amenityOfLabel: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary).map(([key, { label }]) => [label, key]),
)
const drinkableOfLabel: ReadonlyMap<string, string> = new Map(
  Object.entries(drinkableLabels).map(([value, label]) => [label, value]),
)

/** The fields of a waypoint that this project's GPX export wrote. */
function ownFields({ name, desc, link }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lines = typeof desc === 'string' ? desc.split('\n') : []
  const labels = lines.at(-1)?.split(', ') ?? []
  const drinkable = drinkableOfLabel.get(labels.at(-1) ?? '')
  const amenities = labels
    .slice(0, drinkable === undefined ? undefined : -1)
    .map((label) => amenityOfLabel.get(label) ?? label)
  const hasLabels = drinkable !== undefined || labels.some((label) => amenityOfLabel.has(label))
  const description = (hasLabels ? lines.slice(0, -1) : lines).join('\n')
  return {
    name,
    ...(description === '' ? {} : { description }),
    ...(hasLabels ? { amenities } : {}),
    ...(drinkable === undefined ? {} : { drinkable }),
    ...(link === undefined ? {} : { image: link }),
  }
}
