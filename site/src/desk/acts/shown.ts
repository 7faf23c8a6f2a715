import type { ActKind } from '@openfountain/core/internal'
import type { Format } from '../../messages.ts'
import { fill } from '../../messages.ts'
import type { DeskWords } from '../config.ts'

/** An act of moderation as the page shows it, from the export or from the API. Names are text by people. */
export interface ShownAct {
  readonly kind: ActKind
  readonly timestamp: string
  /** Who did it. */
  readonly by: string
  readonly about?: Place
  readonly into?: Place
  readonly isOfReview: boolean
  /** Who was blocked, or whose changes were undone or redacted. */
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

/** What was done, before the names. */
export function actTitle({ kind, until }: ShownAct, { desk, action }: ActWords, format: Format): string {
  const { acts } = desk
  if (kind === 'blocked')
    return until === undefined ? acts.blocked : fill(acts.blockedUntil, { date: format.date(until) })
  if (kind === 'unblocked' || kind === 'redacted' || kind === 'reverted') return acts[kind]
  return action[kind]
}

/** Why it was done, or that nobody can say. Undefined where no reason is asked for. */
export function actReason(act: ShownAct, { desk }: ActWords, format: Format): string | undefined {
  const { acts } = desk
  if (act.reason !== undefined) return fill(acts.reason, { reason: format.isolate(act.reason) })
  if (act.isReasonRemoved) return acts.reasonRemoved
  return ['reverted', 'merged', 'restored', 'blocked'].includes(act.kind) ? acts.noReason : undefined
}

/** What an act is about: several changes of one person are about the person. */
export const isAboutPerson = ({ kind, entries, person }: ShownAct): boolean =>
  person !== undefined && (kind === 'blocked' || kind === 'unblocked' || (kind === 'reverted' && entries > 1))
