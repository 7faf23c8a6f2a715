import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tableOf, type Run } from './report.ts'

const document = path.resolve(import.meta.dirname, '../../docs/performance.md')

/** A run as Markdown: date, machine, table of readings, and skipped rows. */
export function markdownOf({ at, machine, server, waypoints, rounds, readings, leftOut }: Run): string {
  const { processor, cores, node, sqlite } = machine
  const size = waypoints.toLocaleString('en')
  return [
    `${size} waypoints, ${at.slice(0, 10)}, ${processor} × ${cores}, Node ${node}, SQLite ${sqlite}${server === undefined ? '' : `, PostgreSQL ${server}`}, ${rounds} rounds:`,
    tableOf(readings),
    ...leftOut.map(({ name, why }) => `\`${name}\` was left out: ${why}.`),
  ].join('\n\n')
}

/** Replaces the table of the run's size in docs/performance.md; every other line stays as it is. */
export function updateDocument(run: Run): void {
  const name = `bench ${run.server === undefined ? '' : 'postgres '}${run.waypoints}`
  const [from, to] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const text = readFileSync(document, 'utf8')
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  if (start === -1 || end < start)
    throw new Error(`${document} has no place for the table: add ${from} and ${to}`)
  writeFileSync(document, `${text.slice(0, start + from.length)}\n\n${markdownOf(run)}\n\n${text.slice(end)}`)
}
