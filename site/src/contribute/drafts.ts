import { store, stored } from '../client/storage.ts'
import { fieldsOf, type Fields } from './members.ts'
import type { Submission } from './outbox/submission.ts'
import type { Setting } from './setting.ts'

const prefix = 'draft:'

/** The entries of an unsent form, stored in the browser so that they survive a reload. */
export class FormDraft {
  readonly #name: string
  /** Other users of this device do not see it. */
  readonly #user: string
  readonly refused: Submission | undefined

  constructor({ person }: Pick<Setting, 'person'>, name: string, refused?: Submission) {
    this.#name = refused ? `change:${refused.key}` : name
    this.#user = person?.id ?? ''
    this.refused = refused
  }

  get kept(): Fields | undefined {
    try {
      const { user, values } = fieldsOf(JSON.parse(stored(prefix + this.#name) ?? 'null'))
      return user === this.#user && typeof values === 'object' ? fieldsOf(values) : undefined
    } catch {
      return undefined
    }
  }

  /** The stored entries, else those that were refused. */
  get begun(): Fields {
    return this.kept ?? fieldsOf(this.refused?.body)
  }

  keep(values: Fields): void {
    store(prefix + this.#name, JSON.stringify({ user: this.#user, values }))
  }

  forget(): void {
    store(prefix + this.#name, undefined)
  }
}

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Without storage there are no drafts.
  }
}
