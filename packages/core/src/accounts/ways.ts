import { z } from 'zod'
import {
  type Way,
  type Registration,
  type SignedIn,
  keepCode,
  redeemCode,
  type Redeemed,
} from '../decide/account.ts'
import type { Decided } from '../decide/deciding.ts'
import { RegistryError } from '../errors.ts'
import { hashesFor } from '../pseudonyms.ts'
import { limits } from '../rules.ts'
import type { IdentityInfo, PasskeyInfo } from '../schemas/credential.ts'
import { parse } from '../schemas/parse.ts'
import { text } from '../schemas/text.ts'
import { UserName } from '../schemas/user.ts'
import { secretId, type StoredSecret, type SecretValues, hashOf } from '../secrets.ts'
import type { Store } from '../store/port.ts'

export interface KeptPasskey extends Omit<SecretValues['passkey'], 'name'> {
  /** In base64url. */
  readonly credentialId: string
  readonly userId: string
}

/** A way to sign in whose ownership is proven. */
export type ProvenWay = Omit<Way, 'barredKey'>

export const WayName = text({ min: 1, max: 80, trim: true, isName: true })
export const NamedWay = z.object({ name: WayName })

/** A proven way to sign in, with the hash that marks it while its owner is blocked. @internal */
export async function wayOf(store: Store, way: ProvenWay): Promise<Way> {
  const barredKey = await hashesFor('barred', store)
  return { ...way, barredKey: barredKey(secretId('identity', way.key)) }
}

export const named = ({ provider, label }: Pick<Way, 'provider' | 'label'>) => ({
  what: provider === 'email' ? ('address' as const) : ('provider' as const),
  name: provider === 'email' ? label : `${label} (${provider})`,
})

export function identityInfo(kept: StoredSecret<'identity'>): IdentityInfo {
  const { number: id, value, createdAt: addedAt, usedAt: lastUsedAt } = kept
  return { id, ...value, addedAt, lastUsedAt }
}

export function passkeyInfo(kept: StoredSecret<'passkey'>): PasskeyInfo {
  const { number: id, createdAt: addedAt, usedAt: lastUsedAt } = kept
  const { name, isSynced } = kept.value
  return { id, name, isSynced, addedAt, lastUsedAt }
}

export const credentialIdOf = ({ id }: StoredSecret<'passkey'>): string => id.slice('passkey:'.length)

/** A signed-in user; `session` is the value of the cookie of that name, which is not stored. */
export interface SignInResult extends SignedIn {
  readonly session: string
  readonly expiresAt: string
}

export interface Newcomer {
  /** The name of an account that is new. */
  readonly name?: string | undefined
  readonly registration: Registration
  /** A label by which the user recognises the session. */
  readonly device?: string | undefined
  /** Such as `192.0.2.0/24`, for the limit of new accounts (`newcomers` in the rules). Default unknown, without limit. */
  readonly network?: string | undefined
}

export interface LinkRedemption {
  /** The account name of an invited person. */
  readonly name?: unknown
  /** A label by which the user recognises the session. */
  readonly device?: string | undefined
  /** With `closed` nobody who is invited gets an account. Default `invite`. */
  readonly registration?: Registration | undefined
}

export const Invitation = z.object({
  name: UserName.optional(),
  isModerator: z.boolean().default(false),
  xp: z.int().min(0).max(limits.xp).optional(),
})
export const NamedPerson = z.object({ name: UserName.optional() })

/** A person who may be new, with the keyed hash of their network. @internal */
export async function newcomerBy(store: Store, { network, name, registration }: Newcomer) {
  const person = { ...parse(NamedPerson, { name }), registration }
  if (network === undefined) return person
  const joined = await hashesFor('joined', store)
  return { ...person, networkOn: (day: string) => joined(`${day} ${network}`) }
}

/** The stored hash of a code, which tells nothing without the secret of the browser. */
const answerOf = (browser: string, answer: string): string => hashOf(JSON.stringify([browser, answer]))

export interface CodeMail {
  /** In the one form of all its spellings. */
  readonly address: string
  readonly network?: string | undefined
}

interface CodeAnswer {
  readonly browser: string
  readonly answer: string
}

/** Stores a code for the browser that asked. @internal */
export async function newCode(
  store: Store,
  { browser, answer }: CodeAnswer,
  { address, network = '' }: CodeMail,
): Promise<void> {
  const keyOf = await hashesFor('allowance', store)
  const code = {
    key: hashOf(browser),
    answer: answerOf(browser, answer),
    allowances: {
      network: keyOf(JSON.stringify(['mails', address, network])),
      address: keyOf(JSON.stringify(['mails', address])),
      wrong: keyOf(JSON.stringify(['wrong codes', address])),
    },
  }
  await store.write({ decide: (at) => keepCode(code, at) })
}

/** Uses up a code in the transaction of `then`. @throws RegistryError UNAUTHORIZED; errors of `then` @internal */
export async function redeemed<Answer>(
  store: Store,
  { browser, answer }: CodeAnswer,
  then: (at: string) => Decided<Answer>,
): Promise<Answer> {
  const code = { key: hashOf(browser), answer: answerOf(browser, answer) }
  const tried: Redeemed<Answer> = await store.write({
    decide: (at) => redeemCode({ ...code, at }, () => then(at)),
  })
  if (tried.isRight) return tried.answer
  const { triesLeft } = tried
  const rest = triesLeft === 0 ? 'ask for a new one' : `${triesLeft} more tries`
  throw new RegistryError('UNAUTHORIZED', `This code is wrong: ${rest}`, { triesLeft })
}
