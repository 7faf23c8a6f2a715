import type { StoredEntry } from '../../log/entry.ts'
import { Frontier } from '../../log/tree.ts'
import { checkEntry } from '../../log/verification.ts'
import { provenEntryOf, type ProvenRow } from '../sqlite/nouns/verification.ts'
import type { Value } from '../value.ts'
import { linesOf, pagesOf, rowOf } from './lines.ts'
import type { CopiedTable } from '../tables.ts'

/** The most problems that are kept. */
const most = 100
/** How much of the log is looked at at a time, in bytes. */
const pageSize = 1_000_000

const hex = (value: Value | undefined): string | null =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null

/** Verifies a log that passes by as lines: what entries say against their leaves, and the leaves against the tree. */
export class LogOfLines {
  readonly #problems: string[] = []
  readonly #tree = new Frontier()
  #before: Pick<StoredEntry, 'id' | 'at'> = { id: 0, at: '' }

  /** Passes the entries on, and verifies them. */
  async *watched(table: CopiedTable, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const page of pagesOf(pieces, pageSize)) {
      for (const line of linesOf(page)) this.#check(table, line)
      yield page
    }
  }

  #check(table: CopiedTable, line: string): void {
    const values = rowOf(table, line)
    const row = Object.fromEntries(table.columns.map(({ name }, index) => [name, values[index] ?? null]))
    const entry = provenEntryOf({
      ...row,
      seed: hex(row['seed']),
      leaf: hex(row['leaf']) ?? '',
    } as unknown as ProvenRow)
    checkEntry(entry, this.#before, (problem) => this.#report(problem))
    this.#tree.append(entry.leaf)
    this.#before = entry
  }

  #report(problem: string): void {
    if (this.#problems.length < most) this.#problems.push(problem)
  }

  /** What is wrong with the log that has passed by. @param state the row of the counters */
  problems(state: ReadonlyMap<string, Value>): readonly string[] {
    if (state.get('size') !== this.#before.id || hex(state.get('peaks')) !== this.#tree.peaks)
      this.#report(`the log ends at entry ${this.#before.id}, and not as the registry says`)
    return this.#problems
  }
}
