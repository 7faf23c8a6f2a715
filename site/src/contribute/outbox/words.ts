import { picked, type Format, type Messages } from '../../messages.ts'
import { titlesOf, type DeclaredField } from '../../custom-fields.ts'

/** The texts of the outbox, which are loaded once a user is signed in or a submission is stored. */
export type OutboxWords = ReturnType<typeof outboxWords>

/** The same in one language. */
export const outboxWords = (m: Messages, declared: readonly DeclaredField[]) => ({
  ...picked(m, 'outbox', 'field', 'fact', 'amenity', 'action'),
  custom: Object.fromEntries(titlesOf(declared)),
  problem: m.account.problem,
  account: picked(m.account, 'signIn', 'cancel', 'loading', 'retry'),
  ...picked(m.waypoint, 'position', 'unnamed'),
  labelled: m.site.labelled,
})

/** Texts and formats of the page's current language. */
export interface Wording {
  readonly words: OutboxWords
  readonly format: Format
}
