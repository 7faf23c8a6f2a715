import type { Rules } from '@openfountain/core'
import { eventIcon } from '../build/view.ts'
import type { DeclaredField } from '../custom-fields.ts'
import { picked, type Messages } from '../messages.ts'

/** The texts of forms, outbox and own contributions, beside those of pages (build/labels.ts). */
export type ContributeWords = ReturnType<typeof contributeWords>

/** The same in one language, with the registry's rules. Scripts load them once somebody contributes. */
export const contributeWords = (
  m: Messages,
  { gates, levels, reviews, xp }: Rules,
  /** The declared custom fields, with the registry's own texts. */
  custom: readonly DeclaredField[],
) => ({
  ...picked(m, 'contribute', 'outbox'),
  problem: m.account.problem,
  account: picked(
    m.account,
    ...(['signIn', 'cancel', 'save', 'loading', 'retry', 'needed'] as const),
    ...(['openToAll', 'invited', 'closed', 'askInvitation', 'invitationSubject', 'withoutOne'] as const),
  ),
  map: picked(m.map, 'bearing', 'directions', 'close', 'locating', 'locationDenied', 'locationFailed'),
  custom,
  rules: { title: m.rules.title, gates, levels, reviews, xp },
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
