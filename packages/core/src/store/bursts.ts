import { apiUserId, type Links } from '../log/entry.ts'
import type { Burst } from './answers.ts'
import type { Row } from './tables.ts'

/** An entry about an activity, with its links as JSON. */
export type ActivityRow = Pick<Row<'entries'>, 'id' | 'by' | 'links'>

/**
 * People with at least `least` changes in force, by their first change.
 *
 * @param rows the newest first, so that an undoing is known before its entry
 */
export function burstsOf(rows: readonly ActivityRow[], least: number): Omit<Burst, 'since'>[] {
  const undone = new Set<number>()
  const people = new Map<string, { changes: number; first: number }>()
  for (const { id, by, links } of rows) {
    const { reverts } = links === null ? ({} as Links) : (JSON.parse(links) as Links)
    const isUndone = undone.has(id)
    if (reverts !== undefined) {
      if (!isUndone) undone.add(reverts)
      continue
    }
    if (isUndone || by === apiUserId) continue
    const known = people.get(by)
    if (known === undefined) people.set(by, { changes: 1, first: id })
    else Object.assign(known, { changes: known.changes + 1, first: id })
  }
  return [...people]
    .filter(([, found]) => found.changes >= least)
    .map(([userId, found]) => ({ userId, ...found }))
    .toSorted((one, other) => one.first - other.first)
}
