import * as decisions from '../decide/account.ts'
import type { SignedIn, SigningIn } from '../decide/account.ts'
import type { Decided } from '../decide/deciding.ts'
import { scrubbed } from '../erased.ts'
import { leavingOf } from '../erasures.ts'
import { RegistryError, required } from '../errors.ts'
import { hashesFor } from '../pseudonyms.ts'
import { lifetimes } from '../rules.ts'
import type { IdentityInfo, PasskeyInfo, SignInLink } from '../schemas/credential.ts'
import { knownOptions, parse } from '../schemas/parse.ts'
import {
  keyOfCredential,
  minutesAfter,
  minutesOf,
  newCredential,
  secretId,
  type SecretOf,
} from '../secrets.ts'
import type { AccessChange } from '../security-events.ts'
import { erasePhotos } from '../decide/photo.ts'
import { withoutFiles } from '../photos.ts'
import { Part } from '../shared.ts'
import { mustNotBeAlongside } from '../store/write-queue.ts'
import { writtenSecret, newSession } from './credentials.ts'
import { authorLeft, exportOf, eraseTexts } from './personal-data.ts'
import {
  newCode,
  redeemed,
  type CodeMail,
  Invitation,
  NamedPerson,
  newcomerBy,
  type LinkRedemption,
  type Newcomer,
  type SignInResult,
  credentialIdOf,
  identityInfo,
  named,
  NamedWay,
  passkeyInfo,
  wayOf,
  type KeptPasskey,
  type ProvenWay,
} from './ways.ts'

interface LeavingOptions {
  /** Their name, as a safeguard. */
  readonly confirm?: string | undefined
  /** `erase` also redacts their texts, except names of fountains, and deletes their photos. */
  readonly texts: 'keep' | 'erase'
  /** Whether their name stays under photos that stay. Default false. */
  readonly credit?: boolean | undefined
}

/** Signing in without passwords, and leaving: `@openfountain/accounts` verifies proofs, this class stores the result. */
export class Accounts extends Part {
  /** Makes a link that gives somebody an account with this XP, once, within 24 hours. @throws RegistryError INVALID_INPUT */
  async invite(input: {
    readonly name?: string | undefined
    readonly isModerator?: boolean | undefined
    readonly xp?: number | undefined
  }): Promise<SignInLink> {
    const { secret, id, row } = newCredential('link')
    const value = { invited: parse(Invitation, input) }
    const { expiresAt = '' } = await this.#keepLink(id, (times) => decisions.keepNew(row(value, times)))
    return { secret, expiresAt }
  }

  /** Makes a link that signs a user in, once, within 24 hours; other sessions end then. @throws RegistryError NOT_FOUND */
  async link(userId: string): Promise<SignInLink> {
    const { secret, id, row } = newCredential('link')
    const { expiresAt = '' } = await this.#keepLink(id, (times) =>
      decisions.keepFor(userId, row({}, { userId, ...times })),
    )
    return { secret, expiresAt }
  }

  /**
   * Signs in with a link, which is then used up; not by an invitation where registration is closed.
   *
   * @throws RegistryError UNAUTHORIZED, INVALID_INPUT when a name is needed, FORBIDDEN `{ registration }`
   */
  async redeemLink(secret: string, options: LinkRedemption = {}): Promise<SignInResult> {
    const { name: given, device, registration } = knownOptions(options, ['name', 'device', 'registration'])
    const { name } = parse(NamedPerson, { name: given })
    const link = { key: keyOfCredential(secret), name, registration }
    const begun = this.#beginning(device)
    const signed = await begun.end(
      await this.store.write({ decide: (at) => decisions.redeemLink(link, begun.at(at)) }),
    )
    const { userId, isNew } = signed
    this.shared.report('link.used', { user: userId })
    if (isNew && (await this.read.users.get(userId))?.isModerator === true)
      this.shared.report('moderator.appointed', { user: userId })
    return signed
  }

  /**
   * Signs in with a proven way: with the account that has it, or a new one. Accounts are never joined.
   *
   * @throws RegistryError FORBIDDEN `{ registration }` unless registration is open, or for who is blocked; CONFLICT when
   * the address has an account; INVALID_INPUT for no name or a moderator's; RATE_LIMITED by the network
   */
  async signIn(proven: ProvenWay, newcomer: Newcomer): Promise<SignInResult> {
    const known = knownOptions(newcomer, ['name', 'registration', 'device', 'network'])
    const way = await wayOf(this.store, proven)
    const person = await newcomerBy(this.store, known)
    const begun = this.#beginning(known.device)
    return begun.end(
      await this.store.write({ decide: (at) => decisions.signInWith(way, person, begun.at(at)) }),
    )
  }

  /** Whether this way to sign in belongs to an account. */
  async isKnown(key: string): Promise<boolean> {
    return (await this.read.secrets.get('identity', secretId('identity', key))) !== undefined
  }

  /** Adds a way that was proven to a user's account. @throws RegistryError CONFLICT when it belongs to another one */
  async addIdentity(userId: string, proven: ProvenWay): Promise<void> {
    const way = await wayOf(this.store, proven)
    if (await this.store.write({ decide: (at) => decisions.addWay(at, userId, way) }))
      this.#changed({ userId, change: 'added', ...named(way) })
  }

  /** Calls `listener`, which must not throw, after a token or a way to sign in came or went. @returns what ends it */
  onAccessChange(listener: (change: AccessChange) => void): () => void {
    return this.shared.access.on(listener)
  }

  /** The providers and addresses of a user, oldest first. */
  async identities(userId: string): Promise<IdentityInfo[]> {
    return (await this.read.secrets.list('identity', userId)).map(identityInfo)
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removeIdentity(userId: string, id: number): Promise<void> {
    await this.#removeWay('identity', userId, id)
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removePasskey(userId: string, id: number): Promise<void> {
    await this.#removeWay('passkey', userId, id)
  }

  /**
   * Stores a code for the browser that asked. Mails are counted for all processes of the registry.
   *
   * @param browser a secret of the browser
   * @param answer the text that redeems the code: it contains the code and its address
   * @throws RegistryError RATE_LIMITED after too many mails, or wrong codes (`attempts` in the rules)
   */
  async keepCode(browser: string, answer: string, mail: CodeMail): Promise<void> {
    await newCode(this.store, { browser, answer }, mail)
  }

  /**
   * Signs in with a code, which is then used up. After five wrong answers the browser has to ask again.
   *
   * @throws RegistryError UNAUTHORIZED `{ triesLeft? }`, RATE_LIMITED after 50 wrong ones in a day; as `signIn`
   */
  async signInWithCode(
    browser: string,
    answer: string,
    options: Newcomer & { readonly way: ProvenWay },
  ): Promise<SignInResult> {
    const known = knownOptions(options, ['name', 'registration', 'device', 'network', 'way'])
    const way = await wayOf(this.store, known.way)
    const person = await newcomerBy(this.store, known)
    const begun = this.#beginning(known.device)
    const decide = (at: string) => decisions.signInWith(way, person, begun.at(at))
    return begun.end(await redeemed(this.store, { browser, answer }, decide))
  }

  /** Adds an address that was proven by a code. @throws RegistryError as `signInWithCode` and `addIdentity` */
  async addIdentityWithCode(
    browser: string,
    answer: string,
    options: { readonly userId: string; readonly way: ProvenWay },
  ): Promise<void> {
    const { userId, way: proven } = knownOptions(options, ['userId', 'way'])
    const way = await wayOf(this.store, proven)
    if (await redeemed(this.store, { browser, answer }, (at) => decisions.addWay(at, userId, way)))
      this.#changed({ userId, change: 'added', ...named(way) })
  }

  /** The passkeys of a user, oldest first. */
  async passkeys(userId: string): Promise<(PasskeyInfo & { readonly credentialId: string })[]> {
    const all = await this.read.secrets.list('passkey', userId)
    return all.map((passkey) => ({ ...passkeyInfo(passkey), credentialId: credentialIdOf(passkey) }))
  }

  /** The passkey with this credential id, in base64url. */
  async passkey(credentialId: string): Promise<KeptPasskey | undefined> {
    const found = await this.read.secrets.get('passkey', secretId('passkey', credentialId))
    if (found?.userId === undefined) return undefined
    const { name: _name, ...value } = found.value
    return { ...value, credentialId, userId: found.userId }
  }

  /** Adds a passkey that was verified. @throws RegistryError CONFLICT when it was added before */
  async addPasskey(passkey: KeptPasskey & { readonly name: string }): Promise<PasskeyInfo> {
    const { credentialId, userId, ...value } = passkey
    const { name } = parse(NamedWay, { name: value.name })
    const id = secretId('passkey', credentialId)
    await this.store.write({
      decide: (at) =>
        decisions.addPasskey(userId, { id, kind: 'passkey', value: { ...value, name }, createdAt: at }),
    })
    this.#changed({ userId, change: 'added', what: 'passkey', name })
    return passkeyInfo(await writtenSecret(this.store, 'passkey', id))
  }

  /** @throws RegistryError NOT_FOUND, INVALID_INPUT */
  async renamePasskey(userId: string, id: number, input: { readonly name: string }): Promise<void> {
    const { name } = parse(NamedWay, input)
    const found = required(await this.read.secrets.byNumber('passkey', id), 'passkey', id)
    await this.store.write({ decide: (at) => decisions.renamePasskey({ id: found.id, userId, name }, at) })
  }

  /** Signs in with a verified passkey, which signed `counter` times as it says. @throws RegistryError UNAUTHORIZED */
  async signInWithPasskey(
    credentialId: string,
    options: { readonly counter: number; readonly device?: string | undefined },
  ): Promise<SignInResult> {
    const { counter, device } = knownOptions(options, ['counter', 'device'])
    const id = secretId('passkey', credentialId)
    const begun = this.#beginning(device)
    const signed = await this.store.write({
      decide: (at) => decisions.signInWithPasskey({ id, counter }, begun.at(at)),
    })
    if (signed !== undefined) return begun.end(signed)
    const { userId } = (await this.read.secrets.get('passkey', id)) ?? {}
    this.shared.report('passkey.copied', { user: userId })
    throw new RegistryError(
      'UNAUTHORIZED',
      'This passkey may have been copied: sign in in another way, and remove it',
    )
  }

  /** Stores the expected values of a sign-in for one purpose, for ten minutes. @returns the secret of the browser */
  async beginCeremony(
    purpose: string,
    expected: Readonly<Record<string, string | undefined>>,
  ): Promise<string> {
    const { secret, row } = newCredential('ceremony')
    const timesOf = (at: string) => ({
      createdAt: at,
      expiresAt: minutesAfter(at, lifetimes.ceremonyMinutes),
    })
    await this.store.write({ decide: (at) => decisions.keepNew(row({ purpose, expected }, timesOf(at))) })
    return secret
  }

  /** Ends a ceremony. @returns the expected values, once. @throws RegistryError UNAUTHORIZED, also for another purpose */
  async endCeremony(secret: string, purpose: string): Promise<Readonly<Record<string, string | undefined>>> {
    const key = keyOfCredential(secret)
    const found = await this.store.write({ decide: (at) => decisions.takeCeremony(key, { purpose, at }) })
    if (found !== undefined) return found.value.expected
    throw new RegistryError('UNAUTHORIZED', 'This took too long, or was begun elsewhere: begin again')
  }

  /**
   * A user leaves: one transaction deletes name, address, ways to sign in, sessions and tokens. Contributions stay under
   * their id. With `texts: 'erase'` their texts, except names of fountains, are redacted and their photos deleted,
   * before and again afterwards. Can be repeated if something fails before.
   *
   * @throws RegistryError NOT_FOUND, INVALID_INPUT, STORAGE_NOT_ERASED `{ leftovers }` when something still holds it
   */
  async leave(userId: string, options: LeavingOptions): Promise<void> {
    const { confirm, texts, credit = false } = knownOptions(options, ['confirm', 'texts', 'credit'])
    const { report, erasures } = this.shared
    const erase = async (entries: Parameters<typeof eraseTexts>[2]): Promise<void> => {
      const lost = await eraseTexts(this.store, userId, entries)
      if (lost.length > 0) report('text.redacted', { user: userId, entries: lost })
    }
    const photosGone = async (): Promise<void> =>
      withoutFiles(this.shared, await this.store.write({ decide: () => erasePhotos(userId, authorLeft) }))
    if (texts === 'erase') mustNotBeAlongside()
    const barredKeyOf = await hashesFor('barred', this.store)
    const leaving = (at: string) => decisions.leave(at, userId, { confirm, barredKeyOf, credit })
    // A wrong confirmation must not find texts erased.
    await this.store.write({ decide: leaving, dryRun: true })
    // Texts go first, so that an interrupted call can be repeated.
    if (texts === 'erase') {
      await erase('written as them')
      await photosGone()
    }
    const observations = await this.store.write({ decide: leaving })
    report('account.left', { user: userId })
    // The user can write nothing more: this round covers texts written during the first.
    if (texts === 'erase') {
      await erase('written as them')
      await photosGone()
      // They are no longer known to be theirs.
      await erase(observations)
    }
    await erasures?.addAll([leavingOf(userId)])
    await scrubbed(this.shared)
  }

  /**
   * All data about a user but secrets, as JSON, piece by piece: `entries` by them, `about` them by others. @throws
   * RegistryError NOT_FOUND
   */
  async *export(userId: string): AsyncGenerator<string> {
    yield* exportOf(this.store, userId)
  }

  async #keepLink(
    id: string,
    keep: (times: Pick<SecretOf<'link'>, 'createdAt' | 'expiresAt'>) => Decided<undefined>,
  ): Promise<SecretOf<'link'>> {
    const timesOf = (at: string) => ({
      createdAt: at,
      expiresAt: minutesAfter(at, lifetimes.linkHours * minutesOf.hour),
    })
    await this.store.write({ decide: (at) => keep(timesOf(at)) })
    const link = await writtenSecret(this.store, 'link', id)
    const { userId, expiresAt = '' } = link
    this.shared.report('link.created', { user: userId, until: expiresAt })
    return link
  }

  /** A session that begins with a sign-in, and its end, which reports it. */
  #beginning(device: string | undefined) {
    const { secret, id, begun } = newSession(device)
    const { rules, report, newId } = this.shared
    return {
      at: (at: string): SigningIn => ({ at, rules, newId, session: (userId) => begun(userId, at) }),
      end: async (signed: SignedIn): Promise<SignInResult> => {
        const { number, expiresAt = '' } = await writtenSecret(this.store, 'session', id)
        const { userId, isNew } = signed
        if (isNew) report('account.created', { user: userId })
        report('session.created', { user: userId, session: number, until: expiresAt })
        return { ...signed, session: secret, expiresAt }
      },
    }
  }

  async #removeWay(kind: 'identity' | 'passkey', userId: string, id: number): Promise<void> {
    const way = required(await this.read.secrets.byNumber(kind, id), 'way to sign in', '')
    await this.store.write({ decide: (at) => decisions.removeWay(way.id, userId, at) })
    const known = 'label' in way.value ? named(way.value) : { what: 'passkey' as const, name: way.value.name }
    this.#changed({ userId, change: 'removed', ...known })
  }

  #changed(change: Omit<AccessChange, 'language'>): void {
    this.shared.report(`way.${change.change}`, { user: change.userId })
    this.shared.access.tell(change)
  }
}
