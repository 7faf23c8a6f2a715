import type { Waypoint } from '@openfountain/core'
import { createOf, waypointIdOf, type Act } from '../act.ts'
import { waypointOf } from '../flushing.ts'
import { seenBy } from '../expected.ts'
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
  #before: readonly Act[] = []

  async show(acts: readonly Act[]): Promise<void> {
    const gone = this.#before.filter(({ key }) => acts.every((act) => act.key !== key))
    this.#before = acts
    for (const act of gone) await withdraw(act)
    this.repeat()
  }

  /** Sends the queue once more. */
  repeat(): void {
    for (const [id, waypoint] of waiting(this.#before))
      tell({ id, ...(waypoint && { waypoint }), isWaiting: true })
    for (const act of this.#before) {
      const seen = act.state === 'refused' ? undefined : seenBy(act)
      if (seen) tellStatus(seen.id, seen.status, true)
    }
  }
}

const tell = (detail: Detail): boolean =>
  document.dispatchEvent(new CustomEvent('openfountain:waypoint', { detail }))

const tellStatus = (id: number, status: unknown, isWaiting = false): boolean =>
  document.dispatchEvent(new CustomEvent('openfountain:status', { detail: { id, status, isWaiting } }))

/** Fountains as they will be once everything is sent; without a waypoint it will be gone. */
function waiting(acts: readonly Act[]): Map<number | string, Waypoint | undefined> {
  const shown = new Map<number | string, Waypoint | undefined>()
  for (const act of acts) {
    const id = act.kind === 'create' ? act.key : (waypointIdOf(act) ?? createOf(act))
    if (id === undefined || act.state === 'refused') continue
    if (act.kind === 'delete') shown.set(id, undefined)
    if (act.kind !== 'create' && act.kind !== 'edit') continue
    const before = shown.get(id) ?? act.base
    const now = { ...overlaid<Partial<Waypoint>>({ ...before }, act.body), id: before?.id ?? 0 }
    const { latitude, longitude } = { ...act.position, ...now }
    if (typeof latitude !== 'number' || typeof longitude !== 'number') continue
    shown.set(id, {
      amenities: [],
      addedByUserId: '',
      approved: false,
      verified: false,
      createdAt: act.madeAt,
      updatedAt: act.madeAt,
      ...now,
      name: String(now.name ?? act.subject),
      latitude,
      longitude,
    })
  }
  return shown
}

/** An act that is not kept any more: it was done, or taken back. */
async function withdraw(act: Act): Promise<void> {
  const done = await outbox().answerOf(act.key)
  const seen = seenBy(act)
  if (seen) {
    tellStatus(seen.id, (done?.answer as { readonly status?: unknown } | undefined)?.status)
    return
  }
  if (act.kind === 'create') tell({ id: act.key })
  const waypoint = done ? waypointOf(done.answer) : (act.theirs ?? act.base)
  const id = waypointIdOf(act)
  if (act.kind === 'delete' && done && id !== undefined) tell({ id })
  else if (waypoint && act.kind !== 'review' && act.kind !== 'report') tell({ id: waypoint.id, waypoint })
}
