import { dayIn } from '../understand/values.ts'
import { isGeometry, type Geometry } from './geometry.ts'
import { jsonElements, parseElement } from './json-elements.ts'
import { flatFields, isDeep, isRecord } from './nested-fields.ts'
import { ImportRefused, quotable } from './refusal.ts'
import { readingLimits, type FileFacts, type RowBatches, type SourceRow } from './source-row.ts'

/** Members of the outermost object that describe the file, not a fountain. */
const ofTheFile = new Set(
  'crs osm3s metadata bbox links _links info license generator fieldAliases spatialReference parameters meta'.split(
    ' ',
  ),
)
/**
 * Members of the outermost object, or of its `metadata`, with the day on which the file was published or taken from where
 * it is published: of overpass turbo, web feature services, CKAN, Dublin Core and schema.org.
 */
const publishing =
  'timestamp timeStamp metadata_modified last_modified modified issued published dateModified datePublished'.split(
    ' ',
  )
/** Members of the outermost object whose elements are the rows. */
const lists = ['features', 'elements', 'records', 'waypoints', 'results', 'data', 'value']
/** Members with the number of rows there are: of web feature services, Opendatasoft, CKAN and OData. */
const totals = ['numberMatched', 'total_count', 'nhits', 'total', '@odata.count', '__count']
const featureMembers = new Set(['type', 'geometry', 'properties', 'id', 'bbox'])

/**
 * The rows of a JSON text: a GeoJSON FeatureCollection or Feature, Overpass' JSON (also OSM JSON), answers of ArcGIS, CKAN,
 * Opendatasoft, Socrata and OData, a list of records, a list under one of `lists`, or an object of named records.
 */
export async function* readJson(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  let row = 0
  const outermost: Record<string, unknown> = {}
  for await (const elements of jsonElements(chunks, lists)) {
    const rows: SourceRow[] = []
    for (const { key, text, isRest } of elements) {
      if (key === undefined) {
        row += 1
        rows.push(rowOf(withColumns(parseElement(text, row), outermost), row, text))
        continue
      }
      const value = parseElement(text, row + 1)
      if (isRest === true) {
        Object.assign(outermost, value)
        continue
      }
      if (key === 'error' && row === 0 && isRecord(value)) checkError(value)
      if (ofTheFile.has(key) || featureMembers.has(key) || !isRecord(value)) {
        if (Object.keys(outermost).length < 64) outermost[key] = value
        continue
      }
      row += 1
      rows.push({ ...rowOf({ key, ...value }, row, text), id: key })
    }
    yield rows
  }
  readFacts(outermost, facts)
  if (row > 0) readPartial(outermost, row, facts)
  const alone = row === 0 && !lists.some((list) => Array.isArray(outermost[list]))
  if (alone && Object.keys(outermost).length > 0) yield [rowOf(outermost, 1, JSON.stringify(outermost))]
}

/** The rows of newline-delimited JSON (GeoJSON features or flat records), record separators allowed. */
export async function* readJsonLines(chunks: AsyncIterable<string>): RowBatches {
  let row = 0
  let rest = ''
  const rowsOf = (lines: string[]) => {
    const rows: SourceRow[] = []
    for (const line of lines) {
      const text = line.charCodeAt(0) === 0x1e ? line.slice(1).trim() : line.trim()
      if (text === '') continue
      row += 1
      rows.push(rowOf(parseElement(text, row), row, text))
    }
    return rows
  }
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > readingLimits.record)
      throw new ImportRefused({ code: 'TOO_LARGE' }, 'One line is longer than 4 MB.')
    yield rowsOf(lines)
  }
  try {
    yield rowsOf([rest])
  } catch (cause) {
    if (!(cause instanceof ImportRefused)) throw cause
    const found = `The last line (record ${row}) is not complete.`
    throw new ImportRefused({ code: 'TRUNCATED', row }, found, { cause })
  }
}

function rowOf(value: unknown, row: number, text: string): SourceRow {
  const original = () => text
  if (!isRecord(value)) return { row, fields: {}, original }
  if (isDeep(value, readingLimits.depth)) throw new ImportRefused({ code: 'TOO_DEEP', row })
  if (value['type'] === 'Feature') return featureRow(value, row, original)
  if (isOsmElement(value)) return osmRow(value, row, original)
  const { attributes, geometry: shape = null } = value
  if (isRecord(attributes) && (shape === null || isEsri(shape)))
    return { row, fields: flatFields(attributes), geometry: esriGeometry(shape ?? {}), original }
  // Opendatasoft 1 has the record in `fields`, its early version 2 in `record` besides.
  const { fields: inner } = isRecord(value['record']) ? value['record'] : value
  if (isRecord(inner)) return rowOf({ ...inner, ...(isGeometry(shape) && { geometry: shape }) }, row, text)
  const fields = flatFields(value)
  const { geometry } = value
  if (!isGeometry(geometry)) return { row, fields, original }
  const { geometry: _own, ...others } = fields
  return { row, fields: others, geometry, original }
}

function featureRow(value: Record<string, unknown>, row: number, original: () => string): SourceRow {
  const { properties, geometry, id } = value
  return {
    row,
    fields: isRecord(properties) ? flatFields(properties) : {},
    geometry: isGeometry(geometry) ? geometry : null,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    original,
  }
}

const isOsmElement = ({ type, id }: Record<string, unknown>): boolean =>
  (type === 'node' || type === 'way' || type === 'relation') && typeof id === 'number'

/** Accounts and editing history are members beside the tags and are not read, but for the time and number of the last edit. */
function osmRow(value: Record<string, unknown>, row: number, original: () => string): SourceRow {
  const { type, id, tags = {}, timestamp, version } = value
  const isTagged = isRecord(tags) && Object.keys(tags).length > 0
  const edit = {
    ...(typeof timestamp === 'string' && { '@timestamp': timestamp }),
    ...(typeof version === 'number' && { '@version': version }),
  }
  return {
    row,
    fields: isTagged ? { ...tags, ...edit } : {},
    geometry: osmGeometry(value),
    id: `${String(type)}/${String(id)}`,
    original,
  }
}

function osmGeometry(value: Record<string, unknown>): Geometry | null {
  const { lat, lon, center, bounds, geometry } = value
  if (typeof lat === 'number' && typeof lon === 'number') return point(lon, lat)
  if (isRecord(center)) return point(center['lon'], center['lat'])
  if (isRecord(bounds)) {
    const [west, east] = [Number(bounds['minlon']), Number(bounds['maxlon'])]
    return point((west + east) / 2, (Number(bounds['minlat']) + Number(bounds['maxlat'])) / 2)
  }
  if (Array.isArray(geometry)) {
    const line = (geometry as unknown[]).filter(isRecord).map((corner) => [corner['lon'], corner['lat']])
    return { type: 'Polygon', coordinates: [line] }
  }
  return null
}

const point = (x: unknown, y: unknown): Geometry => ({ type: 'Point', coordinates: [x, y] })

/** Members of a geometry of Esri (ArcGIS REST API, Geometry objects). */
const isEsri = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !('type' in value) && ['x', 'points', 'paths', 'rings'].some((name) => name in value)

/** Each ring counts as a polygon of its own: the largest is never a hole. */
function esriGeometry({ x, y, points, paths, rings }: Record<string, unknown>): Geometry | null {
  if (Array.isArray(points)) return { type: 'MultiPoint', coordinates: points }
  if (Array.isArray(paths)) return { type: 'MultiLineString', coordinates: paths }
  if (Array.isArray(rings)) return { type: 'MultiPolygon', coordinates: rings.map((ring: unknown) => [ring]) }
  return typeof x === 'number' ? point(x, y) : null
}

/**
 * A record by what the answer says of its columns: names for a list of values (CKAN's dump, Socrata's rows.json), days and
 * words for ArcGIS' milliseconds and codes.
 */
function withColumns(value: unknown, { fields, meta }: Readonly<Record<string, unknown>>): unknown {
  const view = isRecord(meta) && isRecord(meta['view']) ? meta['view']['columns'] : undefined
  const columns = [fields, view].find(Array.isArray)?.filter(isRecord)
  if (columns === undefined) return value
  if (Array.isArray(value)) {
    const nameOf = (column: Record<string, unknown>) => column['fieldName'] ?? column['id'] ?? column['name']
    return Object.fromEntries(columns.map((column, at) => [String(nameOf(column)), place(value[at])]))
  }
  if (!isRecord(value) || !isRecord(value['attributes'])) return value
  const attributes = { ...value['attributes'] }
  for (const { name, type, domain } of columns) {
    const given = attributes[String(name)]
    if (type === 'esriFieldTypeDate' && typeof given === 'number' && Math.abs(given) < 8e15)
      attributes[String(name)] = new Date(given).toISOString()
    const codes =
      isRecord(domain) && Array.isArray(domain['codedValues']) ? domain['codedValues'].filter(isRecord) : []
    const word = codes.find(({ code }) => code === given)?.['name']
    if (word !== undefined) attributes[String(name)] = word
  }
  return { ...value, attributes }
}

/** A location of Socrata's rows.json: an address, latitude, longitude and two more. */
function place(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 5) return value
  const [, latitude, longitude] = value as unknown[]
  return { latitude, longitude }
}

/** @throws ImportRefused UNKNOWN_FORMAT for a server's error, which some send like an answer */
function checkError({ message, code }: Record<string, unknown>): void {
  if (typeof message !== 'string' || message === '') return
  const found = `The server answered with an error: "${quotable(message)}"${code === undefined ? '' : ` (${quotable(String(code))})`}.`
  throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, found)
}

/** Whether a server says that there is more than it sent. */
function readPartial(outermost: Readonly<Record<string, unknown>>, rows: number, facts: FileFacts): void {
  const { exceededTransferLimit, properties, links } = outermost
  const inner = isRecord(properties) ? properties['exceededTransferLimit'] : false
  const total = totals.map((name) => Number(outermost[name] ?? Number.NaN)).find((each) => each > rows)
  const next = Array.isArray(links) && links.some((link) => isRecord(link) && link['rel'] === 'next')
  const isCut = exceededTransferLimit === true || inner === true || next
  if (total !== undefined) facts.partial = { total }
  else if (isCut || '@odata.nextLink' in outermost || '__next' in outermost) facts.partial = {}
}

function readFacts(outermost: Readonly<Record<string, unknown>>, facts: FileFacts): void {
  const { crs, copyright, osm3s, metadata, spatialReference } = outermost
  const times = [outermost, metadata].flatMap((each) =>
    isRecord(each) ? publishing.map((name) => each[name]) : [],
  )
  if (isRecord(osm3s)) times.push(osm3s['timestamp_osm_base'])
  const published = dayIn(times.filter((each) => typeof each === 'string'))
  if (published !== undefined) facts.published = published
  if (isRecord(crs) && isRecord(crs['properties'])) {
    const name = crs['properties']['name'] ?? crs['properties']['code']
    if (typeof name === 'string' || typeof name === 'number') facts.crs = String(name)
  } else if (typeof crs === 'string') facts.crs = crs
  if (isRecord(spatialReference)) {
    const { latestWkid, wkid = latestWkid, wkt } = spatialReference
    if (typeof wkid === 'number') facts.crs = `EPSG:${Number(latestWkid ?? wkid)}`
    else if (typeof wkt === 'string') facts.crs = wkt
  }
  if (typeof copyright === 'string') facts.copyright = copyright
  else if (isRecord(osm3s) && typeof osm3s['copyright'] === 'string') facts.copyright = osm3s['copyright']
}
