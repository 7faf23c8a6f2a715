import type { Geometry } from './geometry.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { XmlText } from './xml-text.ts'

const geometries = new Set(['Point', 'LineString', 'Polygon', 'LinearRing', 'MultiGeometry'])

/** Elements that say how a placemark looks or is viewed, not what it is. */
const appearance = new Set([
  'styleUrl',
  'Style',
  'LookAt',
  'Camera',
  'coordinates',
  'displayName',
  'begin',
  'end',
])

/**
 * The placemarks of a KML text (OGC KML 2.2): `name`, `description`, `address`, the values of ExtendedData
 * (`Data` and `SimpleData`) as fields, and the first geometry, or all of a MultiGeometry.
 */
export async function* readKml(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  const placemarks = new PlacemarkListener()
  const xml = new XmlText(placemarks)
  for await (const chunk of chunks) {
    xml.write(chunk)
    if (placemarks.rows.length > 0) yield placemarks.rows.splice(0)
  }
  xml.end()
  if (placemarks.rows.length > 0) yield placemarks.rows.splice(0)
  if (placemarks.links > 0) facts.notes.push({ code: 'LINKS_NOT_FOLLOWED', links: placemarks.links })
}

class PlacemarkListener {
  readonly rows: SourceRow[] = []
  links = 0
  #row = 0
  #active = false
  #id: string | undefined
  #fields: Record<string, unknown> = {}
  #data: Record<string, unknown> = {}
  #found: Geometry[] = []
  #path: string[] = []
  #dataName = ''
  #content = ''

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#content = ''
    if (name === 'NetworkLink') this.links += 1
    if (name === 'Placemark') {
      this.#active = true
      this.#id = attributes['id']
      this.#fields = {}
      this.#data = {}
      this.#found = []
      this.#path = []
      return
    }
    if (!this.#active) return
    this.#path.push(name)
    if (name === 'Data' || name === 'SimpleData') this.#dataName = attributes['name'] ?? ''
  }

  text(text: string): void {
    if (this.#active) this.#content += text
  }

  close(name: string): void {
    if (!this.#active) return
    const text = this.#content.trim()
    this.#content = ''
    if (name === 'Placemark') {
      this.#finish()
      return
    }
    if (name === 'coordinates') this.#geometry(text)
    else if (text !== '') this.#field(name, text)
    this.#path.pop()
  }

  #field(name: string, text: string): void {
    const within = this.#path
    if (within.includes('Style') || within.includes('LookAt') || within.includes('Camera')) return
    if (name === 'SimpleData' || (name === 'value' && within.includes('Data'))) {
      if (this.#dataName !== '') this.#data[this.#dataName] ??= text
    } else if (!appearance.has(name) && !within.some((step) => geometries.has(step))) {
      this.#fields[name] ??= text
    }
  }

  #geometry(text: string): void {
    const line = text
      .split(/\s+/u)
      .filter((tuple) => tuple !== '')
      .map((tuple) => tuple.split(',').map((part) => (part === '' ? Number.NaN : Number(part))))
    const shape = this.#path.findLast((step) => geometries.has(step))
    if (this.#path.includes('innerBoundaryIs')) return
    if (shape === 'Point') this.#found.push({ type: 'Point', coordinates: line[0] ?? [] })
    else if (shape === 'LineString') this.#found.push({ type: 'LineString', coordinates: line })
    else if (shape !== undefined) this.#found.push({ type: 'Polygon', coordinates: [line] })
  }

  /** ExtendedData is more exact than the description, which this project's own files make from it. */
  #allFields(): Record<string, unknown> {
    const [fields, data] = [this.#fields, this.#data]
    return data['added_by'] === undefined ? { ...fields, ...data } : { name: fields['name'], ...data }
  }

  #finish(): void {
    this.#row += 1
    this.#active = false
    const [found, id] = [this.#found, this.#id]
    const fields = this.#allFields()
    const [first, second] = found
    this.rows.push({
      row: this.#row,
      fields,
      geometry: second === undefined ? (first ?? null) : { type: 'GeometryCollection', geometries: found },
      ...(id === undefined ? {} : { id }),
      original: () => JSON.stringify({ ...fields, geometry: found }),
    })
  }
}
