import { z } from 'zod'
import type { Registration, SignedIn } from '../decide/account.ts'
import { hashesFor } from '../pseudonyms.ts'
import { parse } from '../schemas/parse.ts'
import { UserName } from '../schemas/user.ts'
import type { Store } from '../store/port.ts'

/** A signed-in user; `session` is the value of the cookie of that name, which is not stored. */
export interface SignInResult extends SignedIn {
  readonly session: string
  readonly expiresAt: string
}

/** A person who may be new. */
export interface Newcomer {
  /** The name of an account that is new. */
  readonly name?: string | undefined
  readonly registration: Registration
  /** A label by which the user recognises the session. */
  readonly device?: string | undefined
  /**
   * Their network, such as `192.0.2.0/24`: it makes at most 20 accounts a day (`newcomers` in the rules). A keyed hash
   * is kept until the end of the day. Default unknown, and without limit.
   */
  readonly network?: string | undefined
}

/** How a link is redeemed. */
export interface LinkRedemption {
  /** The account name of an invited person. */
  readonly name?: unknown
  /** A label by which the user recognises the session. */
  readonly device?: string | undefined
  /** With `closed` nobody who is invited gets an account. Default `invite`. */
  readonly registration?: Registration | undefined
}

export const Invitation = z.object({ name: UserName.optional(), isModerator: z.boolean().default(false) })
export const NamedPerson = z.object({ name: UserName.optional() })

/** A person who may be new, with the keyed hash of their network. @internal */
export async function newcomerBy(store: Store, { network, name, registration }: Newcomer) {
  const person = { ...parse(NamedPerson, { name }), registration }
  if (network === undefined) return person
  const joined = await hashesFor('joined', store)
  return { ...person, networkOn: (day: string) => joined(`${day} ${network}`) }
}
