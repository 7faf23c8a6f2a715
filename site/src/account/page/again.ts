import type { AccountState } from './account-state.ts'
import { closed } from './asking.ts'
import { Refusal } from '../../api/request.ts'
import { config, the } from './config.ts'
import { showProblem } from './form.ts'
import { showWays } from './ways.ts'

/** Somebody who closed the dialog; the refusal that opened it then stands. */
const isRefusedForAge = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'REAUTHENTICATION_REQUIRED'

/**
 * Does what needs a recent sign-in. When the server refuses it, a dialog asks to sign in again, and it is done then.
 *
 * @throws Refusal, also when nobody signed in again
 */
export async function withRecentSignIn<Result>(
  state: AccountState,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isRefusedForAge(error) || !(await signInAgain(state))) throw error
    return work()
  }
}

/** Asks to sign in again, by the ways that the account has. @returns whether that happened */
async function signInAgain({ offer, user, passkeys, identities }: AccountState): Promise<boolean> {
  const dialog = the<HTMLDialogElement>('#again')
  const address = identities.find(({ provider }) => provider === 'email')?.label
  const providers = offer.providers.filter(({ id }) => identities.some(({ provider }) => provider === id))
  const methods = offer.methods.filter(
    (method) =>
      (method === 'passkey' && passkeys.length > 0) ||
      (method === 'code' && address !== undefined) ||
      (method === 'provider' && providers.length > 0),
  )
  the('[data-only-link]', dialog).hidden = methods.length > 0
  let isSame = false
  showWays(the('[data-ways]', dialog), {
    offer: { methods, providers },
    returnTo: config.pages.account,
    email: address,
    signedIn(other) {
      // Another passkey of this device may be somebody else's: the page then shows their account.
      if (other.id !== user.id) return location.reload()
      isSame = true
      dialog.close()
    },
  })
  showProblem(dialog, '')
  dialog.showModal()
  await closed(dialog)
  return isSame
}
