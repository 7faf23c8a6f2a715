import type { Value, CopiedTable, Kind } from '../tables.ts'
import type { StoredEntry } from '../../log/entry.ts'
import { Frontier } from '@openfountain/tlog/frontier'
import { checkEntry } from '../../log/verification.ts'
import { storedEntryOf, type EntryRow } from '../rows.ts'

/** Rows as lines in the text format of PostgreSQL's COPY, in one form only, so that equal lines mean equal rows. */

const escaped = /[\\\b\f\n\r\t\v]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(escapes).map(([character, [, letter = '']]) => [letter, character]),
)

/** The shortest decimals that give the number again, as PostgreSQL writes them: with an exponent below 0.0001. */
function realText(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return Object.is(value, -0) ? '-0' : '0'
  if (size >= 1e-4 && size < 1e15) return String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const sign = exponent.startsWith('-') ? '-' : '+'
  return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`
}

function field(value: Value, kind: Kind): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return value.replaceAll(escaped, (each) => escapes[each] ?? each)
  if (typeof value === 'number' && kind === 'real') return realText(value)
  if (typeof value !== 'object') return String(value)
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

export function lineOf({ columns }: Pick<CopiedTable, 'columns'>, row: readonly Value[]): string {
  let line = ''
  for (let index = 0; index < columns.length; index++) {
    if (index > 0) line += '\t'
    line += field(row[index] ?? null, columns[index]?.kind ?? 'text')
  }
  return line
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(.)/gs, (_both, letter: string) => characters[letter] ?? letter)
    : text

function valueOf(text: string, kind: Kind): Value {
  if (text === '\\N') return null
  if (kind === 'integer' || kind === 'real' || kind === 'boolean') return Number(text)
  // Two backslashes and an x come before the hexadecimal digits.
  if (kind === 'bytes') return Buffer.from(text.slice(3), 'hex')
  return unescaped(text)
}

export function rowOf({ columns }: Pick<CopiedTable, 'columns'>, line: string): Value[] {
  const fields = line.split('\t')
  const row = columns.map(({ kind }, index) => valueOf(fields[index] ?? '\\N', kind))
  const ofSubject = columns.findIndex(({ kind }) => kind === 'subject')
  // The kind of the subject is the column before its id.
  if (ofSubject > 0 && row[ofSubject - 1] !== 'user') row[ofSubject] = Number(row[ofSubject])
  return row
}

const lineEnd = 10
const pageBytes = 1_000_000

export function countLines(piece: Uint8Array): number {
  let count = 0
  for (let at = piece.indexOf(lineEnd); at !== -1; at = piece.indexOf(lineEnd, at + 1)) count++
  return count
}

/** Cuts pieces of text, which may begin and end anywhere, into pages of whole lines. */
export async function* pagesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    held.push(piece)
    length += piece.length
    if (length < pageBytes) continue
    const end = piece.lastIndexOf(lineEnd) + 1
    if (end === 0) continue
    const rest = piece.subarray(end)
    held[held.length - 1] = piece.subarray(0, end)
    yield Buffer.concat(held)
    held = [rest]
    length = rest.length
  }
  if (length > 0) yield Buffer.concat(held)
}

export function linesOf(page: Buffer): string[] {
  return page.toString('utf8', 0, page.length - 1).split('\n')
}

const most = 100

const hex = (value: Value | undefined): string | null =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null

/** Verifies a log passed as lines: entries against leaves, leaves against the tree, the tree against counters, which come last. */
export class LogOfLines {
  readonly problems: string[] = []
  readonly #tree = new Frontier()
  #before: Pick<StoredEntry, 'id' | 'at'> = { id: 0, at: '' }

  pass(table: CopiedTable, page: Buffer): void {
    if (table.name !== 'entries' && table.name !== 'state') return
    for (const line of linesOf(page)) {
      const values = rowOf(table, line)
      const row = Object.fromEntries(table.columns.map(({ name }, index) => [name, values[index] ?? null]))
      if (table.name === 'entries') this.#entry(row as unknown as EntryRow)
      else if (row['size'] !== this.#before.id || hex(row['peaks']) !== this.#tree.peaks)
        this.#report(`the log ends at entry ${this.#before.id}, and not as the registry says`)
    }
  }

  #entry(row: EntryRow): void {
    const entry = storedEntryOf(row)
    checkEntry({ ...entry, text: row.fields }, this.#before, (problem) => this.#report(problem))
    this.#tree.append(entry.leaf)
    this.#before = entry
  }

  #report(problem: string): void {
    if (this.problems.length < most) this.problems.push(problem)
  }
}
