import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { OwnUser } from '@openfountain/core'
import { request } from '../../api/request.ts'

export { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]
type RegistrationOptions = Parameters<typeof startRegistration>[0]

/** Signs in with a passkey; `byAutofill` waits until one is chosen in the autofill of the address. @throws Refusal, or the browser's error */
export async function signInWithPasskey({ byAutofill = false } = {}): Promise<OwnUser> {
  const { options } = await request<{ options: AuthenticationOptions['optionsJSON'] }>(
    'POST',
    '/auth/passkeys/options',
  )
  const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill: byAutofill })
  const { user } = await request<{ user: OwnUser }>('POST', '/auth/passkeys/sign-in', { response })
  return user
}

/** Adds a passkey of this device to the account. @throws Refusal, or the browser's error */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await request<{ options: RegistrationOptions['optionsJSON'] }>(
    'POST',
    '/user/passkeys/options',
  )
  const response = await startRegistration({ optionsJSON: options })
  await request('POST', '/user/passkeys', { response, name })
}
