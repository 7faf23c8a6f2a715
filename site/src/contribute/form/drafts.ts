/** An unsent form, stored in the browser so that it survives a reload. */
export interface Draft {
  readonly values: Readonly<Record<string, unknown>>
}

const prefix = 'draft:'

/** @param user the id of the author; other users of this device do not see the drafts */
export class Drafts {
  readonly #user: string

  constructor(user: string) {
    this.#user = user
  }

  read(name: string): Draft['values'] | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(prefix + name) ?? 'null')
      if (typeof kept !== 'object' || kept === null || !('user' in kept) || !('values' in kept))
        return undefined
      const { user, values } = kept
      if (user !== this.#user || typeof values !== 'object' || values === null) return undefined
      return { ...values }
    } catch {
      return undefined
    }
  }

  keep(name: string, values: Draft['values']): void {
    try {
      localStorage.setItem(prefix + name, JSON.stringify({ user: this.#user, values }))
    } catch {
      // Without storage a reload forgets it.
    }
  }

  forget(name: string): void {
    try {
      localStorage.removeItem(prefix + name)
    } catch {
      // As above.
    }
  }
}

/** Forgets the drafts of all users of this device. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Without storage there are no drafts.
  }
}
