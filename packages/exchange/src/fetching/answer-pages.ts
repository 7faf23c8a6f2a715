import { isRecord } from '../import/read/nested-fields.ts'

export interface AnswerPage {
  readonly count: number
  /** The rows as texts; those of XML as one. */
  readonly rows: readonly string[]
  readonly between: string
  /** How many rows there are in all, where it says so. */
  readonly total?: number | undefined
  /** The address of the next page; absent for the last one. */
  readonly next?: URL | undefined
  /** Whether the answer alone is a document of a known format, such as GeoJSON. */
  readonly isDocument: boolean
  readonly around: readonly [before: string, after: string]
}

type Json = Readonly<Record<string, unknown>>

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
const rowsOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)

function withParameters(url: URL, parameters: Readonly<Record<string, string | number>>): URL {
  const next = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    // Names of parameters of a web feature service are in any case.
    const known = [...next.searchParams.keys()].find((key) => key.toLowerCase() === name.toLowerCase())
    next.searchParams.set(known ?? name, String(value))
  }
  return next
}

const plainList = ['[', ']'] as const
const ofList = { isDocument: false, around: plainList } as const

/** A document with other features, without its marks of further pages. */
function withFeatures({ exceededTransferLimit: _more, ...document }: Json): AnswerPage['around'] {
  const { features: _features, properties, ...head } = document
  const { exceededTransferLimit: _also, ...own } = isRecord(properties) ? properties : {}
  const kept = { ...head, ...(Object.keys(own).length > 0 && { properties: own }) }
  const text = JSON.stringify(kept)
  const start = text === '{}' ? '{' : `${text.slice(0, -1)},`
  return [`${start}"features":[`, ']}']
}

const collection = /<((?:[\w.-]+:)?FeatureCollection)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/u
/** Characters at the beginning of an answer in which its root is. */
const headSize = 65_536

function gmlPage(url: URL, document: string, got: number): AnswerPage | undefined {
  const root = collection.exec(document.slice(0, headSize))
  const [tag = '', name, attributes = ''] = root ?? []
  const end = document.lastIndexOf(`</${name}`)
  if (root === null || end === -1) return undefined
  const said = (attribute: string): string | undefined =>
    new RegExp(`\\s${attribute}\\s*=\\s*(["'])(.*?)\\1`, 'su').exec(attributes)?.[2]
  const numberOf = (attribute: string): number | undefined => countOf(Number(said(attribute) ?? Number.NaN))
  const begin = root.index + tag.length
  const [count, total] = [numberOf('numberReturned') ?? 0, numberOf('numberMatched')]
  const link = said('next')?.replaceAll('&amp;', '&')
  const linked = link !== undefined && URL.canParse(link, url.href) ? new URL(link, url) : undefined
  const isMore = count > 0 && !(total !== undefined && got + count >= total)
  // Behind a proxy, the links of a server may name another host than its own.
  const counted =
    total === undefined || linked?.origin === url.origin
      ? linked
      : withParameters(url, { startIndex: got + count })
  return {
    count,
    rows: [document.slice(begin, end)],
    between: '',
    total,
    next: isMore ? counted : undefined,
    isDocument: true,
    around: [document.slice(0, begin), document.slice(end)],
  }
}

/**
 * Reads an answer as a page: of ArcGIS, CKAN, Opendatasoft, Socrata, OData, a web feature service or OGC API Features.
 *
 * @param url the address that answered
 * @param document JSON that was parsed, or the text of XML
 * @param got rows of the pages before
 * @returns undefined for another document
 */
export function pageOf(url: URL, document: unknown, got: number): AnswerPage | undefined {
  if (typeof document === 'string') return gmlPage(url, document, got)
  const found = jsonPage(url, document, got)
  if (found === undefined) return undefined
  const { rows } = found
  return { ...found, count: rows.length, rows: rows.map((row) => JSON.stringify(row)), between: ',\n' }
}

interface JsonPage extends Pick<AnswerPage, 'total' | 'next' | 'isDocument' | 'around'> {
  readonly rows: readonly unknown[]
}

function jsonPage(url: URL, document: unknown, got: number): JsonPage | undefined {
  const socrata = /\/resource\/[a-z\d]{4}-[a-z\d]{4}\.(?:geo)?json$/u.test(url.pathname)
  const list = rowsOf(document)
  if (list !== undefined && !socrata) return undefined
  const features = isRecord(document) ? rowsOf(document['features']) : undefined
  if (socrata) {
    const rows = list ?? features
    if (rows === undefined) return undefined
    const limit = Number(url.searchParams.get('$limit') ?? 1000)
    const next =
      rows.length < limit ? undefined : withParameters(url, { $offset: got + rows.length, $order: ':id' })
    const around = isRecord(document) ? withFeatures(document) : plainList
    return { rows, next, isDocument: true, around }
  }
  if (!isRecord(document)) return undefined
  const after = (rows: readonly unknown[], total: number | undefined, parameters: Record<string, number>) =>
    rows.length > 0 && total !== undefined && got + rows.length < total
      ? withParameters(url, parameters)
      : undefined
  const { result } = document
  const records = isRecord(result) ? rowsOf(result['records']) : undefined
  if (isRecord(result) && records !== undefined) {
    const total = countOf(result['total'])
    const link = isRecord(result['_links']) ? result['_links']['next'] : undefined
    const next = after(records, total, { offset: got + records.length })
    const linked = next !== undefined && typeof link === 'string' ? new URL(link, url) : next
    return { ...ofList, rows: records, total, next: linked }
  }
  // Of OData 4.
  const values = rowsOf(document['value'])
  const nextLink = document['@odata.nextLink']
  if (values !== undefined && (typeof nextLink === 'string' || got > 0))
    return {
      ...ofList,
      rows: values,
      total: countOf(document['@odata.count']),
      next: typeof nextLink === 'string' ? new URL(nextLink, url) : undefined,
    }
  const results = rowsOf(document['results'])
  const totalCount = countOf(document['total_count'])
  if (results !== undefined && totalCount !== undefined) {
    const next = after(results, totalCount, { offset: got + results.length, limit: 100 })
    return { ...ofList, rows: results, total: totalCount, next }
  }
  const hits = countOf(document['nhits'])
  const older = rowsOf(document['records'])
  if (older !== undefined && hits !== undefined)
    return {
      ...ofList,
      rows: older,
      total: hits,
      next: after(older, hits, { start: got + older.length, rows: 100 }),
    }
  if (features === undefined) return undefined
  const found = { rows: features, isDocument: true, around: withFeatures(document) } as const
  const { properties, links } = document
  const more =
    document['exceededTransferLimit'] ?? (isRecord(properties) && properties['exceededTransferLimit'])
  if (more === true) return { ...found, next: withParameters(url, { resultOffset: got + features.length }) }
  const total = countOf(document['numberMatched']) ?? countOf(document['totalFeatures'])
  const link = (rowsOf(links) ?? []).find((each) => isRecord(each) && each['rel'] === 'next')
  if (isRecord(link) && typeof link['href'] === 'string')
    return { ...found, total, next: new URL(link['href'], url) }
  const next = after(features, total, { startIndex: got + features.length })
  return got === 0 && total === undefined ? undefined : { ...found, total, next }
}
