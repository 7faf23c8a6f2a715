import { z } from 'zod'
import type { Way } from '../decide/account.ts'
import { hashesFor } from '../pseudonyms.ts'
import type { IdentityInfo, PasskeyInfo } from '../schemas/credential.ts'
import { text } from '../schemas/text.ts'
import { secretId, type StoredSecret, type SecretValues } from '../secrets.ts'
import type { Store } from '../store/port.ts'
import { lastUseOf } from './kept.ts'

/** The passkeys, providers and addresses with which people sign in. */

/** A passkey, as far as its verifier needs it. */
export interface KeptPasskey extends Omit<SecretValues['passkey'], 'name'> {
  /** In base64url. */
  readonly credentialId: string
  readonly userId: string
}

/** A way to sign in whose ownership is proven. */
export type ProvenWay = Omit<Way, 'barredKey'>

/** The name of a way to sign in. */
export const WayName = text({ min: 1, max: 80, trim: true, isName: true })
export const NamedWay = z.object({ name: WayName })

/** A proven way to sign in, with the hash that marks it while its owner is blocked. @internal */
export async function wayOf(store: Store, way: ProvenWay): Promise<Way> {
  const barredKey = await hashesFor('barred', store)
  return { ...way, barredKey: barredKey(secretId('identity', way.key)) }
}

/** The name of a way to sign in, as its owner is told. */
export const named = ({ provider, label }: Pick<Way, 'provider' | 'label'>) => ({
  what: provider === 'email' ? ('address' as const) : ('provider' as const),
  name: provider === 'email' ? label : `${label} (${provider})`,
})

export function identityInfo(kept: StoredSecret<'identity'>): IdentityInfo {
  const { number: id, value, createdAt: addedAt } = kept
  return { id, ...value, addedAt, ...lastUseOf(kept) }
}

export function passkeyInfo(kept: StoredSecret<'passkey'>): PasskeyInfo {
  const { number: id, createdAt: addedAt } = kept
  const { name, isSynced } = kept.value
  return { id, name, isSynced, addedAt, ...lastUseOf(kept) }
}

/** The id of a passkey's credential, in base64url. */
export const credentialIdOf = ({ id }: StoredSecret<'passkey'>): string => id.slice('passkey:'.length)
