import type { AccountState } from './account-state.ts'
import { Refusal } from '../../api/request.ts'
import { config, elementBy } from './config.ts'
import { showProblem } from './form.ts'
import { showWays } from './ways.ts'

/** Whether the server asks for a recent sign-in. */
const isRefusedForAge = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'REAUTHENTICATION_REQUIRED'

/**
 * Runs work that needs a recent sign-in. When the server refuses it, a dialog asks to sign in again, and the work is
 * run once more.
 *
 * @throws Refusal, also when the user does not sign in again
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

/** Asks to sign in again, with the methods of the account. @returns whether the user did */
async function signInAgain({ offer, user, passkeys, identities }: AccountState): Promise<boolean> {
  const dialog = elementBy<HTMLDialogElement>('#again')
  const address = identities.find(({ provider }) => provider === 'email')?.label
  const providers = offer.providers.filter(({ id }) => identities.some(({ provider }) => provider === id))
  const methods = offer.methods.filter(
    (method) =>
      (method === 'passkey' && passkeys.length > 0) ||
      (method === 'code' && address !== undefined) ||
      (method === 'provider' && providers.length > 0),
  )
  elementBy('[data-only-link]', dialog).hidden = methods.length > 0
  let isSame = false
  showWays(elementBy('[data-ways]', dialog), {
    offer: { methods, providers },
    returnTo: config.pages.account,
    email: address,
    signedIn(other) {
      // This device may offer another account's passkey: the page then shows that account.
      if (other.id !== user.id) return location.reload()
      isSame = true
      dialog.close()
    },
  })
  showProblem(dialog, '')
  dialog.showModal()
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
  return isSame
}
