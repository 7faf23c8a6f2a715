import { lifetimes } from '@openfountain/core/rules'
import { Refusal } from '../../api/request.ts'
import { signInOffer } from '../../api/signed-in.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog.tsx'
import { format, words } from './config.ts'
import { readLists } from './lists.ts'
import { Ways } from './ways.tsx'

const isRefusedForAge = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'REAUTHENTICATION_REQUIRED'

/** Runs work; when the server asks for a recent sign-in, a dialog does, and it is run once more. @throws Refusal, also when the user does not */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isRefusedForAge(error) || !(await signInAgain())) throw error
    return work()
  }
}

/** Asks to sign in again, with the methods of the account. @returns whether the user did */
async function signInAgain(): Promise<boolean> {
  const { user, ...offer } = await signInOffer()
  const { passkeys, identities } = await readLists('passkeys', 'identities')
  const address = identities.find(({ provider }) => provider === 'email')?.label
  const providers = offer.providers.filter(({ id }) => identities.some(({ provider }) => provider === id))
  const has = { passkey: passkeys.length > 0, code: address !== undefined, provider: providers.length > 0 }
  const methods = offer.methods.filter((method) => method !== 'link' && has[method])
  const dialog = openDialog({ title: words.again })
  dialog.root.id = 'again'
  let isSame = false
  dialog.show(
    <>
      <p>{fill(words.againText, { minutes: format.number(lifetimes.session.recentMinutes) })}</p>
      {methods.length === 0 && <p>{words.againLink}</p>}
      <Ways
        id="again"
        offer={{ methods, providers }}
        returnTo={location.pathname}
        email={address}
        signedIn={(other) => {
          // This device may offer another account's passkey: the page then shows that account.
          if (other.id !== user?.id) return location.reload()
          isSame = true
          dialog.close()
        }}
      />
      <Button kind="quiet" text={words.cancel} onPress={dialog.close} />
    </>,
  )
  await dialog.closed
  return isSame
}
