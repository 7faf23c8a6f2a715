import { digestOf, genesis, hashOf, type Head } from './entry.ts'
import { replay } from './replay.ts'
import type { Connection } from '../store/sqlite/connection/connection.ts'
import { verificationReads, type LoggedRow } from '../store/sqlite/nouns/verification.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import { cellOf } from '../places/z-order.ts'

/** The result of verifying a log. */
export interface Verification {
  /** Whether there are no problems. */
  readonly ok: boolean
  readonly entries: number
  readonly waypoints: number
  /** The number of entries whose text was removed: their hash is verified, their digest cannot be. */
  readonly redacted: number
  readonly head: Head
  /** Messages of the first problems, at most a hundred. */
  readonly problems: readonly string[]
}

const most = 100
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A state as one text, for comparing. */
function stateText(state: WaypointState): string {
  const sorted = Object.entries(state).filter(([, value]) => value !== undefined)
  return JSON.stringify(sorted.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Verifies the log of a connection, which must not change meanwhile. @internal */
export async function verifyLog(
  connection: Connection,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Verification> {
  const reads = verificationReads(connection.statements)
  const problems: string[] = []
  const report = (problem: string) => {
    if (problems.length < most) problems.push(problem)
  }
  const head = reads.head()
  const total = head.id * 2
  let done = 0
  let redacted = 0

  const step = async () => {
    if (++done % 1000 !== 0) return
    onProgress(done, total)
    await yieldToEventLoop()
  }

  let previous = genesis
  let id = 0
  for (const entry of reads.chain()) {
    id++
    if (entry.id !== id) {
      report(`entry ${id} is missing from the log`)
      id = entry.id
    }
    const digest = hex(entry.digest)
    if (entry.redacted === 1) redacted++
    else if (entry.salt === null) report(`entry ${id} has no text, but is not redacted`)
    else if (digestOf(hex(entry.salt), entry.changes) !== digest)
      report(`entry ${id}: its changes do not match its digest`)
    const hash = hex(entry.hash)
    if (hashOf(previous, entry.id, entry, digest) !== hash)
      report(`entry ${id}: its hash does not follow from entry ${id - 1}`)
    previous = hash
    await step()
  }
  if (id !== head.id || previous !== head.hash) report(`the log ends at entry ${id}, the head is ${head.id}`)

  let waypoints = 0
  const logged = reads.byWaypoint()
  let next = logged.next()
  for (const { state, cell } of reads.waypoints()) {
    waypoints++
    let replayed: WaypointState | undefined
    while (!next.done && next.value.bubblerId <= state.id) {
      const row = next.value
      if (row.bubblerId < state.id)
        report(`entry ${row.id} is about waypoint ${row.bubblerId}, which does not exist`)
      else replayed = replayRow(replayed, row, report)
      next = logged.next()
      await step()
    }
    if (replayed === undefined) report(`waypoint ${state.id} is not in the log`)
    else if (stateText(replayed) !== stateText(state)) {
      report(`waypoint ${state.id} differs from its log in: ${differing(replayed, state).join(', ')}`)
    }
    if (cell !== (state.deletedAt === undefined ? cellOf(state) : null))
      report(`waypoint ${state.id} is at another place in the index of places`)
  }
  if (!next.done)
    report(`entry ${next.value.id} is about waypoint ${next.value.bubblerId}, which does not exist`)
  for (const problem of reads.sums()) report(problem)
  onProgress(total, total)
  return { ok: problems.length === 0, entries: id, waypoints, redacted, head, problems }
}

function replayRow(
  before: WaypointState | undefined,
  row: LoggedRow,
  report: (problem: string) => void,
): WaypointState | undefined {
  try {
    return replay(before, { ...row, changes: JSON.parse(row.changes) as Record<string, unknown> })
  } catch (error) {
    report(`entry ${row.id}: ${error instanceof Error ? error.message : 'cannot be replayed'}`)
    return before
  }
}

function differing(a: WaypointState, b: WaypointState): string[] {
  const left: Record<string, unknown> = { ...a }
  const right: Record<string, unknown> = { ...b }
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]),
  )
}
