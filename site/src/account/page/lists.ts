import type { OwnUser, Removal } from '@openfountain/core'
import { request } from '../../api/request.ts'
import type { SignInOffer } from '../../api/signed-in.ts'

export const listNames = ['passkeys', 'identities', 'sessions', 'tokens'] as const
export type ListName = (typeof listNames)[number]

export interface Row {
  readonly id: number
  readonly name?: string
  readonly provider?: string
  readonly label?: string
  readonly device?: string
  readonly isSynced?: boolean
  readonly isCurrent?: boolean
  readonly addedAt?: string
  readonly createdAt?: string
  readonly expiresAt?: string
  readonly lastUsedAt?: string
}

export type Lists = Readonly<Record<ListName, readonly Row[]>>

export interface Account extends Lists {
  readonly offer: SignInOffer
  readonly user: OwnUser
  readonly removals: readonly Removal[]
}

/** Reads lists of the account. @throws Refusal */
export async function readLists<Name extends ListName>(
  ...names: readonly Name[]
): Promise<Pick<Lists, Name>> {
  return Object.assign(
    {},
    ...(await Promise.all(names.map((name) => request<object>('GET', `/user/${name}`)))),
  )
}
