import { styleText } from 'node:util'
import { fitted, inert, widthOf } from './inert.ts'

/** Numbers are aligned to the right; undefined is an empty cell. */
type Cell = string | number | boolean | undefined

/** The columns of a table for people: members or functions of its rows, by heading. */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>

const gap = '  '
const narrowest = 8

function textOf(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return inert(value)
}

function shrunk(widths: readonly number[], columns: number): number[] {
  const result = [...widths]
  const total = (): number => result.reduce((sum, width) => sum + width, gap.length * (result.length - 1))
  while (total() > columns) {
    const widest = result.indexOf(Math.max(...result))
    const width = result[widest] ?? 0
    if (width <= narrowest) break
    result[widest] = Math.max(narrowest, width - (total() - columns))
  }
  return result
}

/** Lines of a table with a heading. @param columns the terminal's width; without one nothing is cut */
export function tableLines<Row>(
  rows: readonly Row[],
  shape: Columns<Row>,
  columns: number = Number.POSITIVE_INFINITY,
): string[] {
  const values = Object.values(shape)
  const cells = rows.map((row) =>
    values.map((value) => (typeof value === 'string' ? (row[value] as Cell) : value(row))),
  )
  const texts = [Object.keys(shape), ...cells.map((line) => line.map(textOf))]
  const widths = values.map((_column, index) => Math.max(...texts.map((line) => widthOf(line[index] ?? ''))))
  const fitting = shrunk(widths, columns)
  const isNumeric = values.map(
    (_column, index) => cells.length > 0 && cells.every((line) => typeof line[index] !== 'string'),
  )
  return texts.map((line) =>
    line
      .map((text, index) => {
        const width = fitting[index] ?? 0
        const shown = fitted(text, width)
        const padding = ' '.repeat(Math.max(0, width - widthOf(shown)))
        return isNumeric[index] === true ? padding + shown : shown + padding
      })
      .join(gap)
      .trimEnd(),
  )
}

/** Lines of a list on standard output: a table of its width with a bold heading, or a sentence for an empty one. */
export function listLines<Row>(rows: readonly Row[], shape: Columns<Row>, empty: string): string[] {
  if (rows.length === 0) return [empty]
  const { isTTY, columns } = process.stdout
  const [heading = '', ...rest] = tableLines(rows, shape, isTTY ? columns : undefined)
  return [styleText('bold', heading, { stream: process.stdout }), ...rest]
}

/** Lines of names and values, one pair a line; absent values are left out. */
export function factLines(facts: readonly (readonly [name: string, value: Cell])[]): string[] {
  const known = facts.filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...known.map(([name]) => widthOf(name)))
  return known.map(([name, value]) => `${name}${' '.repeat(width - widthOf(name))}  ${textOf(value)}`)
}
