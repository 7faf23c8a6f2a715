import { z } from 'zod'
import {
  redeemLink,
  signInWith,
  signInWithPasskey,
  type Registration,
  type SignedIn,
  type SigningIn,
} from '../decide/account.ts'
import type { Deciding, Decision } from '../decide/deciding.ts'
import { keepFor, keepNew } from '../decide/secret.ts'
import { notFound, RegistryError } from '../errors.ts'
import { lifetimes, type Rules } from '../rules.ts'
import type { SignInLink } from '../schemas/credential.ts'
import { parse } from '../schemas/parse.ts'
import { UserName } from '../schemas/user.ts'
import {
  hashOf,
  keyedHashes,
  longestSecret,
  minutesAfter,
  minutesOf,
  newSecret,
  secretId,
  type Invited,
  type SecretOf,
} from '../secrets.ts'
import type { ReportSecurity } from '../security-events.ts'
import type { Store } from '../store/port.ts'
import type { Codes } from './codes.ts'
import { writtenSecret } from './kept.ts'
import { newSession } from './sessions.ts'
import { wayOf, type ProvenWay } from './ways.ts'

/** Somebody who has signed in; `session` is the value of the cookie of that name, which is not stored. */
export interface SignInResult extends SignedIn {
  readonly session: string
  readonly expiresAt: string
}

/** Somebody who may be new. */
export interface Newcomer {
  /** The name of an account that is new. */
  readonly name?: string | undefined
  readonly registration: Registration
  /** What the user recognises the session by. */
  readonly device?: string | undefined
  /**
   * The network from which they come, such as `192.0.2.0/24`: it makes at most 20 accounts a day (`newcomers` in the
   * rules). A keyed hash is kept until the end of the day. Default unknown, and without limit.
   */
  readonly network?: string | undefined
}

/** How a link is redeemed. */
export interface LinkRedemption {
  /** The name of the account of somebody who is invited. */
  readonly name?: unknown
  /** What the user recognises the session by. */
  readonly device?: string | undefined
  /** With `closed` nobody who is invited gets an account. Default `invite`. */
  readonly registration?: Registration | undefined
}

export const Invitation = z.object({ name: UserName.optional(), isModerator: z.boolean().default(false) })
export const NamedPerson = z.object({ name: UserName.optional() })

/** How people sign in, and links with which they do. @internal */
export class SignIns {
  readonly #store: Store
  readonly #report: ReportSecurity
  readonly #newId: () => string
  readonly #codes: Codes
  readonly #rules: Rules

  constructor(
    store: Store,
    options: {
      readonly rules: Rules
      readonly report: ReportSecurity
      readonly newId: () => string
      readonly codes: Codes
    },
  ) {
    this.#store = store
    this.#rules = options.rules
    this.#report = options.report
    this.#newId = options.newId
    this.#codes = options.codes
  }

  async invite(input: {
    readonly name?: string | undefined
    readonly isModerator?: boolean | undefined
  }): Promise<SignInLink> {
    return this.#link({ invited: parse(Invitation, input) })
  }

  async link(userId: string): Promise<SignInLink> {
    return this.#link({ userId })
  }

  async #link({
    userId,
    invited,
  }: {
    readonly userId?: string
    readonly invited?: Invited
  }): Promise<SignInLink> {
    const { secret, key } = newSecret('ofl')
    let expiresAt = ''
    const make = (at: string): SecretOf<'link'> => {
      expiresAt = minutesAfter(at, lifetimes.linkHours * minutesOf.hour)
      return {
        id: secretId('link', key),
        kind: 'link',
        value: { ...(invited !== undefined && { invited }) },
        createdAt: at,
        expiresAt,
        ...(userId !== undefined && { userId }),
      }
    }
    await this.#store.write({
      decide: (at) => (userId === undefined ? keepNew(make(at)) : keepFor(userId, make, at)),
    })
    this.#report('link.created', { ...(userId !== undefined && { user: userId }), until: expiresAt })
    return { secret, expiresAt }
  }

  async withLink(
    secret: string,
    { name: given, device, registration }: LinkRedemption,
  ): Promise<SignInResult> {
    const { name } = parse(NamedPerson, { name: given })
    const key = secret.length > longestSecret ? '' : hashOf(secret)
    const signedIn = await this.#signIn(device, (signing) => redeemLink({ key, name, registration }, signing))
    const { userId, isNew } = signedIn
    this.#report('link.used', { user: userId })
    if (isNew && (await this.#store.read.users.get(userId))?.isModerator === true)
      this.#report('moderator.appointed', { user: userId })
    return signedIn
  }

  async withWay(proven: ProvenWay, newcomer: Newcomer): Promise<SignInResult> {
    const way = await wayOf(this.#store, proven)
    const named = await this.#named(newcomer)
    return this.#signIn(newcomer.device, (signing) => signInWith(way, named, signing))
  }

  async withCode(
    browser: string,
    answer: string,
    { way: proven, ...newcomer }: Newcomer & { readonly way: ProvenWay },
  ): Promise<SignInResult> {
    const way = await wayOf(this.#store, proven)
    const named = await this.#named(newcomer)
    const begun = this.#beginning(newcomer.device)
    const signed = await this.#codes.redeem(browser, answer, (at) => signInWith(way, named, begun.at(at)))
    return begun.end(signed)
  }

  async withPasskey(
    credentialId: string,
    { counter, device }: { readonly counter: number; readonly device?: string | undefined },
  ): Promise<SignInResult> {
    const id = secretId('passkey', credentialId)
    const begun = this.#beginning(device)
    const signed = await this.#store.write({
      decide: (at) => signInWithPasskey({ id, counter }, begun.at(at)),
    })
    if (signed !== undefined) return begun.end(signed)
    const { userId } = (await this.#store.read.secrets.get('passkey', id)) ?? {}
    this.#report('passkey.copied', { ...(userId !== undefined && { user: userId }) })
    throw new RegistryError(
      'UNAUTHORIZED',
      'This passkey may have been copied: sign in in another way, and remove it',
    )
  }

  /** Somebody who may be new, with the keyed hash of their network. */
  async #named({ network, name, registration }: Newcomer) {
    const person = { ...parse(NamedPerson, { name }), registration }
    if (network === undefined) return person
    const joined = keyedHashes(await this.#store.read.state.placeKey(), 'joined')
    return { ...person, networkOn: (day: string) => joined(`${day} ${network}`) }
  }

  /** Signs in by what a decision finds to be right. */
  async #signIn(
    device: string | undefined,
    decide: (signing: SigningIn) => Deciding<Decision<SignedIn>>,
  ): Promise<SignInResult> {
    const begun = this.#beginning(device)
    const signed = await this.#store.write({ decide: (at) => decide(begun.at(at)) })
    return begun.end(signed)
  }

  /** A session that begins with a sign-in, and its end, which reports it. */
  #beginning(device: string | undefined) {
    let made: ReturnType<typeof newSession> | undefined
    const session = (at: string) => (userId: string) => (made = newSession(userId, at, device)).kept
    return {
      at: (at: string): SigningIn => ({ at, rules: this.#rules, newId: this.#newId, session: session(at) }),
      end: async (signed: SignedIn): Promise<SignInResult> => {
        if (made === undefined) throw notFound('session', '')
        const { number } = await writtenSecret(this.#store, 'session', made.kept.id)
        const { userId, isNew } = signed
        if (isNew) this.#report('account.created', { user: userId })
        this.#report('session.created', { user: userId, session: number, until: made.expiresAt })
        return { ...signed, session: made.secret, expiresAt: made.expiresAt }
      },
    }
  }
}
