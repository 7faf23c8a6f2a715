import type { ActKind } from '@openfountain/core/internal'
import type { Format } from '../../messages.ts'
import { fill } from '../../messages.ts'
import type { DeskWords } from '../config.ts'

/** An act of moderation for the page, from the export or from the API. Names are user text. */
export interface ShownAct {
  readonly kind: ActKind
  readonly timestamp: string
  /** Who did it. */
  readonly by: string
  readonly about?: Place
  readonly into?: Place
  readonly isOfReview: boolean
  /** The person who was blocked, or whose changes were reverted or redacted. */
  readonly person?: string
  readonly entries: number
  readonly reason?: string
  readonly isReasonRemoved: boolean
  readonly until?: string
}

/** A fountain with a name, and the address of its page where there is one. */
export interface Place {
  readonly name: string
  readonly href?: string | undefined
}

export type ActWords = Pick<DeskWords, 'desk' | 'action'>

/** The title of an act, before the names. */
export function actTitle({ kind, until }: ShownAct, { desk, action }: ActWords, format: Format): string {
  const { acts } = desk
  if (kind === 'blocked')
    return until === undefined ? acts.blocked : fill(acts.blockedUntil, { date: format.date(until) })
  if (kind === 'unblocked' || kind === 'redacted' || kind === 'reverted') return acts[kind]
  return action[kind]
}

/** The reason of an act, or that it was removed. Undefined for acts without a reason. */
export function actReason(act: ShownAct, { desk }: ActWords, format: Format): string | undefined {
  const { acts } = desk
  if (act.reason !== undefined) return fill(acts.reason, { reason: format.isolate(act.reason) })
  if (act.isReasonRemoved) return acts.reasonRemoved
  return ['reverted', 'merged', 'restored', 'blocked'].includes(act.kind) ? acts.noReason : undefined
}

/** Whether an act is about a person; several reverted changes of one person are. */
export const isAboutPerson = ({ kind, entries, person }: ShownAct): boolean =>
  person !== undefined && (kind === 'blocked' || kind === 'unblocked' || (kind === 'reverted' && entries > 1))
