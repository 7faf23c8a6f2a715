import type { OwnUser } from '@openfountain/core'
import { store, stored } from '../client/storage.ts'
import { exchange, isRefusal, request } from './request.ts'
import { siteOfPage, type SiteAddress } from './site.ts'

export interface SignInOffer {
  readonly methods: readonly ('link' | 'passkey' | 'code' | 'provider')[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly registration: 'open' | 'invite' | 'closed'
  readonly user: OwnUser | null
  /** Present when people without an account may say that a fountain works or is broken. */
  readonly passersBy?: true
  /** Present when people without an account may also observe anything else, and report. */
  readonly openObservations?: true
  /** Present where the server has a place for photos. */
  readonly photos?: true
  /** XP that observations of the signed-in user earn once the day is over. */
  readonly xpTonight?: number
  /** The e-mail address of those who run the registry. */
  readonly contact?: string
}

export type Person = Pick<OwnUser, 'id' | 'name'>

/** The sign-in methods, and the signed-in user. @throws Refusal */
export const signInOffer = (): Promise<SignInOffer> => request('GET', '/auth')

/** What people without an account may do: `sightings` are `works` and `broken`, `reports` any observation and report. */
export type PassersBy = 'nothing' | 'sightings' | 'reports'

export interface Caller {
  readonly user: OwnUser | undefined
  readonly passersBy: PassersBy
  /** Undefined where a host has accounts of its own. */
  readonly offer: SignInOffer | undefined
}

/** The signed-in user, or undefined. @throws Refusal */
export const signedInUser = async (site?: SiteAddress): Promise<OwnUser | undefined> =>
  (await callerOf(site)).user

/** The signed-in user, and the rights of visitors without an account. @throws Refusal */
export async function callerOf(site = siteOfPage()): Promise<Caller> {
  const answerTo = async <Body>(path: string): Promise<Body> =>
    (await exchange<Body>('GET', path, { site })).body
  try {
    const offer = await answerTo<SignInOffer>('/auth')
    const passersBy = offer.openObservations ? 'reports' : offer.passersBy ? 'sightings' : 'nothing'
    return { user: offer.user ?? undefined, passersBy, offer }
  } catch (error) {
    // A host with accounts of its own has no sign-in page here, but returns the user.
    if (!isRefusal(error, 'NOT_FOUND')) throw error
  }
  const others = { passersBy: 'nothing', offer: undefined } as const
  try {
    const { user } = await answerTo<{ user: OwnUser }>('/user')
    return { user, ...others }
  } catch (error) {
    if (isRefusal(error, 'UNAUTHORIZED')) return { user: undefined, ...others }
    throw error
  }
}

const keys = {
  name: 'account',
  id: 'account-id',
  moderator: 'account-moderator',
  keeper: 'account-keeper',
} as const

/** Stores the signed-in user, for the page header and for work offline; undefined forgets the user. */
export function rememberUser(user: Person | OwnUser | undefined): void {
  const isKnown = user !== undefined && 'isModerator' in user
  const isSame = user?.id === stored(keys.id)
  const yes = (is: boolean) => (is ? 'yes' : undefined)
  if (isKnown || !isSame) {
    store(keys.moderator, yes(isKnown && user.isModerator))
    store(keys.keeper, yes(isKnown && user.keeps !== undefined))
  }
  store(keys.name, user?.name)
  store(keys.id, user?.id)
}

/** The user who last signed in on this browser. It is a hint and proves nothing; the server decides. */
export function rememberedUser(): Person | undefined {
  const [name, id] = [stored(keys.name), stored(keys.id)]
  return name === null || id === null ? undefined : { id, name }
}
