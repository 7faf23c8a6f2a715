import type { AccountState } from './account-state.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { elementBy } from './config.ts'
import { listenToDevices, showDevices } from './devices.ts'
import { showProblem, showStep } from './form.ts'
import { listenToDownload, listenToLeaving } from './leaving.ts'
import { listenToProfile, showUser } from './profile.ts'
import { listenToTokens, showTokens } from './tokens.ts'
import { listenToWaysIn, showWaysIn } from './ways-in.ts'
import { wordingOf } from './wording.ts'

/** The page of the user's own account. */
async function begin(): Promise<void> {
  const { user, ...offer } = await signInOffer()
  if (user === null) {
    rememberUser(undefined)
    showStep(elementBy('#step-signed-out'), { focus: false })
    return
  }
  const state: AccountState = { offer: { ...offer, user }, user, passkeys: [], identities: [] }
  showUser(user)
  listenToProfile(state)
  listenToWaysIn(state)
  listenToDevices()
  listenToTokens(state)
  listenToDownload(state)
  listenToLeaving(state)
  await Promise.all([showWaysIn(state), showDevices(), showTokens()])
  showStep(elementBy('#step-account'), { focus: false })
}

try {
  await begin()
} catch (error) {
  const failed = elementBy('#step-failed')
  showStep(failed, { focus: false })
  showProblem(failed, wordingOf(error, 'other'))
}
