import type { OwnUser } from '@openfountain/core'
import { request } from '../../api/request.ts'
import type { SignInOffer } from '../../api/signed-in.ts'

/** A passkey, a provider, an address, a session or a token, as the API lists it. */
export interface Listed {
  readonly id: number
  readonly lastUsedAt?: string
}

/** A passkey, as GET /user/passkeys lists it. */
export interface Passkey extends Listed {
  readonly name: string
  readonly isSynced: boolean
  readonly addedAt: string
}

/** A provider or an address, as GET /user/identities lists it. */
export interface Identity extends Listed {
  readonly provider: string
  readonly label: string
  readonly addedAt: string
}

/** A session, as GET /user/sessions lists it. */
export interface Session extends Listed {
  readonly device?: string
  readonly createdAt: string
  readonly isCurrent: boolean
}

/** A token, as GET /user/tokens lists it. */
export interface Token extends Listed {
  readonly name: string
  readonly expiresAt: string
}

/** The account of the signed-in user. */
export interface Account {
  readonly offer: SignInOffer
  readonly user: OwnUser
  readonly passkeys: readonly Passkey[]
  readonly identities: readonly Identity[]
  readonly sessions: readonly Session[]
  readonly tokens: readonly Token[]
}

type Lists = Omit<Account, 'offer' | 'user'>
export type ListName = keyof Lists

/** Reads one list of the account. @throws Refusal */
export const readList = <Name extends ListName>(name: Name): Promise<Pick<Lists, Name>> =>
  request('GET', `/user/${name}`)

/** Reads what the account lists. @throws Refusal */
export async function readLists(): Promise<Lists> {
  const [passkeys, identities, sessions, tokens] = await Promise.all([
    readList('passkeys'),
    readList('identities'),
    readList('sessions'),
    readList('tokens'),
  ])
  return { ...passkeys, ...identities, ...sessions, ...tokens }
}
