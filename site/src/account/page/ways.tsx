import type { OwnUser } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { request, Refusal } from '../../api/request.ts'
import type { SignInOffer } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field, textIn } from '../../ui/form.tsx'
import { config, format, words } from './config.ts'
import { AccountForm, announce, useWork } from './page.tsx'
import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, signInWithPasskey } from './passkeys.ts'
import { withName } from './wording.ts'

export interface SentCode {
  readonly email: string
  readonly code: string
}

export type GivenSecret = SentCode | { readonly secret: string }

export interface WaysProps {
  /** Begins the ids of the fields. */
  readonly id: string
  readonly offer: Pick<SignInOffer, 'methods' | 'providers'>
  readonly returnTo: string
  /** The address of a user who signs in again. */
  readonly email?: string | undefined
  /** Whether the browser offers passkeys in the field of the address. */
  readonly withAutofill?: boolean
  signedIn(user: OwnUser): void
  /** Called when the code is right and a name is needed; without it, that case is a refusal. */
  needsName?(code: SentCode): void
}

export const providerAddress = (id: string, returnTo: string, isAdded = false): string =>
  `${siteOfPage().api}/auth/providers/${encodeURIComponent(id)}?${new URLSearchParams({ returnTo, ...(isAdded && { add: 'true' }) }).toString()}`

/** Redeems a code, or an administrator's link by its secret. @throws Refusal */
export async function redeem(
  given: GivenSecret,
  more: { readonly name?: string; readonly add?: boolean } = {},
): Promise<OwnUser> {
  const kind = 'secret' in given ? 'links' : 'codes'
  return (await request<{ user: OwnUser }>('POST', `/auth/${kind}/redeem`, { ...given, ...more })).user
}

/** Requests a code by mail, to sign in or to add the address to the account. @throws Refusal */
export async function sendCode(email: string, add = false): Promise<void> {
  await request('POST', '/auth/codes', add ? { email, add } : { email })
}

export const isNameMissing = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'INVALID_INPUT' && error.fields.includes('name')

export function Ways({ id, offer, returnTo, email, withAutofill, signedIn, needsName }: WaysProps) {
  const { methods } = offer
  const { problem, run } = useWork('passkey')
  // The offer waits for as long as the page is open, and must not keep the button from working.
  const offered = useWork('passkey')
  const hasPasskeys = methods.includes('passkey') && browserSupportsWebAuthn()
  const hasCodes = methods.includes('code')
  const providers = config.offersProviders && methods.includes('provider') ? offer.providers : []
  useEffect(() => {
    if (withAutofill && hasPasskeys && hasCodes) offered.run(async () => offerPasskeys(signedIn))
  }, [])
  async function redeemSent(code: SentCode): Promise<void> {
    try {
      signedIn(await redeem(code))
    } catch (error) {
      if (needsName === undefined || !isNameMissing(error)) throw error
      needsName(code)
    }
  }
  return (
    <div class="stack-4 account-ways">
      {problem}
      {offered.problem}
      {hasPasskeys && (
        <Button
          icon="checksum"
          text={words.withPasskey}
          onPress={() => run(async () => signedIn(await signInWithPasskey()))}
        />
      )}
      {hasCodes && (
        <Codes
          id={id}
          label={words.email}
          action={words.sendCode}
          autoComplete="username webauthn"
          email={email}
          send={sendCode}
          redeem={redeemSent}
        />
      )}
      {providers.length > 0 && (
        <div class="stack-4">
          {providers.map((one) => (
            <Button
              key={one.id}
              kind="quiet"
              href={providerAddress(one.id, returnTo)}
              text={withName(words.withProvider, one.name)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

async function offerPasskeys(signedIn: (user: OwnUser) => void): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  try {
    signedIn(await signInWithPasskey({ byAutofill: true }))
  } catch (error) {
    // The browser's own passkey offer ends without an error when the user signs in another way.
    if (error instanceof Refusal && error.code === 'UNAUTHORIZED') throw error
  }
}

export interface CodesProps {
  readonly id: string
  readonly label: string
  readonly action: string
  readonly autoComplete?: string
  readonly email?: string | undefined
  send(email: string): Promise<void>
  redeem(code: SentCode): Promise<void>
}

/** Two forms, for an address and for the code that was sent there; the second replaces the first. */
export function Codes({ id, label, action, autoComplete = 'email', email, send, redeem }: CodesProps) {
  const [given, setGiven] = useState(email)
  const [sent, setSent] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current) place.current?.querySelector('input')?.focus()
    isFirst.current = false
  }, [sent])
  async function sendTo(data: FormData): Promise<void> {
    const to = textIn(data, 'email')
    setGiven(to)
    announce(words.sending)
    await send(to)
    announce('')
    setSent(to)
  }
  async function redeemSent(data: FormData): Promise<void> {
    await redeem({ email: sent ?? '', code: textIn(data, 'code').replaceAll(/\s/gu, '') })
  }
  return (
    <div class="stack-4" ref={place}>
      {sent === undefined ? (
        <AccountForm
          key="send"
          operation="code"
          work={sendTo}
          actions={<Button kind="quiet" isSubmit text={action} />}
        >
          <Field
            id={`${id}-email`}
            label={label}
            hint={fill(words.emailHint, { minutes: format.number(lifetimes.code.minutes) })}
            name="email"
            type="email"
            autoComplete={autoComplete}
            maxLength={limits.email}
            defaultValue={given}
            dir="ltr"
            required
          />
        </AccountForm>
      ) : (
        <AccountForm
          key="redeem"
          operation="code"
          work={redeemSent}
          actions={
            <>
              <Button isSubmit text={words.redeemCode} />
              <Button kind="quiet" text={words.otherAddress} onPress={() => setSent(undefined)} />
            </>
          }
        >
          <p>{fill(words.codeSent, { email: format.isolate(sent) })}</p>
          <Field
            id={`${id}-code`}
            label={words.code}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            pattern="\s*(\d\s*){8}"
            maxLength={20}
            dir="ltr"
            required
          />
        </AccountForm>
      )}
    </div>
  )
}
