import { randomBytes, randomInt } from 'node:crypto'
import type { Registry } from '@openfountain/core'
import {
  type CodeSignIn,
  invalid,
  parse,
  type Registration,
  type SignInResult,
} from '@openfountain/core/internal'
import { z } from 'zod'
import { emailAddress, type EmailAddress } from './email-address.ts'
import { codeMail } from './mail/code-mail.ts'
import { languageOf } from './mail/letter.ts'
import type { Outbox } from './mail/outbox.ts'
import type { PublicUrl } from './public-url.ts'

const Browser = z.string().max(128)

/** Eight digits, ignoring spaces and hyphens. @throws RegistryError INVALID_INPUT */
function digitsOf(given: unknown): string {
  const digits = typeof given === 'string' && given.length <= 64 ? given.replaceAll(/[\s-]/gu, '') : ''
  if (!/^\d{8}$/u.test(digits)) throw invalid('code', 'must be the 8 digits of the e-mail')
  return digits
}

/** A code is good for its address alone, and for signing in or for one account. */
const answerOf = ({ key }: EmailAddress, code: string, userId = ''): string =>
  JSON.stringify([key, code, userId])

const wayOf = ({ key, shown }: EmailAddress) => ({ key, provider: 'email', label: shown })

interface Settings {
  readonly registration: Registration
  readonly publicUrl: PublicUrl
  /** The target of links in mails. */
  readonly signInPage: URL
  readonly name: string
}

/** Codes of eight digits, valid for ten minutes and five tries, in the browser that requested them. */
export class Codes implements CodeSignIn {
  readonly #registry: Registry
  readonly #outbox: Outbox
  readonly #options: Settings

  constructor(registry: Registry, outbox: Outbox, options: Settings) {
    this.#registry = registry
    this.#outbox = outbox
    this.#options = options
  }

  keyOf(email: unknown): string {
    return emailAddress(email).key
  }

  async send(
    email: unknown,
    { language, userId, network }: Parameters<CodeSignIn['send']>[1] = {},
  ): Promise<{ readonly browser: string }> {
    const address = emailAddress(email)
    const browser = `ofb_${randomBytes(32).toString('base64url')}`
    const code = String(randomInt(100_000_000)).padStart(8, '0')
    // From here on, known and unknown addresses are treated alike.
    await this.#registry.accounts.keepCode(browser, answerOf(address, code, userId), {
      address: address.key,
      network,
    })
    this.#outbox.add(async () => {
      if (!(await this.#isExpected(address, userId))) return []
      const { publicUrl, signInPage, name } = this.#options
      const link = `${signInPage.href}#${new URLSearchParams({ code, email: address.shown }).toString()}`
      const { origin } = publicUrl
      const purpose = userId === undefined ? 'signIn' : 'addition'
      const mail = codeMail({ code, link, name, origin, purpose, language: languageOf(language) })
      return [{ ...mail, to: address.mailbox }]
    })
    return { browser }
  }

  /** Whether a code for this address can be used. */
  async #isExpected({ key }: EmailAddress, userId: string | undefined): Promise<boolean> {
    if (userId !== undefined || this.#options.registration === 'open') return true
    return this.#registry.accounts.isKnown(key)
  }

  async signIn(
    browser: string,
    { email, code, name }: Parameters<CodeSignIn['signIn']>[1],
    device?: string,
    network?: string,
  ): Promise<SignInResult> {
    const address = emailAddress(email)
    const answer = answerOf(address, digitsOf(code))
    const { registration } = this.#options
    return this.#registry.accounts.signInWithCode(parse(Browser, browser), answer, {
      way: wayOf(address),
      registration,
      device,
      network,
      name: parse(Name, { name }).name,
    })
  }

  async add(
    userId: string,
    browser: string,
    { email, code }: Parameters<CodeSignIn['add']>[2],
  ): Promise<void> {
    const address = emailAddress(email)
    const answer = answerOf(address, digitsOf(code), userId)
    const way = wayOf(address)
    await this.#registry.accounts.addIdentityWithCode(parse(Browser, browser), answer, { userId, way })
  }
}

const Name = z.object({ name: z.string().optional() })
