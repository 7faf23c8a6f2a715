import type { OwnUser } from '@openfountain/core'
import { fill } from '../../messages.ts'
import { request, Refusal } from '../../api/request.ts'
import type { SignInOffer } from '../../api/signed-in.ts'
import { config, format, elementBy, words } from './config.ts'
import { announce, fieldOf, onPress, onSubmit, showProblem, valueOf } from './form.ts'
import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, signInWithPasskey } from './passkeys.ts'
import { wordingOf, withName } from './wording.ts'

/** A code that was sent, and where to. */
export interface SentCode {
  readonly email: string
  readonly code: string
}

export interface WaysOptions {
  readonly offer: Pick<SignInOffer, 'methods' | 'providers'>
  /** The page to return to from a provider. */
  readonly returnTo: string
  /** The address of a user who signs in again. */
  readonly email?: string | undefined
  /** Called after sign-in. */
  signedIn(user: OwnUser): void
  /** Called when the code is right and a name is needed; without it, that case is a refusal. */
  needsName?(code: SentCode): void
}

/** The address that starts the sign-in at a provider. */
export const providerAddress = (id: string, returnTo: string, isAdded = false): string =>
  `${config.api}/auth/providers/${encodeURIComponent(id)}?${new URLSearchParams({ returnTo, ...(isAdded && { add: 'true' }) }).toString()}`

/** Redeems a code. @throws Refusal */
export async function redeemCode(
  code: SentCode,
  more: { name?: string; add?: boolean } = {},
): Promise<OwnUser> {
  const { user } = await request<{ user: OwnUser }>('POST', '/auth/codes/redeem', { ...code, ...more })
  return user
}

/** Whether the name is the only missing field. */
export const isNameMissing = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'INVALID_INPUT' && error.fields.includes('name')

/** The current options of each container: the dialog opens more than once. */
const current = new WeakMap<HTMLElement, WaysOptions>()

/** Shows the offered sign-in methods, with the controls in `root` (`Ways.astro`). */
export function showWays(root: HTMLElement, options: WaysOptions): void {
  const { methods, providers } = options.offer
  const hasPasskeys = methods.includes('passkey') && browserSupportsWebAuthn()
  const hasCodes = methods.includes('code')
  const passkey = elementBy('[data-passkey]', root)
  passkey.hidden = !hasPasskeys
  elementBy('[data-codes]', root).hidden = !hasCodes
  showProviders(
    elementBy('[data-providers]', root),
    methods.includes('provider') ? providers : [],
    options.returnTo,
  )
  if (!current.has(root)) listen(root)
  current.set(root, options)
  const email = root.querySelector<HTMLInputElement>('input[name=email]')
  if (email && options.email !== undefined) email.value = options.email
  root.hidden = false
}

function listen(root: HTMLElement): void {
  onPress(elementBy('[data-passkey]', root), root, 'passkey', async () => {
    const user = await signInWithPasskey()
    current.get(root)?.signedIn(user)
  })
  listenToCodes(
    elementBy<HTMLFormElement>('form[data-send]', root),
    elementBy<HTMLFormElement>('form[data-redeem]', root),
    {
      send: (email) => sendCode(email),
      async redeem(code) {
        const options = current.get(root)
        try {
          const user = await redeemCode(code)
          options?.signedIn(user)
        } catch (error) {
          if (options?.needsName === undefined || !isNameMissing(error)) throw error
          options.needsName(code)
        }
      },
    },
  )
}

/** Requests a code by mail, to sign in or to add the address to the account. @throws Refusal */
export async function sendCode(email: string, add = false): Promise<void> {
  await request('POST', '/auth/codes', add ? { email, add } : { email })
}

/** Two forms, for an address and for the code; the second replaces the first. */
export function listenToCodes(
  sending: HTMLFormElement,
  redeeming: HTMLFormElement,
  { send, redeem }: { send(email: string): Promise<void>; redeem(code: SentCode): Promise<void> },
): { reset(): void } {
  let email = ''
  const ask = (): void => {
    redeeming.hidden = true
    redeeming.reset()
    sending.hidden = false
  }
  onSubmit(sending, 'code', async () => {
    const given = valueOf(sending, 'email').trim()
    announce(words.sending)
    await send(given)
    announce('')
    email = given
    elementBy('[data-sent]', redeeming).textContent = fill(words.codeSent, { email: format.isolate(email) })
    sending.hidden = true
    redeeming.hidden = false
    fieldOf(redeeming, 'code')?.focus()
  })
  onSubmit(redeeming, 'code', () =>
    redeem({ email, code: valueOf(redeeming, 'code').replaceAll(/\s/gu, '') }),
  )
  elementBy('[data-other]', redeeming).addEventListener('click', () => {
    ask()
    fieldOf(sending, 'email')?.focus()
  })
  return { reset: ask }
}

/** Offers passkeys in the browser's autofill of the address, until another method is chosen. */
export async function offerPasskeys(root: HTMLElement, signedIn: (user: OwnUser) => void): Promise<void> {
  if (elementBy('[data-passkey]', root).hidden || elementBy('[data-codes]', root).hidden) return
  if (!(await browserSupportsWebAuthnAutofill())) return
  try {
    signedIn(await signInWithPasskey({ byAutofill: true }))
  } catch (error) {
    // The browser's own passkey offer ends without an error when the user signs in another way.
    if (error instanceof Refusal && error.code === 'UNAUTHORIZED')
      showProblem(root, wordingOf(error, 'passkey'))
  }
}

function showProviders(place: HTMLElement, providers: SignInOffer['providers'], returnTo: string): void {
  const shown = config.offersProviders ? providers : []
  place.hidden = shown.length === 0
  place.replaceChildren(
    ...shown.map(({ id, name }) => {
      const link = document.createElement('a')
      link.className = 'button button-quiet'
      link.href = providerAddress(id, returnTo)
      link.textContent = withName(words.withProvider, name)
      return link
    }),
  )
}
