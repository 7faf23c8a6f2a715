import type { OwnUser } from '@openfountain/core'
import { request, Refusal } from '../../api/request.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { forgetReturn, storedReturn } from '../../api/return.ts'
import { config, elementBy, words } from './config.ts'
import { announce, onSubmit, showProblem, showStep, valueOf } from './form.ts'
import { isNameMissing, offerPasskeys, redeemCode, showWays, type SentCode } from './ways.ts'
import { withName, wordingOf } from './wording.ts'

/** The sign-in page. A secret in its address is removed at once, and is in no history and no storage. */

/** A secret from the address: of a mail, or of an administrator's link. */
type GivenSecret = { readonly link: string } | SentCode

function takeSecret(): GivenSecret | undefined {
  const fragment = location.hash.slice(1)
  const pairs = new URLSearchParams(fragment)
  const [code, email] = [pairs.get('code'), pairs.get('email')]
  const isLink = /^[\w-]{20,200}$/u.test(fragment)
  if (!isLink && code === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (isLink) return { link: fragment }
  return code !== null && email !== null ? { code, email } : undefined
}

const brought = takeSecret()
/** The error code of a provider's sign-in, from the server's redirect. */
const returned = new URLSearchParams(location.search).get('problem')
if (returned !== null) history.replaceState(history.state, '', location.pathname)
const steps = {
  wait: elementBy('#step-wait'),
  ways: elementBy('#step-ways'),
  failed: elementBy('#step-failed'),
  name: elementBy('#step-name'),
  done: elementBy('#step-done'),
}
const nameForm = elementBy<HTMLFormElement>('form', steps.name)
let redeemNamed: (name: string) => Promise<OwnUser> = () => Promise.reject(new Refusal('UNAUTHORIZED'))
/** Refusals after which the link or code is used up. */
const final: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND'])
let namedOperation: 'link' | 'code' = 'link'

function signedIn({ id, name }: OwnUser): void {
  rememberUser({ id, name })
  announce(withName(words.signedInAs, name))
  const to = storedReturn() ?? config.pages.account
  forgetReturn()
  location.assign(to)
}

/** Redeems the secret from the address; a new user is asked for a name first. */
async function redeem(given: GivenSecret): Promise<void> {
  announce(words.redeeming)
  const operation = 'link' in given ? 'link' : 'code'
  const now = async (name?: string): Promise<OwnUser> => {
    if ('code' in given) return redeemCode(given, name === undefined ? {} : { name })
    const { user } = await request<{ user: OwnUser }>('POST', '/auth/links/redeem', {
      secret: given.link,
      name,
    })
    return user
  }
  try {
    signedIn(await now())
  } catch (error) {
    announce('')
    if (isNameMissing(error)) askName(operation, now)
    else await begin(wordingOf(error, operation))
  }
}

function askName(operation: 'link' | 'code', redeemWith: (name: string) => Promise<OwnUser>): void {
  namedOperation = operation
  redeemNamed = redeemWith
  showStep(steps.name)
}

/** Keys of the texts that say who may register. */
const newcomers = { open: 'openToAll', invite: 'invited', closed: 'closed' } as const

/** Shows the sign-in methods. @param before the problem to show */
async function begin(before = ''): Promise<void> {
  let problem = before
  let offer
  try {
    offer = await signInOffer()
  } catch (error) {
    showStep(steps.failed, { focus: false })
    showProblem(steps.failed, before === '' ? wordingOf(error, 'provider') : before)
    return
  }
  const { user, registration } = offer
  if (user !== null) {
    // A signed-in user was adding a provider, or opened a link that is used up.
    if (returned !== null) problem = wordingOf(new Refusal(returned), 'addingProvider')
    showProblem(steps.done, problem)
    rememberUser(user)
    elementBy('[data-who]', steps.done).textContent = withName(words.signedInAs, user.name)
    showStep(steps.done, { focus: false })
    return
  }
  rememberUser(undefined)
  if (returned !== null && problem === '')
    problem = wordingOf(new Refusal(returned, { registration }), 'provider')
  elementBy('[data-registration]', steps.ways).textContent = words[newcomers[registration]]
  const root = elementBy('[data-ways]', steps.ways)
  showWays(root, {
    offer,
    returnTo: storedReturn() ?? config.pages.account,
    signedIn,
    needsName: (code) => askName('code', (name) => redeemCode(code, { name })),
  })
  showStep(steps.ways, { focus: false })
  if (problem !== '') showProblem(steps.ways, problem)
  await offerPasskeys(root, signedIn)
}

onSubmit(nameForm, 'other', async () => {
  try {
    signedIn(await redeemNamed(valueOf(nameForm, 'name')))
  } catch (error) {
    // After an error that may pass, the form stays, and with it the link.
    const isFinal = error instanceof Refusal && final.has(error.code)
    if (!isFinal) throw error
    await begin(wordingOf(error, namedOperation))
  }
})

// Opening a link while the page is open only changes the fragment.
addEventListener('hashchange', () => {
  const next = takeSecret()
  if (next) void redeem(next)
})

if (brought) void redeem(brought)
else void begin()
