import { styleText } from 'node:util'
import { inert, inertJson, inertLines } from './inert.ts'
import { progressOn, type Progress } from './progress.ts'
import { factLines, tableLines, type Column } from './table.ts'

/** The output of a command: results to standard output, everything else to standard error. */
export class Output {
  /** Whether results are printed as JSON. */
  readonly json: boolean

  constructor(json: boolean) {
    this.json = json
  }

  /** A result: its lines for people, or its value as JSON. */
  result(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.#write(inertJson(value, process.stdout.isTTY ? 2 : undefined))
    else for (const line of lines()) this.line(line)
  }

  /** A result that is a list: a table for people, or its value as JSON. */
  table<Row>(value: unknown, rows: readonly Row[], shape: readonly Column<Row>[], empty: string): void {
    this.result(value, () => {
      if (rows.length === 0) return [empty]
      const [heading = '', ...rest] = tableLines(
        rows,
        shape,
        process.stdout.isTTY ? process.stdout.columns : undefined,
      )
      return [styleText('bold', heading, { stream: process.stdout }), ...rest]
    })
  }

  /** A result that is one thing: its facts for people, or its value as JSON. */
  facts(value: unknown, facts: Parameters<typeof factLines>[0]): void {
    this.result(value, () => factLines(facts))
  }

  /** A line of a result for people. Untrusted text must be escaped by `inert`. */
  line(text: string): void {
    this.#write(text)
  }

  /** A note besides the result, on standard error. */
  note(text: string): void {
    process.stderr.write(`${inertLines(text)}\n`)
  }

  /** A progress bar on standard error when that is a terminal. */
  progress(label: string): Progress {
    return progressOn(process.stderr, inert(label))
  }

  #write(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}
