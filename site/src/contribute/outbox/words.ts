import type { Rules } from '@openfountain/core'
import { eventIcon } from '../../build/view.ts'
import { titlesOf, type DeclaredField } from '../../custom-fields.ts'
import { picked, type Format, type Messages } from '../../messages.ts'

/** The texts of the outbox, which are loaded once a user is signed in or a submission is stored. */
export type OutboxWords = ReturnType<typeof outboxWords>

/** The same in one language, with the registry's rules. */
export const outboxWords = (
  m: Messages,
  { gates, levels, xp }: Rules,
  declared: readonly DeclaredField[],
) => ({
  ...picked(m, 'outbox', 'field', 'fact', 'amenity', 'action'),
  custom: Object.fromEntries(titlesOf(declared)),
  problem: m.account.problem,
  account: picked(m.account, 'signIn', 'cancel', 'loading', 'retry'),
  position: m.waypoint.position,
  labelled: m.site.labelled,
  rules: m.rules.title,
  levels,
  /** The gated actions, the lowest gate first. */
  gates: (['postReview', 'editWaypoint', 'createWaypoint'] as const)
    .map((event) => ({
      icon: eventIcon(event),
      label: m.rules.events[event],
      xp: xp[event],
      gate: gates[event],
    }))
    .toSorted((one, other) => one.gate - other.gate),
})

/** Texts and formats of the page's current language. */
export interface Wording {
  readonly words: OutboxWords
  readonly format: Format
}
