import { apiUserId, type Actor } from '../actor.ts'
import { RegistryError } from '../errors.ts'
import type { Rules } from '../rules.ts'
import type { Award, AwardEvent } from './effects.ts'

/** The author of a write, with the facts that decisions depend on. */
export interface Contributor {
  readonly kind: 'user' | 'token'
  /** The user id that the log records for the write. */
  readonly userId: string
  readonly xp: number
  readonly isModerator: boolean
}

/** The circumstances of a write: the rules in force, its author and its time. */
export interface Occasion {
  readonly rules: Rules
  readonly contributor: Contributor
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** @throws RegistryError UNAUTHORIZED for an anonymous actor */
export function signedIn(actor: Actor): Exclude<Actor, { kind: 'anonymous' }> {
  if (actor.kind === 'anonymous') throw new RegistryError('UNAUTHORIZED')
  return actor
}

/** @throws RegistryError INSUFFICIENT_XP `{ required, current }`; API tokens pass every gate */
export function passGate({ rules, contributor }: Occasion, gate: keyof Rules['gates']): void {
  const required = rules.gates[gate]
  if (contributor.kind === 'token' || contributor.xp >= required) return
  const current = contributor.xp
  throw new RegistryError('INSUFFICIENT_XP', `This needs ${required} XP; you have ${current}`, {
    required,
    current,
  })
}

/** The award for an event, or none when it earns nothing. The built-in user never earns XP. */
export function earn(
  { rules, at }: Occasion,
  userId: string,
  event: Exclude<AwardEvent, 'grant'>,
  about: { readonly waypointId?: number; readonly reviewId?: number },
): Award[] {
  const amount = rules.xp[event]
  return userId === apiUserId || amount === 0 ? [] : [{ userId, event, amount, at, ...about }]
}
