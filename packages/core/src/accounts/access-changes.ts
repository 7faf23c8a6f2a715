import { currentLanguage } from '../security-events.ts'

/** A change of an account's credentials, reported to its owner. */
export interface AccessChange {
  readonly userId: string
  readonly change: 'added' | 'removed'
  readonly what: 'token' | 'passkey' | 'provider' | 'address'
  /** Its name, or the address. */
  readonly name: string
  /** The language of the request's sender, a tag such as `de`, where known. */
  readonly language?: string | undefined
}

/** Tells of changes after they were written. @internal */
export class AccessChanges {
  readonly #listeners = new Set<(change: AccessChange) => void>()

  on(listener: (change: AccessChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(change: Omit<AccessChange, 'language'>): void {
    const told = { ...change, language: currentLanguage() }
    for (const listener of this.#listeners) listener(told)
  }
}
