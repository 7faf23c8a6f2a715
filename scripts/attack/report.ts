import { styleText } from 'node:util'
import { inert } from '../../packages/cli/src/inert.ts'
import type { Result } from './run.ts'

const columns: readonly (readonly [heading: string, width: number, of: (result: Result) => string])[] = [
  ['Result', 7, ({ result }) => (result === 'broken' ? 'BROKEN' : result)],
  ['Attack', 20, ({ name }) => name],
  ['What a stranger wants', 34, ({ wants }) => wants],
  ['What was done', 40, ({ did }) => did],
  ['What came out', 40, ({ came }) => came],
]

/** The lines of a cell: words are wrapped, and long ones split. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of inert(text).split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (joined.length <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (line.length > width) {
      lines.push(line.slice(0, width))
      line = line.slice(width)
    }
  }
  return [...lines, line]
}

function rowLines(cells: readonly string[]): string[] {
  const parts = cells.map((cell, index) => wrapped(cell, columns[index]?.[1] ?? 10))
  const height = Math.max(...parts.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    parts
      .map((part, index) => (part[line] ?? '').padEnd(columns[index]?.[1] ?? 10))
      .join('  ')
      .trimEnd(),
  )
}

/** The results as a table for people. */
export function tableOf(results: readonly Result[]): string {
  const rule = columns.map(([, width]) => '-'.repeat(width)).join('  ')
  const lines = [...rowLines(columns.map(([heading]) => heading)), rule]
  for (const result of results) lines.push(...rowLines(columns.map(([, , of]) => of(result))))
  return lines.join('\n')
}

export type Counts = Readonly<Record<Result['result'], number>>

export function countsOf(results: readonly Result[]): Counts {
  const of = (kind: Result['result']) => results.filter(({ result }) => result === kind).length
  return { held: of('held'), broken: of('broken'), skipped: of('skipped') }
}

/** The last line. */
export function summaryOf({ held, broken, skipped }: Counts): string {
  const text = `${held} held, ${broken} broken, ${skipped} skipped`
  return styleText(broken === 0 ? 'green' : 'red', text, { stream: process.stdout })
}
