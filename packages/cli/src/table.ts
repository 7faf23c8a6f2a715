import { fitted, inert, widthOf } from './inert.ts'

/** A column of a table for people. */
export interface Column<Row> {
  readonly heading: string
  /** Numbers are aligned to the right; undefined is an empty cell. */
  readonly value: (row: Row) => string | number | boolean | undefined
}

const gap = '  '
const narrowest = 8

function textOf(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return inert(value)
}

/** Narrows the widest columns until a line fits. */
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

/**
 * Lines of a table with a heading.
 *
 * @param columns the terminal's width; without one nothing is cut
 */
export function tableLines<Row>(
  rows: readonly Row[],
  shape: readonly Column<Row>[],
  columns: number = Number.POSITIVE_INFINITY,
): string[] {
  const cells = rows.map((row) => shape.map(({ value }) => value(row)))
  const texts = [shape.map(({ heading }) => heading), ...cells.map((line) => line.map(textOf))]
  const widths = shape.map((_column, index) => Math.max(...texts.map((line) => widthOf(line[index] ?? ''))))
  const fitting = shrunk(widths, columns)
  const isNumeric = shape.map(
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

/** Lines of names and values, one pair a line; absent values are left out. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | number | boolean | undefined])[],
): string[] {
  const known = facts.filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...known.map(([name]) => widthOf(name)))
  return known.map(([name, value]) => `${name}${' '.repeat(width - widthOf(name))}  ${textOf(value)}`)
}
