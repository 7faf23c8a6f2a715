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

/** A review file as `openfountain import` writes it, also after a spreadsheet saved it. All but decision cells are kept to the byte. */
export class ReviewFile {
  readonly rows: readonly DoubtfulRow[]
  readonly #text: string
  readonly #places: ReadonlyMap<DoubtfulRow, Cell>
  #saved: string

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
    }
    this.#places = places
    this.rows = [...places.keys()]
    this.#saved = this.#text
  }

  /** Whether a decision differs from the file as opened or last saved. */
  get isChanged(): boolean {
    return this.toString() !== this.#saved
  }

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
    this.#saved = this.toString()
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
  const cell = new RegExp(
    String.raw`(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>(?:[^"${delimiter}\r\n][^${delimiter}\r\n]*)?))(?<end>${delimiter}|\r\n?|\n|$)`,
    'yu',
  )
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  const records: Cell[][] = []
  let record: Cell[] = []
  // A delimiter at the very end is followed by an empty cell.
  for (let isOpen = false; isOpen || cell.lastIndex < text.length;) {
    const from = cell.lastIndex
    const { groups = {}, 0: whole } = cell.exec(text) ?? {}
    const { quoted, plain = '', end = '' } = groups
    if (whole === undefined)
      throw new ReviewFileError({ code: 'badLine', line: text.slice(0, from).split('\n').length })
    record.push({ from, to: from + whole.length - end.length, text: quoted?.replaceAll('""', '"') ?? plain })
    isOpen = end === delimiter
    if (isOpen) continue
    if (record.length > 1 || record[0]?.text !== '') records.push(record)
    record = []
  }
  return records
}
