import type { FormerUser, PublicUser } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { words } from './config.ts'
import { read } from './send.ts'

/** A person with a current or a former account. */
export type Profile = PublicUser | FormerUser

/** A person by id, with the name where there is one. */
export interface NamedPerson {
  readonly id: string
  readonly name?: string | undefined
}

const known = new Map<string, Promise<Profile | undefined>>()

/** A public profile, read once; undefined for programs and unknown ids. @throws Refusal */
export function person(id: string): Promise<Profile | undefined> {
  const found = known.get(id) ?? readPerson(id)
  known.set(id, found)
  found.catch(() => known.delete(id))
  return found
}

async function readPerson(id: string): Promise<Profile | undefined> {
  if (id === 'api') return undefined
  try {
    return (await read<{ user: Profile }>(`/users/${encodeURIComponent(id)}`)).user
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** The name of a person, or the label of a program or a deleted account. */
export function personName(one: NamedPerson | Profile): string {
  const name = 'name' in one ? one.name : undefined
  return name ?? (one.id === 'api' ? words.system : words.former)
}
