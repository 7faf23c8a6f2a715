import type { Geometry } from './geometry.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { readXml } from './xml-rows.ts'

const geometries = new Set('Point|LineString|Polygon|LinearRing|MultiGeometry'.split('|'))

/** Elements of a placemark's appearance or view, without data. */
const appearance = new Set('styleUrl|Style|LookAt|Camera|coordinates|displayName|begin|end'.split('|'))

/**
 * The placemarks of a KML text (OGC KML 2.2): `name`, `description`, `address`, the values of ExtendedData
 * (`Data` and `SimpleData`) as fields, and the first geometry, or all of a MultiGeometry.
 */
export async function* readKml(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  const rows: SourceRow[] = []
  let [row, links] = [0, 0]
  let placemark: Placemark | undefined
  yield* readXml(chunks, rows, {
    open(name, attributes) {
      if (name === 'NetworkLink') links += 1
      if (name === 'Placemark') placemark = new Placemark(attributes['id'])
      else placemark?.open(name, attributes)
    },
    close(name, text) {
      if (placemark === undefined) return
      if (name !== 'Placemark') {
        placemark.close(name, text)
        return
      }
      row += 1
      rows.push(placemark.row(row))
      placemark = undefined
    },
  })
  if (links > 0) facts.notes.push({ code: 'LINKS_NOT_FOLLOWED', links })
}

class Placemark {
  readonly #id: string | undefined
  readonly #fields: Record<string, unknown> = {}
  readonly #data: Record<string, unknown> = {}
  readonly #found: Geometry[] = []
  /** The names of the open elements. */
  readonly #path: string[] = []
  #dataName = ''

  constructor(id: string | undefined) {
    this.#id = id
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name)
    if (name === 'Data' || name === 'SimpleData') this.#dataName = attributes['name'] ?? ''
  }

  close(name: string, text: string): void {
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
    if (shape === undefined || this.#path.includes('innerBoundaryIs')) return
    if (shape === 'Point') this.#found.push({ type: 'Point', coordinates: line[0] ?? [] })
    else if (shape === 'LineString') this.#found.push({ type: 'LineString', coordinates: line })
    else this.#found.push({ type: 'Polygon', coordinates: [line] })
  }

  row(row: number): SourceRow {
    const [found, data] = [this.#found, this.#data]
    const [first = null, second] = found
    // ExtendedData is more exact than the description, which this project's own files make from it.
    const fields =
      data['added_by'] === undefined ? { ...this.#fields, ...data } : { name: this.#fields['name'], ...data }
    return {
      row,
      fields,
      geometry: second === undefined ? first : { type: 'GeometryCollection', geometries: found },
      id: this.#id,
      original: () => JSON.stringify({ ...fields, geometry: found }),
    }
  }
}
