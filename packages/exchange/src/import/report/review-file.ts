import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { csvField, csvValue, restoreCell } from '@openfountain/core/published'
import type { ReadWaypoint } from '../understand/waypoint-reading.ts'
import type { Candidate } from '../match/matching.ts'
import { ImportRefused } from '../read/refusal.ts'

const headings = 'decision,row,ref,name,latitude,longitude,waypoint,waypoint_name,distance_metres,score'

/** A person's decision about a doubtful row: the same fountain as that waypoint, a new one, or not to be imported. */
export type ReviewDecision =
  | { readonly kind: 'same'; readonly waypointId: number }
  | { readonly kind: 'new' }
  | { readonly kind: 'skip' }

/** The decisions of a review file by the rows' references, and their lines as they are. */
export interface Decisions {
  readonly byRef: ReadonlyMap<string, ReviewDecision>
  readonly lines: readonly string[]
}

export const noDecisions: Decisions = { byRef: new Map(), lines: [] }

/** Whether a file has no decisions but these. An unreadable review file may have others. */
export async function hasOnly(lines: readonly string[], path: string): Promise<boolean> {
  if (!existsSync(path)) return true
  return readReview(path).then(
    (found) => found.lines.every((line) => lines.includes(line)),
    () => false,
  )
}

/** The first line of a review file. */
export const reviewHeader = `${headings}\r\n`

/** One line of a review file, its decision left open. */
export function reviewLine(row: number, ref: string, read: ReadWaypoint, candidate: Candidate): string {
  const { id, name, metres, score } = candidate
  const cells = [
    '',
    row,
    ref,
    read.name,
    read.latitude,
    read.longitude,
    id,
    name,
    metres.toFixed(1),
    score.toFixed(2),
  ]
  return `${cells.map(csvValue).join(',')}\r\n`
}

/**
 * The decisions of an edited review file by the rows' references: `same`, `new` or `skip` in the first column;
 * rows without a decision stay doubtful. Spreadsheets may have changed its delimiter.
 *
 * @throws ImportRefused REVIEW naming the line
 */
export async function readReview(path: string): Promise<Decisions> {
  let lines: Record<string, string>[]
  try {
    const text = await readFile(path, 'utf8')
    const delimiter = text.slice(0, 200).split(';').length > 5 ? ';' : ','
    lines = parse(text, {
      columns: true,
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
    })
  } catch (error) {
    const found = `The review file "${path}" cannot be read.`
    throw new ImportRefused({ code: 'REVIEW', file: path }, found, { cause: error })
  }
  const decisions = new Map<string, ReviewDecision>()
  const decided: string[] = []
  for (const [index, line] of lines.entries()) {
    const { waypoint } = line
    const decision = line['decision']?.trim().toLowerCase()
    const refused = (found: string) =>
      new ImportRefused({ code: 'REVIEW', line: index + 2 }, `Line ${index + 2}${found}`)
    if (decision === undefined || line['ref'] === undefined)
      throw refused(' has no column "decision" or "ref".')
    if (decision === '') continue
    const ref = restoreCell(line['ref'])
    decided.push(
      `${headings
        .split(',')
        .map((heading) => csvField(line[heading] ?? ''))
        .join(',')}\r\n`,
    )
    if (decision === 'new' || decision === 'skip') decisions.set(ref, { kind: decision })
    else if (decision === 'same' && /^\d+$/u.test(waypoint ?? ''))
      decisions.set(ref, { kind: 'same', waypointId: Number(waypoint) })
    else throw refused(`: "${decision}" is not a decision; write "same", "new" or "skip", or leave it empty.`)
  }
  return { byRef: decisions, lines: decided }
}
