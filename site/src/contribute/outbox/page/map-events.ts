import type { Waypoint } from '@openfountain/core'
import { createOf, expectedStatus, waypointIdOf, type Submission } from '../submission.ts'
import { waypointOf } from '../flushing.ts'
import { overlaid } from '../../members.ts'
import { outbox } from '../outbox.ts'

interface Detail {
  readonly id: number | string
  readonly waypoint?: Waypoint
  readonly isWaiting?: boolean
}

/**
 * Sends the state of fountains to the page, so that the map draws queued and finished submissions, also of other tabs.
 */
export class MapEvents {
  #before: readonly Submission[] = []

  async show(submissions: readonly Submission[]): Promise<void> {
    const gone = this.#before.filter(({ key }) => submissions.every((submission) => submission.key !== key))
    this.#before = submissions
    for (const submission of gone) await withdraw(submission)
    this.repeat()
  }

  /** Sends the queue once more. */
  repeat(): void {
    for (const [id, waypoint] of waiting(this.#before)) tell({ id, waypoint, isWaiting: true })
    for (const submission of this.#before) {
      const seen = submission.state === 'refused' ? undefined : expectedStatus(submission)
      if (seen) tellStatus(seen.id, seen.status, true)
    }
  }
}

const tell = (detail: Detail): boolean =>
  document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail }))

const tellStatus = (id: number, status: unknown, isWaiting = false): boolean =>
  document.dispatchEvent(new CustomEvent('openfountain:status', { detail: { id, status, isWaiting } }))

/** The expected fountains once all is sent; without a waypoint it will be gone. */
function waiting(submissions: readonly Submission[]): Map<number | string, Waypoint | undefined> {
  const shown = new Map<number | string, Waypoint | undefined>()
  for (const submission of submissions) {
    const id =
      submission.kind === 'create' ? submission.key : (waypointIdOf(submission) ?? createOf(submission))
    if (id === undefined || submission.state === 'refused') continue
    if (submission.kind === 'delete') shown.set(id, undefined)
    if (submission.kind !== 'create' && submission.kind !== 'edit') continue
    const before = shown.get(id) ?? submission.base
    const now = { ...overlaid<Partial<Waypoint>>({ ...before }, submission.body), id: before?.id ?? 0 }
    const { latitude, longitude } = { ...submission.position, ...now }
    if (typeof latitude !== 'number' || typeof longitude !== 'number') continue
    shown.set(id, {
      amenities: [],
      addedByUserId: '',
      approved: false,
      verified: false,
      createdAt: submission.madeAt,
      updatedAt: submission.madeAt,
      ...now,
      name: String(now.name ?? submission.subject),
      latitude,
      longitude,
    })
  }
  return shown
}

/** Withdraws a submission that is no longer stored: it is finished, or was taken back. */
async function withdraw(submission: Submission): Promise<void> {
  const done = await outbox().answerOf(submission.key)
  const seen = expectedStatus(submission)
  if (seen) {
    tellStatus(seen.id, (done?.answer as { readonly status?: unknown } | undefined)?.status)
    return
  }
  if (submission.kind === 'create') tell({ id: submission.key })
  const waypoint = done ? waypointOf(done.answer) : (submission.theirs ?? submission.base)
  const id = waypointIdOf(submission)
  if (submission.kind === 'delete' && done && id !== undefined) tell({ id })
  else if (waypoint && submission.kind !== 'review' && submission.kind !== 'report')
    tell({ id: waypoint.id, waypoint })
}
