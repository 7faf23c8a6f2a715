import type { OwnUser } from '@openfountain/core'
import { request } from '../../api/request.ts'
import type { SignInOffer } from '../../api/signed-in.ts'

/** A passkey, as GET /user/passkeys lists it. */
export interface Passkey {
  readonly id: number
  readonly name: string
  readonly isSynced: boolean
  readonly addedAt: string
  readonly lastUsedAt?: string
}

/** A provider or an address, as GET /user/identities lists it. */
export interface Identity {
  readonly id: number
  readonly provider: string
  readonly label: string
  readonly addedAt: string
  readonly lastUsedAt?: string
}

/** The state of the account page. */
export interface AccountState {
  readonly offer: SignInOffer
  user: OwnUser
  passkeys: readonly Passkey[]
  identities: readonly Identity[]
}

/** A session, as GET /user/sessions lists it. */
export interface Session {
  readonly id: number
  readonly device?: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly isCurrent: boolean
}

/** Reads the sessions. @throws Refusal */
export async function ownSessions(): Promise<readonly Session[]> {
  return (await request<{ sessions: readonly Session[] }>('GET', '/user/sessions')).sessions
}
