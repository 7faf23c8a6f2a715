import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  addPasskey,
  addWay,
  leave,
  newCode,
  redeemCode,
  redeemLink,
  removeWay,
  renamePasskey,
  signInWith,
  signInWithPasskey,
  takeCeremony,
  type Redeemed,
  type Registration,
  type SignedIn,
  type SigningIn,
  type Way,
} from './decide/account.ts'
import type { Deciding, Decision } from './decide/deciding.ts'
import { fieldsOfAuthor, redactEntry } from './decide/redaction.ts'
import { keepFor, keepNew } from './decide/secret.ts'
import { notFound, RegistryError } from './errors.ts'
import { loggedEntry, type StoredEntry } from './log/entry.ts'
import { lifetimes, limits } from './rules.ts'
import { parse } from './schemas/parse.ts'
import { text } from './schemas/text.ts'
import {
  barredKeysBy,
  hashOf,
  longestSecret,
  minutesAfter,
  minutesOf,
  newSecret,
  secretId,
  type Invited,
  type KeptSecret,
  type SecretOf,
  type SecretValues,
} from './secrets.ts'
import type { ReportSecurity } from './security-events.ts'
import { newSession } from './sessions.ts'
import type { Store } from './store/port.ts'

/** A link that signs somebody in once; `secret` is shown once and not stored. */
export interface SignInLink {
  readonly secret: string
  readonly expiresAt: string
}

/** Somebody who has signed in; `session` is the value of the cookie of that name, which is not stored. */
export interface SignInResult extends SignedIn {
  readonly session: string
  readonly expiresAt: string
}

/** A provider or an address with which a user signs in. */
export interface IdentityInfo {
  readonly id: number
  readonly provider: string
  readonly label: string
  readonly addedAt: string
  readonly lastUsedAt?: string
}

/** A passkey, as its owner sees it. */
export interface PasskeyInfo {
  readonly id: number
  readonly name: string
  readonly isSynced: boolean
  readonly addedAt: string
  readonly lastUsedAt?: string
}

/** What a verifier of passkeys needs of one. */
export interface KeptPasskey extends Omit<SecretValues['passkey'], 'name'> {
  /** In base64url. */
  readonly credentialId: string
  readonly userId: string
}

/** A way that somebody has proven to be theirs. */
export type ProvenWay = Omit<Way, 'barredKey'>

interface Newcomer {
  /** The name of an account that is new. */
  readonly name?: string | undefined
  readonly registration: Registration
  /** What the user recognises the session by. */
  readonly device?: string | undefined
}

const Invitation = z.object({
  name: text({ min: 1, max: limits.userName, trim: true }).optional(),
  isModerator: z.boolean().default(false),
})
/** What somebody calls a way to sign in. */
export const WayName = text({ min: 1, max: 80, trim: true })
const Named = z.object({ name: WayName })
const Rename = z.object({ name: text({ min: 1, max: limits.userName, trim: true }).optional() })

/** The reason of a redaction that its author asked for; it is public. */
const authorLeft = 'its author left and asked for it'

/**
 * Signing in without passwords, and leaving. What a caller proves, such as a signature or an address, is verified by
 * `@openfountain/accounts`; here is what is kept of it, and what follows. Every act is one transaction.
 */
export class Accounts {
  readonly #store: Store
  readonly #report: ReportSecurity
  readonly #newId: () => string
  readonly #scrub: () => Promise<void>
  readonly #listLeft: (userId: string) => Promise<void>

  /** @internal Created by the registry. */
  constructor(
    store: Store,
    {
      report,
      ids = randomUUID,
      scrub,
      listLeft,
    }: {
      readonly report: ReportSecurity
      readonly ids?: (() => string) | undefined
      readonly scrub: () => Promise<void>
      /** Lists outside the database that somebody has left. */
      readonly listLeft: (userId: string) => Promise<void>
    },
  ) {
    this.#store = store
    this.#report = report
    this.#newId = ids
    this.#scrub = scrub
    this.#listLeft = listLeft
  }

  /** Makes a link with which somebody gets an account, once, within 24 hours. @throws RegistryError INVALID_INPUT */
  async invite(input: {
    readonly name?: string | undefined
    readonly isModerator?: boolean
  }): Promise<SignInLink> {
    return this.#link({ invited: parse(Invitation, input) })
  }

  /** Makes a link with which a user signs in, once, within 24 hours. @throws RegistryError NOT_FOUND */
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

  /**
   * Signs in with a link, which is then used up.
   *
   * @param options `name` of the account of somebody who is invited
   * @throws RegistryError UNAUTHORIZED when the link is unknown, used or expired; INVALID_INPUT when a name is needed
   */
  async redeemLink(
    secret: string,
    { name: given, device }: { readonly name?: unknown; readonly device?: string | undefined } = {},
  ): Promise<SignInResult> {
    const { name } = parse(Rename, { name: given })
    const key = secret.length > longestSecret ? '' : hashOf(secret)
    const signedIn = await this.#signIn(device, (signing) => redeemLink({ key, name }, signing))
    const { userId, isNew } = signedIn
    this.#report('link.used', { user: userId })
    if (isNew && (await this.#store.read.users.get(userId))?.isModerator === true)
      this.#report('moderator.appointed', { user: userId })
    return signedIn
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
      at: (at: string): SigningIn => ({ at, newId: this.#newId, session: session(at) }),
      end: async (signed: SignedIn): Promise<SignInResult> => {
        if (made === undefined) throw notFound('session', '')
        const kept = await this.#store.read.secrets.get('session', made.kept.id)
        const { userId, isNew } = signed
        if (isNew) this.#report('account.created', { user: userId })
        this.#report('session.created', {
          user: userId,
          ...(kept !== undefined && { session: kept.number }),
          until: made.expiresAt,
        })
        return { ...signed, session: made.secret, expiresAt: made.expiresAt }
      },
    }
  }

  async #way(way: ProvenWay): Promise<Way> {
    const barredKey = await this.#barredKeyOf()
    return { ...way, barredKey: barredKey(secretId('identity', way.key)) }
  }

  /** What stands for ways to sign in of those who left while they were blocked. */
  async #barredKeyOf(): Promise<(way: string) => string> {
    return barredKeysBy(await this.#store.read.state.placeKey())
  }

  /**
   * Signs in with a way that was proven: with the account that has it, or a new one where registration is open. Accounts
   * are never joined.
   *
   * @throws RegistryError FORBIDDEN when registration is not open or the person is blocked, CONFLICT when the address
   * belongs to an account, INVALID_INPUT when a name is needed
   */
  async signIn(proven: ProvenWay, newcomer: Newcomer): Promise<SignInResult> {
    const way = await this.#way(proven)
    const named = { ...newcomer, ...parse(Rename, { name: newcomer.name }) }
    return this.#signIn(newcomer.device, (signing) => signInWith(way, named, signing))
  }

  /** Whether somebody signs in with this way. */
  async isKnown(key: string): Promise<boolean> {
    return (await this.#store.read.secrets.get('identity', secretId('identity', key))) !== undefined
  }

  /** Adds a way that was proven to a user's account. @throws RegistryError CONFLICT when it belongs to another one */
  async addIdentity(userId: string, proven: ProvenWay): Promise<void> {
    const way = await this.#way(proven)
    const isNew = await this.#store.write({ decide: (at) => addWay(at, userId, way) })
    if (isNew) this.#report('way.added', { user: userId })
  }

  /** The providers and addresses of a user, oldest first. */
  async identities(userId: string): Promise<IdentityInfo[]> {
    const all = await this.#store.read.secrets.list('identity', userId)
    return all.map(({ number, value, createdAt, usedAt }) => ({
      id: number,
      ...value,
      addedAt: createdAt,
      ...(usedAt !== undefined && { lastUsedAt: usedAt }),
    }))
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removeIdentity(userId: string, id: number): Promise<void> {
    await this.#remove(userId, await this.#store.read.secrets.byNumber('identity', id))
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removePasskey(userId: string, id: number): Promise<void> {
    await this.#remove(userId, await this.#store.read.secrets.byNumber('passkey', id))
  }

  async #remove(userId: string, way: { readonly id: string } | undefined): Promise<void> {
    if (way === undefined) throw notFound('way to sign in', '')
    await this.#store.write({ decide: (at) => removeWay(way.id, userId, at) })
    this.#report('way.removed', { user: userId })
  }

  /**
   * Keeps a code for the browser that asked.
   *
   * @param browser a secret of the browser
   * @param answer what the code must be redeemed with: a text that has the code, and whatever it was sent to
   */
  async keepCode(browser: string, answer: string): Promise<void> {
    const key = hashOf(browser)
    await this.#store.write({ decide: (at) => keepNew(newCode(key, answerOf(browser, answer), at)) })
  }

  /**
   * Signs in with a code, which is then used up. After five wrong answers the browser has to ask again.
   *
   * @throws RegistryError UNAUTHORIZED `{ triesLeft }` when it is wrong, without details when there is none; as `signIn`
   */
  async signInWithCode(
    browser: string,
    answer: string,
    { way: proven, ...newcomer }: Newcomer & { readonly way: ProvenWay },
  ): Promise<SignInResult> {
    const way = await this.#way(proven)
    const named = { ...newcomer, ...parse(Rename, { name: newcomer.name }) }
    const begun = this.#beginning(newcomer.device)
    const signed = await this.#redeem(browser, answer, (at) => signInWith(way, named, begun.at(at)))
    return begun.end(signed)
  }

  /** Adds an address that was proven by a code. @throws RegistryError as `signInWithCode` and `addIdentity` */
  async addIdentityWithCode(
    browser: string,
    answer: string,
    { userId, way: proven }: { readonly userId: string; readonly way: ProvenWay },
  ): Promise<void> {
    const way = await this.#way(proven)
    if (await this.#redeem(browser, answer, (at) => addWay(at, userId, way)))
      this.#report('way.added', { user: userId })
  }

  async #redeem<Answer>(
    browser: string,
    answer: string,
    then: (at: string) => Deciding<Decision<Answer>>,
  ): Promise<Answer> {
    const code = { key: hashOf(browser), answer: answerOf(browser, answer) }
    const redeemed: Redeemed<Answer> = await this.#store.write({
      decide: (at) => redeemCode({ ...code, at }, () => then(at)),
    })
    if (redeemed.isRight) return redeemed.answer
    const { triesLeft } = redeemed
    const rest = triesLeft === 0 ? 'ask for a new one' : `${triesLeft} more tries`
    throw new RegistryError('UNAUTHORIZED', `This code is wrong: ${rest}`, { triesLeft })
  }

  /** The passkeys of a user, oldest first. */
  async passkeys(userId: string): Promise<(PasskeyInfo & { readonly credentialId: string })[]> {
    const all = await this.#store.read.secrets.list('passkey', userId)
    return all.map((passkey) => ({ ...passkeyInfo(passkey), credentialId: credentialIdOf(passkey) }))
  }

  /** The passkey with this credential id, in base64url. */
  async passkey(credentialId: string): Promise<KeptPasskey | undefined> {
    const found = await this.#store.read.secrets.get('passkey', secretId('passkey', credentialId))
    if (found?.userId === undefined) return undefined
    const { name: _name, ...value } = found.value
    return { ...value, credentialId, userId: found.userId }
  }

  /** Adds a passkey that was verified. @throws RegistryError CONFLICT when it was added before */
  async addPasskey({
    credentialId,
    userId,
    ...value
  }: KeptPasskey & { readonly name: string }): Promise<PasskeyInfo> {
    const { name } = parse(Named, value)
    const id = secretId('passkey', credentialId)
    await this.#store.write({
      decide: (at) => addPasskey(userId, { id, kind: 'passkey', value: { ...value, name }, createdAt: at }),
    })
    this.#report('way.added', { user: userId })
    const kept = await this.#store.read.secrets.get('passkey', id)
    if (kept === undefined) throw notFound('passkey', '')
    return passkeyInfo(kept)
  }

  /** @throws RegistryError NOT_FOUND, INVALID_INPUT */
  async renamePasskey(userId: string, id: number, input: unknown): Promise<void> {
    const { name } = parse(Named, input)
    const found = await this.#store.read.secrets.byNumber('passkey', id)
    if (found === undefined) throw notFound('passkey', id)
    await this.#store.write({ decide: (at) => renamePasskey({ id: found.id, userId, name }, at) })
  }

  /**
   * Signs in with a passkey whose signature was verified.
   *
   * @param counter how often it signed, as it says
   * @throws RegistryError UNAUTHORIZED when it is unknown, or its counter did not rise
   */
  async signInWithPasskey(
    credentialId: string,
    { counter, device }: { readonly counter: number; readonly device?: string | undefined },
  ): Promise<SignInResult> {
    const id = secretId('passkey', credentialId)
    const begun = this.#beginning(device)
    const signed = await this.#store.write({
      decide: (at) => signInWithPasskey({ id, counter }, begun.at(at)),
    })
    if (signed !== undefined) return begun.end(signed)
    const { userId } = (await this.passkey(credentialId)) ?? {}
    this.#report('passkey.copied', { ...(userId !== undefined && { user: userId }) })
    throw new RegistryError(
      'UNAUTHORIZED',
      'This passkey may have been copied: sign in in another way, and remove it',
    )
  }

  /**
   * Keeps what the end of a sign-in by a passkey or a provider is checked with, for ten minutes.
   *
   * @param purpose what it is for; it can be ended for that alone
   * @returns the secret by which the browser is known at the end
   */
  async beginCeremony(purpose: string, expected: Readonly<Record<string, string>>): Promise<string> {
    const { secret, key } = newSecret('ofc')
    await this.#store.write({
      decide: (at) =>
        keepNew({
          id: secretId('ceremony', key),
          kind: 'ceremony',
          value: { purpose, expected },
          createdAt: at,
          expiresAt: minutesAfter(at, lifetimes.ceremonyMinutes),
        }),
    })
    return secret
  }

  /**
   * Ends a ceremony: what was kept at its beginning, once.
   *
   * @throws RegistryError UNAUTHORIZED when there is none for this purpose, or it took too long
   */
  async endCeremony(secret: string, purpose: string): Promise<Readonly<Record<string, string>>> {
    const key = secret.length > longestSecret ? '' : hashOf(secret)
    const found = await this.#store.write({ decide: (at) => takeCeremony(key, { purpose, at }) })
    if (found === undefined)
      throw new RegistryError('UNAUTHORIZED', 'This took too long, or was begun elsewhere: begin again')
    return found.value.expected
  }

  /**
   * A user leaves: name, address, ways to sign in, sessions and tokens are gone at once. What they contributed stays
   * under their id.
   *
   * @param options `confirm` is their name, as a safeguard; `texts: 'erase'` also redacts what they wrote, but for names
   * of fountains
   * @throws RegistryError NOT_FOUND, INVALID_INPUT, STORAGE_NOT_ERASED `{ leftovers }` when something still holds it
   */
  async leave(
    userId: string,
    { confirm, texts }: { readonly confirm?: string | undefined; readonly texts: 'keep' | 'erase' },
  ): Promise<void> {
    const barredKeyOf = await this.#barredKeyOf()
    const leaving = (at: string) => leave(at, userId, { confirm, barredKeyOf })
    // A wrong confirmation must not find texts erased.
    await this.#store.write({ decide: leaving, dryRun: true })
    if (texts === 'erase') await this.#eraseTexts(userId)
    await this.#store.write({ decide: leaving })
    this.#report('account.left', { user: userId })
    await this.#listLeft(userId)
    await this.#scrub()
  }

  async #eraseTexts(userId: string): Promise<void> {
    const lost: number[] = []
    for await (const page of this.#entriesBy(userId)) {
      const jobs = page.flatMap((entry) => {
        const fields = fieldsOfAuthor(entry)
        return fields.length === 0
          ? []
          : [
              {
                decide: () =>
                  redactEntry({ id: entry.id, fields, reason: authorLeft }, { isRepeatable: true }),
              },
            ]
      })
      for (const outcome of await this.#store.writeBatch(jobs)) {
        if (!outcome.ok) throw outcome.error
        lost.push(...outcome.answer.entries)
      }
    }
    if (lost.length > 0) this.#report('text.redacted', { user: userId, entries: lost })
  }

  async *#entriesBy(userId: string) {
    const { entries } = this.#store.read
    for (let after: EntryPlace = { subject: '', action: '', id: 0 }; ;) {
      const page = await entries.by(userId, after, pageSize)
      yield page
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last
    }
  }

  /**
   * Everything that the registry holds about a user, as the text of one JSON document, piece by piece: `entries` of the log
   * by them, and `about` them by others. Secrets are not in it: nobody has them.
   *
   * @throws RegistryError NOT_FOUND
   */
  async *export(userId: string): AsyncGenerator<string> {
    const { read } = this.#store
    const profile = await read.users.get(userId)
    if (profile === undefined || profile.leftAt !== undefined) throw notFound('user', userId)
    const [identities, passkeys, sessions, tokens, apiTokens, externals, reviews] = await Promise.all([
      this.identities(userId),
      read.secrets.list('passkey', userId),
      read.secrets.list('session', userId),
      read.secrets.list('personal', userId),
      read.secrets.list('token', userId),
      read.secrets.list('external', userId),
      read.reviews.list({ userId }),
    ])
    const listed = (secret: KeptSecret<'session' | 'personal' | 'token'>) => {
      const { number, createdAt, usedAt, expiresAt, endedAt, value } = secret
      return { id: number, createdAt, lastUsedAt: usedAt, expiresAt, endedAt, ...value }
    }
    const head = {
      user: profile,
      identities,
      passkeys: passkeys.map(passkeyInfo),
      sessions: sessions.map(listed),
      tokens: tokens.map(listed),
      apiTokens: apiTokens.map(listed),
      externalIds: externals.map(({ id }) => id.slice('external:'.length)),
      reviews,
    }
    yield `${JSON.stringify(head).slice(0, -1)},"entries":[`
    yield* elements(this.#entriesBy(userId))
    yield '],"about":['
    yield* elements(this.#entriesAbout(userId))
    yield ']}'
  }

  /** What others did about a user, such as a block. */
  async *#entriesAbout(userId: string) {
    const { entries } = this.#store.read
    for (let after = 0; ;) {
      const page = await entries.aboutUser(userId, after, pageSize)
      yield page.filter(({ by }) => by !== userId)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.id
    }
  }
}

/** Entries as the elements of an array in JSON. */
async function* elements(pages: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const texts = page.map((entry) => JSON.stringify(loggedEntry(entry)))
    if (texts.length > 0) yield `${isFirst ? '' : ','}${texts.join(',')}`
    isFirst &&= texts.length === 0
  }
}

const pageSize = 500

/** A place in the order of the entries by one user: by subject, action and id. */
interface EntryPlace {
  readonly subject: string
  readonly action: string
  readonly id: number
}

/** What is kept of a code: nobody can find the code in it without the secret of the browser. */
const answerOf = (browser: string, answer: string): string => hashOf(JSON.stringify([browser, answer]))

const credentialIdOf = ({ id }: KeptSecret<'passkey'>): string => id.slice('passkey:'.length)

function passkeyInfo({ number, value, createdAt, usedAt }: KeptSecret<'passkey'>): PasskeyInfo {
  return {
    id: number,
    name: value.name,
    isSynced: value.isSynced,
    addedAt: createdAt,
    ...(usedAt !== undefined && { lastUsedAt: usedAt }),
  }
}
