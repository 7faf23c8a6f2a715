import { randomUUID } from 'node:crypto'
import { knownOptions } from '../checked-options.ts'
import { takeCeremony } from '../decide/account.ts'
import { leave } from '../decide/leaving.ts'
import { keepNew } from '../decide/secret.ts'
import { RegistryError } from '../errors.ts'
import type { IdentityInfo, PasskeyInfo, SignInLink } from '../schemas/credential.ts'
import { lifetimes, type Rules } from '../rules.ts'
import { hashOf, longestSecret, minutesAfter, newSecret, secretId } from '../secrets.ts'
import { mustNotBeAlongside } from '../store/alongside.ts'
import type { ReportSecurity } from '../security-events.ts'
import type { Store } from '../store/port.ts'
import type { AccessChange, AccessChanges } from './access-changes.ts'
import { Codes, type CodeMail } from './codes.ts'
import { exportOf } from './export.ts'
import { barredKeys } from './barred.ts'
import { eraseTexts } from './leaving.ts'
import { SignIns, type LinkRedemption, type Newcomer, type SignInResult } from './sign-ins.ts'
import { Ways, type KeptPasskey, type ProvenWay } from './ways.ts'

interface AccountsOptions {
  readonly rules: Rules
  readonly report: ReportSecurity
  readonly access: AccessChanges
  readonly ids?: (() => string) | undefined
  readonly scrub: () => Promise<void>
  /** Lists outside the database that somebody has left. */
  readonly listLeft: (userId: string) => Promise<void>
}

/** How somebody leaves. */
interface LeavingOptions {
  /** Their name, as a safeguard. */
  readonly confirm?: string | undefined
  /** `erase` also redacts what they wrote, but for names of fountains. */
  readonly texts: 'keep' | 'erase'
}

/**
 * Signing in without passwords, and leaving. What a caller proves, such as a signature or an address, is verified by
 * `@openfountain/accounts`; here is what is kept of it, and what follows. Every act is one transaction, but for `leave`,
 * which takes several when it erases texts.
 */
export class Accounts {
  readonly #store: Store
  readonly #access: AccessChanges
  readonly #codes: Codes
  readonly #signIns: SignIns
  readonly #ways: Ways
  readonly #options: AccountsOptions

  /** @internal Created by the registry. */
  constructor(store: Store, options: AccountsOptions) {
    const { rules, report, access, ids = randomUUID } = options
    this.#store = store
    this.#access = access
    this.#codes = new Codes(store)
    this.#signIns = new SignIns(store, { rules, report, newId: ids, codes: this.#codes })
    this.#ways = new Ways(store, { report, access, codes: this.#codes })
    this.#options = options
  }

  /** Makes a link with which somebody gets an account, once, within 24 hours. @throws RegistryError INVALID_INPUT */
  async invite(input: {
    readonly name?: string | undefined
    readonly isModerator?: boolean | undefined
  }): Promise<SignInLink> {
    return this.#signIns.invite(input)
  }

  /**
   * Makes a link with which a user signs in, once, within 24 hours; their other sessions end then.
   *
   * @throws RegistryError NOT_FOUND
   */
  async link(userId: string): Promise<SignInLink> {
    return this.#signIns.link(userId)
  }

  /**
   * Signs in with a link, which is then used up.
   *
   * @throws RegistryError UNAUTHORIZED when the link is unknown, used or expired; INVALID_INPUT when a name is needed;
   * FORBIDDEN `{ registration }` for somebody who is invited where registration is closed: the link stays
   */
  async redeemLink(secret: string, options: LinkRedemption = {}): Promise<SignInResult> {
    return this.#signIns.withLink(secret, knownOptions(options, ['name', 'device', 'registration']))
  }

  /**
   * Signs in with a way that was proven: with the account that has it, or a new one where registration is open. Accounts
   * are never joined.
   *
   * @throws RegistryError FORBIDDEN `{ registration }` when registration is not open, or when the person is blocked; CONFLICT
   * when the address belongs to an account, INVALID_INPUT when a name is needed or is a moderator's, RATE_LIMITED when too many
   * accounts were made from the network
   */
  async signIn(proven: ProvenWay, newcomer: Newcomer): Promise<SignInResult> {
    return this.#signIns.withWay(
      proven,
      knownOptions(newcomer, ['name', 'registration', 'device', 'network']),
    )
  }

  /** Whether somebody signs in with this way. */
  async isKnown(key: string): Promise<boolean> {
    return this.#ways.isKnown(key)
  }

  /** Adds a way that was proven to a user's account. @throws RegistryError CONFLICT when it belongs to another one */
  async addIdentity(userId: string, proven: ProvenWay): Promise<void> {
    await this.#ways.addIdentity(userId, proven)
  }

  /**
   * Calls a function after somebody's token, passkey, provider or address was added or removed here, so that its owner can
   * be told.
   *
   * @param listener must not throw
   * @returns a function that ends it
   */
  onAccessChange(listener: (change: AccessChange) => void): () => void {
    return this.#access.on(listener)
  }

  /** The providers and addresses of a user, oldest first. */
  async identities(userId: string): Promise<IdentityInfo[]> {
    return this.#ways.identities(userId)
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removeIdentity(userId: string, id: number): Promise<void> {
    await this.#ways.remove('identity', userId, id)
  }

  /** @throws RegistryError NOT_FOUND, CONFLICT when it is the last way to sign in */
  async removePasskey(userId: string, id: number): Promise<void> {
    await this.#ways.remove('passkey', userId, id)
  }

  /**
   * Keeps a code for the browser that asked. Mails are counted for all processes of the registry.
   *
   * @param browser a secret of the browser
   * @param answer what the code must be redeemed with: a text that has the code, and whatever it was sent to
   * @throws RegistryError RATE_LIMITED after too many mails to the address (`attempts` in the rules), or too many wrong codes
   */
  async keepCode(browser: string, answer: string, mail: CodeMail): Promise<void> {
    await this.#codes.keep(browser, answer, mail)
  }

  /**
   * Signs in with a code, which is then used up. After five wrong answers the browser has to ask again.
   *
   * @throws RegistryError UNAUTHORIZED `{ triesLeft }` when it is wrong, without details when there is none; RATE_LIMITED
   * after 50 wrong codes for the address in a day; as `signIn`
   */
  async signInWithCode(
    browser: string,
    answer: string,
    options: Newcomer & { readonly way: ProvenWay },
  ): Promise<SignInResult> {
    return this.#signIns.withCode(
      browser,
      answer,
      knownOptions(options, ['name', 'registration', 'device', 'network', 'way']),
    )
  }

  /** Adds an address that was proven by a code. @throws RegistryError as `signInWithCode` and `addIdentity` */
  async addIdentityWithCode(
    browser: string,
    answer: string,
    options: { readonly userId: string; readonly way: ProvenWay },
  ): Promise<void> {
    await this.#ways.addIdentityWithCode(browser, answer, knownOptions(options, ['userId', 'way']))
  }

  /** The passkeys of a user, oldest first. */
  async passkeys(userId: string): Promise<(PasskeyInfo & { readonly credentialId: string })[]> {
    return this.#ways.passkeys(userId)
  }

  /** The passkey with this credential id, in base64url. */
  async passkey(credentialId: string): Promise<KeptPasskey | undefined> {
    return this.#ways.passkey(credentialId)
  }

  /** Adds a passkey that was verified. @throws RegistryError CONFLICT when it was added before */
  async addPasskey(passkey: KeptPasskey & { readonly name: string }): Promise<PasskeyInfo> {
    return this.#ways.addPasskey(passkey)
  }

  /** @throws RegistryError NOT_FOUND, INVALID_INPUT */
  async renamePasskey(userId: string, id: number, input: { readonly name: string }): Promise<void> {
    await this.#ways.renamePasskey(userId, id, input)
  }

  /**
   * Signs in with a passkey whose signature was verified.
   *
   * @param options `counter` is how often it signed, as it says
   * @throws RegistryError UNAUTHORIZED when it is unknown, or its counter did not rise
   */
  async signInWithPasskey(
    credentialId: string,
    options: { readonly counter: number; readonly device?: string | undefined },
  ): Promise<SignInResult> {
    return this.#signIns.withPasskey(credentialId, knownOptions(options, ['counter', 'device']))
  }

  /**
   * Keeps the expected values of a sign-in by a passkey or a provider, for ten minutes.
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
   * Ends a ceremony. @returns the expected values, once
   *
   * @throws RegistryError UNAUTHORIZED when there is none for this purpose, or it took too long
   */
  async endCeremony(secret: string, purpose: string): Promise<Readonly<Record<string, string>>> {
    const key = secret.length > longestSecret ? '' : hashOf(secret)
    const found = await this.#store.write({ decide: (at) => takeCeremony(key, { purpose, at }) })
    if (found !== undefined) return found.value.expected
    throw new RegistryError('UNAUTHORIZED', 'This took too long, or was begun elsewhere: begin again')
  }

  /**
   * A user leaves: name, address, ways to sign in, sessions and tokens are gone at once, in one transaction. What they
   * contributed stays under their id. With `texts: 'erase'` what they wrote, but for names of fountains, is redacted before
   * that, and what they write meanwhile after it. If something fails before they are gone, it can be done again.
   *
   * @param options `confirm` is their name, as a safeguard
   * @throws RegistryError NOT_FOUND, INVALID_INPUT, STORAGE_NOT_ERASED `{ leftovers }` when something still holds it
   */
  async leave(userId: string, options: LeavingOptions): Promise<void> {
    const { confirm, texts } = knownOptions(options, ['confirm', 'texts'])
    const { report, scrub, listLeft } = this.#options
    const erase = async (entries: Parameters<typeof eraseTexts>[2]): Promise<void> => {
      const lost = await eraseTexts(this.#store, userId, entries)
      if (lost.length > 0) report('text.redacted', { user: userId, entries: lost })
    }
    if (texts === 'erase') mustNotBeAlongside()
    const barredKeyOf = await barredKeys(this.#store)
    const leaving = (at: string) => leave(at, userId, { confirm, barredKeyOf })
    // A wrong confirmation must not find texts erased.
    await this.#store.write({ decide: leaving, dryRun: true })
    // Texts go first, so that whoever is interrupted can ask again.
    if (texts === 'erase') await erase('written as them')
    const observations = await this.#store.write({ decide: leaving })
    report('account.left', { user: userId })
    // Nothing is written as them any more: what came during the first round is the last.
    if (texts === 'erase') {
      await erase('written as them')
      // They are no longer known to be theirs.
      await erase(observations)
    }
    await listLeft(userId)
    await scrub()
  }

  /**
   * Everything that the registry holds about a user, as the text of one JSON document, piece by piece: `entries` of the log
   * by them, and `about` them by others. Secrets are not in it: nobody has them.
   *
   * @throws RegistryError NOT_FOUND
   */
  async *export(userId: string): AsyncGenerator<string> {
    yield* exportOf(this.#store, userId)
  }
}
