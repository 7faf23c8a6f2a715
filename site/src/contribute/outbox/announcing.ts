import type { Waypoint } from '@openfountain/core'
import type { ObservationKind } from '@openfountain/core/status'
import { announce } from '../../client/announce.ts'
import { fieldsOf, overlaid } from '../members.ts'
import {
  anonymous,
  fountainOf,
  unsentWaypoint,
  waypointIdOf,
  waypointOf,
  type Done,
  type Submission,
} from './submission.ts'

const tell = (id: number | string, waypoint?: Waypoint, isWaiting = false): void =>
  announce('openfountain:waypoint', { id, waypoint, isWaiting })

export function announceQueue(queue: readonly Submission[]): void {
  const accepted = queue.filter(({ state }) => state !== 'refused')
  for (const [id, waypoint] of expectedFountains(accepted)) tell(id, waypoint, true)
  for (const submission of accepted) {
    const status = expectedStatus(submission)
    if (status) announce('openfountain:status', { id: waypointIdOf(submission), status, isWaiting: true })
  }
}

/** Tells the page the result of a submission that is no longer queued. @param done absent when it was withdrawn */
export function announceEnd(submission: Submission, done: Pick<Done, 'answer'> | undefined): void {
  const { kind, key, base, conflict } = submission
  const id = waypointIdOf(submission)
  if (kind === 'observation' && (done || expectedStatus(submission)))
    announce('openfountain:status', { id, status: fieldsOf(done?.answer)['status'], isWaiting: false })
  if (kind === 'create') tell(key)
  if (kind === 'delete' && done && id !== undefined) tell(id)
  else if (kind === 'create' || kind === 'edit' || kind === 'delete') {
    const waypoint = done ? waypointOf(done.answer) : (conflict?.theirs ?? base)
    if (waypoint) tell(waypoint.id, waypoint)
  }
}

function expectedFountains(queue: readonly Submission[]): Map<number | string, Waypoint | undefined> {
  const shown = new Map<number | string, Waypoint | undefined>()
  for (const submission of queue) {
    const { kind, key, body, base, position, madeAt, subject } = submission
    const id = fountainOf(submission) ?? key
    if (kind === 'delete') shown.set(id, undefined)
    if (kind !== 'create' && kind !== 'edit') continue
    const before = shown.get(id) ?? base
    const now = { ...overlaid<Partial<Waypoint>>({ ...before }, body), id: before?.id ?? 0 }
    const { latitude, longitude } = { ...position, ...now }
    if (typeof latitude !== 'number' || typeof longitude !== 'number') continue
    shown.set(id, {
      ...unsentWaypoint(madeAt),
      ...now,
      name: String(now.name ?? subject),
      latitude,
      longitude,
    })
  }
  return shown
}

/** The status that a queued observation leads to, as the API has it; without an account only problems count. */
function expectedStatus({ kind: what, by, body }: Submission): unknown {
  if (what !== 'observation') return undefined
  const { kind, observedAt } = body as { readonly kind: ObservationKind; readonly observedAt: string }
  if (kind !== 'works') return { state: 'reported', since: observedAt, supporters: 1 }
  if (by === anonymous) return undefined
  return { state: 'works', since: observedAt, lastConfirmed: observedAt, supporters: 1 }
}
