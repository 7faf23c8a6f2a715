import { store, stored } from '../../client/storage.ts'
import { fieldsOf } from '../members.ts'
import type { Setting } from '../setting.ts'
import type { Values } from './changes.ts'

/** Drafts: the entries of unsent forms, stored in the browser so that they survive a reload. */
const prefix = 'draft:'

type Author = Pick<Setting, 'person'>

/** The draft of a user; other users of this device do not see it. */
export function readDraft({ person }: Author, name: string): Values | undefined {
  try {
    const { user, values } = fieldsOf(JSON.parse(stored(prefix + name) ?? 'null'))
    return user === (person?.id ?? '') && typeof values === 'object' ? fieldsOf(values) : undefined
  } catch {
    return undefined
  }
}

export const keepDraft = ({ person }: Author, name: string, values: Values): void =>
  store(prefix + name, JSON.stringify({ user: person?.id ?? '', values }))

export const forgetDraft = (name: string): void => store(prefix + name, undefined)

/** Forgets the drafts of all users of this device. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Without storage there are no drafts.
  }
}
