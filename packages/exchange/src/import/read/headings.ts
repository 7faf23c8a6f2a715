import { folded } from '@openfountain/core/letters'
import dictionary from '../understand/headings.json' with { type: 'json' }

/** Records in which headings are looked for. */
export const examinedRecords = 50

const isFilled = (cell: unknown): boolean => cell !== undefined && cell !== null && String(cell).trim() !== ''

const filledIn = (record: readonly unknown[]): number => record.filter(isFilled).length

/** Whether a cell is a number, coordinates or JSON, which no heading is. */
export function isData(cell: unknown): boolean {
  if (typeof cell === 'number' || typeof cell === 'boolean') return true
  return /^(?:[-+]?\d+(?:[.,]\d+)?$|[{[]|(?:MULTI)?POINT\s*Z?\s*\(|-?\d+[.,]\d+\s*[,;]\s*-?\d)/iu.test(
    String(cell ?? '').trim(),
  )
}

/**
 * The index of the record with the headings among the first records of a table: titles above them fill no more than half of
 * the cells that records usually fill, comments begin with `#`. 0 where no record below is one of headings.
 */
export function headingAt(records: readonly (readonly unknown[])[]): number {
  const widths = records.map(filledIn)
  const sorted = widths.filter((width) => width > 1).toSorted((one, other) => one - other)
  const enough = Math.max(1, (sorted[sorted.length >> 1] ?? 0) / 2)
  const isWide = (at: number): boolean => (widths[at] ?? 0) > enough
  const isHeading = (at: number): boolean => isWide(at) && records[at]?.some(isData) === false
  const body = records.findIndex(([first]) => !String(first ?? '').startsWith('#'))
  for (const from of [body, 0]) {
    const found = records.findIndex((_, at) => at >= from && isWide(at))
    if (found > 0 && isHeading(found)) return found
  }
  return 0
}

/** Names for the columns: each once, `column7` where a heading is empty. */
export function headings(first: readonly unknown[]): string[] {
  const seen = new Map<string, number>()
  return Array.from(first, (cell, index) => {
    const name =
      String(cell ?? '')
        .replace(/^\uFEFF/u, '')
        .trim() || `column${index + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}

/** Names for the columns of a table without headings: those that are given, then `column7`. */
export const numbered = (width: number, given: readonly string[] = []): string[] =>
  Array.from({ length: width }, (_, index) => given[index] ?? `column${index + 1}`)

const [latitudes, longitudes] = [new Set(dictionary.latitude), new Set(dictionary.longitude)]
const places = new Set([...dictionary.position, ...dictionary.geometry])

/** Whether headings name coordinates: a latitude and a longitude, or a position in one column. */
export function nameCoordinates(names: readonly string[]): boolean {
  const plain = names.map(folded)
  const has = (words: Set<string>) => plain.some((name) => words.has(name))
  return (has(latitudes) && has(longitudes)) || has(places)
}
