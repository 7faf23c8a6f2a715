import type { Format, Messages } from '../../messages.ts'
import { titlesOf, type DeclaredField } from '../../custom-fields.ts'

/**
 * The texts of the outbox in one language: a file of its own, loaded once a user is signed in or a submission is
 * stored.
 */
export interface OutboxWords {
  /** The titles of the declared custom fields by name. */
  readonly custom: Readonly<Record<string, string>>
  readonly outbox: Messages['outbox']
  readonly field: Messages['field']
  readonly fact: Messages['fact']
  readonly amenity: Messages['amenity']
  readonly action: Messages['action']
  readonly problem: Messages['account']['problem']
  readonly account: Pick<Messages['account'], 'signIn' | 'cancel'>
  readonly position: string
  readonly labelled: string
  /** The label of an unnamed fountain of unknown kind. */
  readonly unnamed: string
}

/** The words of one language. */
export function outboxWords(
  { outbox, field, fact, amenity, action, account, waypoint, site }: Messages,
  declared: readonly DeclaredField[],
): OutboxWords {
  return {
    custom: Object.fromEntries(titlesOf(declared)),
    outbox,
    field,
    fact,
    amenity,
    action,
    problem: account.problem,
    account: { signIn: account.signIn, cancel: account.cancel },
    position: waypoint.position,
    labelled: site.labelled,
    unnamed: waypoint.unnamed,
  }
}

/** Texts and formats of the page's current language. */
export interface Wording {
  readonly words: OutboxWords
  readonly format: Format
}
