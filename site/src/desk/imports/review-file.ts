import { restoreCell } from '@openfountain/core/published'

/** The decisions for an import row: the existing fountain, a new one, or no import. */
export const decisions = ['same', 'new', 'skip'] as const
export type Decision = (typeof decisions)[number]

/** The reason for refusing a file; `line` counts from 1. */
export type ReviewProblem =
  | { readonly code: 'notReview' | 'notText' | 'empty' }
  | { readonly code: 'badLine'; readonly line: number }

export class ReviewFileError extends Error {
  readonly problem: ReviewProblem

  constructor(problem: ReviewProblem) {
    super(problem.code)
    this.problem = problem
  }
}

/** A row that needs a decision. Texts are as the file has them. */
export interface DoubtfulRow {
  decision: Decision | undefined
  readonly row: string
  readonly ref: string
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly waypointId: number
  readonly waypointName: string
  readonly metres: number
  readonly score: number
}

interface Cell {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * A review file as `openfountain import` writes it, also after a spreadsheet has saved it. Only the decision cells
 * change: all other bytes are written back unchanged.
 */
export class ReviewFile {
  readonly rows: readonly DoubtfulRow[]
  readonly #text: string
  readonly #places: ReadonlyMap<DoubtfulRow, Cell>
  readonly #given = new Map<DoubtfulRow, Decision | undefined>()

  /** @throws ReviewFileError */
  constructor(bytes: ArrayBuffer | Uint8Array) {
    this.#text = textOf(bytes)
    // A file of another kind is reported as such, before errors of its CSV.
    if (!/^.*decision/u.test(this.#text)) throw new ReviewFileError({ code: 'notReview' })
    const [head, ...records] = recordsIn(this.#text)
    const columns = new Map(
      (head ?? []).map(({ text }, index) => [text.replace(/^\uFEFF/u, '').trim(), index]),
    )
    if (['decision', 'ref', 'waypoint'].some((name) => !columns.has(name)))
      throw new ReviewFileError({ code: 'notReview' })
    if (records.length === 0) throw new ReviewFileError({ code: 'empty' })
    const places = new Map<DoubtfulRow, Cell>()
    for (const record of records) {
      const cell = (name: string): Cell | undefined => record[columns.get(name) ?? -1]
      const at = (name: string): string => cell(name)?.text ?? ''
      const place = cell('decision')
      if (place === undefined) throw new ReviewFileError({ code: 'notReview' })
      const row: DoubtfulRow = {
        decision: decisionIn(place.text),
        row: at('row'),
        ref: at('ref'),
        name: restoreCell(at('name')),
        latitude: Number(at('latitude')),
        longitude: Number(at('longitude')),
        waypointId: Number(at('waypoint')),
        waypointName: restoreCell(at('waypoint_name')),
        metres: Number(at('distance_metres')),
        score: Number(at('score')),
      }
      places.set(row, place)
      this.#given.set(row, row.decision)
    }
    this.#places = places
    this.rows = [...places.keys()]
  }

  /** Whether a decision differs from the file as opened or last saved. */
  get isChanged(): boolean {
    return this.rows.some((row) => row.decision !== this.#given.get(row))
  }

  /** The file with the decisions in it. */
  toString(): string {
    const parts: string[] = []
    let written = 0
    for (const [{ decision }, { from, to, text }] of this.#places) {
      parts.push(this.#text.slice(written, from))
      // An unknown word stays until it is replaced; the import reports it.
      parts.push(decision === decisionIn(text) ? this.#text.slice(from, to) : (decision ?? ''))
      written = to
    }
    parts.push(this.#text.slice(written))
    return parts.join('')
  }

  /** Has it that all decisions are saved. */
  saved(): void {
    for (const row of this.rows) this.#given.set(row, row.decision)
  }
}

function decisionIn(text: string): Decision | undefined {
  const word = text.trim().toLowerCase()
  return decisions.find((one) => one === word)
}

function textOf(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ReviewFileError({ code: 'notText' })
  }
}

/** The delimiter, which spreadsheets may change, detected as the import does. */
const delimiterOf = (text: string): string => (text.slice(0, 200).split(';').length > 5 ? ';' : ',')

/** The records of a CSV file with the positions of their cells; empty lines are left out. */
function recordsIn(text: string): Cell[][] {
  const delimiter = delimiterOf(text)
  const records: Cell[][] = []
  let record: Cell[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, delimiter)
    record.push(cell)
    line += text.slice(at, cell.to).split('\n').length - 1
    at = cell.to
    if (text[at] === delimiter) {
      at += 1
      // A delimiter at the very end is followed by an empty cell.
      if (at === text.length) record.push({ from: at, to: at, text: '' })
      if (at < text.length) continue
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n')
      throw new ReviewFileError({ code: 'badLine', line })
    if (record.length > 1 || record[0]?.text !== '') records.push(record)
    record = []
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
  }
  return records
}

function plainCell(text: string, from: number, delimiter: string): Cell {
  let to = from
  while (to < text.length && text[to] !== delimiter && text[to] !== '\r' && text[to] !== '\n') to += 1
  return { from, to, text: text.slice(from, to) }
}

function quotedCell(text: string, from: number, line: number): Cell {
  let to = from + 1
  for (;;) {
    const quote = text.indexOf('"', to)
    if (quote < 0) throw new ReviewFileError({ code: 'badLine', line })
    if (text[quote + 1] !== '"') {
      to = quote + 1
      break
    }
    to = quote + 2
  }
  return { from, to, text: text.slice(from + 1, to - 1).replaceAll('""', '"') }
}
