import type { Rules } from '@openfountain/core'
import { picked, type Messages } from '../messages.ts'
import type { DeclaredField } from '../custom-fields.ts'

/** The texts of the forms, which are loaded at the first contribution. */
export type ContributeWords = ReturnType<typeof contributeWords>

/** The same in one language, with the registry's rules. */
export function contributeWords(
  m: Messages,
  { gates, reviews, xp }: Rules,
  /** The declared custom fields, with the registry's own texts. */
  custom: readonly DeclaredField[],
) {
  return {
    ...picked(m, 'contribute', 'amenity', 'field', 'fact'),
    problem: m.account.problem,
    account: picked(m.account, 'signIn', 'cancel', 'save'),
    map: picked(
      m.map,
      'distanceMetres',
      'distanceKilometres',
      'bearing',
      'directions',
      'close',
      'open',
      'locating',
      'locationDenied',
      'locationFailed',
      'kind',
      'features',
    ),
    stars: m.waypoint.stars,
    unnamed: m.waypoint.unnamed,
    labelled: m.site.labelled,
    again: m.outbox.again,
    custom,
    rules: { gates, reviews, xp },
  }
}
