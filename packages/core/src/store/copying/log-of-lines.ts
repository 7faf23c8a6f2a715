import type { StoredEntry } from '../../log/entry.ts'
import { Frontier } from '../../log/tree.ts'
import { checkEntry } from '../../log/verification.ts'
import { storedEntryOf, type EntryRow } from '../rows.ts'
import type { CopiedTable } from '../tables.ts'
import type { Value } from '../value.ts'
import { linesOf, rowOf } from './lines.ts'

/** The most problems to list. */
const most = 100

const hex = (value: Value | undefined): string | null =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null

/**
 * Verifies a log passed as lines: entries against their leaves, the leaves against the tree, and the tree against the
 * counters, which come last.
 */
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
