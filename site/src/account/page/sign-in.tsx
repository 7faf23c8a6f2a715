import type { OwnUser } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { forgetReturn, storedReturn } from '../../api/return.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { Button } from '../../ui/button.tsx'
import { isNewcomer, noteFirstTask } from '../../first-task.ts'
import { textIn } from '../../ui/form.tsx'
import { Instead } from '../../ui/opened.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Earnings } from '../../views/earnings.tsx'
import { NewAccounts } from '../new-accounts.tsx'
import { config, format, words } from './config.ts'
import { AccountForm, announce, begun, NameField, showStep } from './page.tsx'
import { isNameMissing, redeem, Ways, type GivenSecret } from './ways.tsx'
import { withName, wordingOf } from './wording.ts'

/** The sign-in page. A secret in its address is removed at once, and is in no history and no storage. */

function takeSecret(): GivenSecret | undefined {
  const fragment = location.hash.slice(1)
  const pairs = new URLSearchParams(fragment)
  const [code, email] = [pairs.get('code'), pairs.get('email')]
  const isLink = /^[\w-]{20,200}$/u.test(fragment)
  if (!isLink && code === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  if (isLink) return { secret: fragment }
  return code !== null && email !== null ? { code, email } : undefined
}

const brought = takeSecret()
/** The error code of a provider's sign-in, from the server's redirect. */
const returned = new URLSearchParams(location.search).get('problem')
const isBack = new URLSearchParams(location.search).has('back')
if (returned !== null || isBack) history.replaceState(history.state, '', location.pathname)
/** Refusals after which the link or code is used up. */
const final: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND'])
const { pages, earnings, icons } = config

/** A newcomer goes to the map with their first task, others where they came from. */
async function goOn(user: OwnUser): Promise<void> {
  const { id, name } = user
  rememberUser({ id, name })
  announce(withName(words.signedInAs, name))
  const to = storedReturn()
  forgetReturn()
  const { xpTonight = 0 } = await signInOffer().catch((): { xpTonight?: number } => ({}))
  if (!isNewcomer(user, xpTonight)) return location.assign(to ?? pages.account)
  noteFirstTask(id, [])
  location.assign(onMap(to))
}

/** Where a newcomer goes: to the form that they asked for, else to the map, at the fountain they came from. */
function onMap(to = ''): string {
  const { pathname, hash } = new URL(to, location.href)
  if (!['', '#choose'].includes(hash)) return to
  const [, fountain] = /\/waypoint\/(\d+)\/$/u.exec(pathname) ?? []
  if (fountain !== undefined) return `${pages.home}?fountain=${fountain}${hash}`
  return pathname === pages.home ? to : pages.home
}

const signedIn = (user: OwnUser): void => void goOn(user)

const operationOf = (given: GivenSecret) => ('secret' in given ? 'link' : 'code')

/** Redeems the secret from the address; a new user is asked for a name first. */
async function enter(given: GivenSecret): Promise<void> {
  announce(words.redeeming)
  try {
    signedIn(await redeem(given))
  } catch (error) {
    announce('')
    if (isNameMissing(error)) askName(given)
    else await begin(wordingOf(error, operationOf(given)))
  }
}

function askName(given: GivenSecret): void {
  async function work(data: FormData): Promise<void> {
    try {
      signedIn(await redeem(given, { name: textIn(data, 'name') }))
    } catch (error) {
      // After an error that may pass, the form stays, and with it the link.
      if (!(error instanceof Refusal) || !final.has(error.code)) throw error
      await begin(wordingOf(error, operationOf(given)))
    }
  }
  const content = (
    <>
      <AccountForm
        work={work}
        actions={
          <>
            <Button isSubmit text={words.begin} />
            <a class="button button-quiet" href={pages.rules} target="_blank">
              {words.rules}
            </a>
          </>
        }
      >
        <NameField id="new-name" label={words.name} hint={words.nameHint} autoComplete="nickname" />
        <p class="notice">{words.rulePublic}</p>
      </AccountForm>
      <Earnings words={earnings} format={format} icons={icons} />
    </>
  )
  showStep({ id: 'step-name', title: words.chooseName, content }, true)
}

async function begin(before = ''): Promise<void> {
  const title = words.signIn
  const offer = await begun(title, signInOffer, before)
  const { user, registration } = offer
  rememberUser(user ?? undefined)
  if (user !== null && isBack) return signedIn(user)
  if (user !== null) {
    // A signed-in user was adding a provider, or opened a link that is used up.
    const problem = returned === null ? before : wordingOf(new Refusal(returned), 'addingProvider')
    const content = (
      <>
        <Problem text={problem} />
        <Instead text={withName(words.signedInAs, user.name)} label={words.toAccount} href={pages.account} />
      </>
    )
    return showStep({ id: 'step-done', title, content })
  }
  const problem =
    returned !== null && before === ''
      ? wordingOf(new Refusal(returned, { registration }), 'provider')
      : before
  const content = (
    <>
      <p class="lead">{words.signInLead}</p>
      <Problem text={problem} />
      <Ways
        id="sign-in"
        offer={offer}
        returnTo={`${pages.signIn}?back`}
        withAutofill
        signedIn={signedIn}
        needsName={askName}
      />
      <p class="quiet">{words.linkHint}</p>
      <NewAccounts offer={offer} words={words} />
    </>
  )
  showStep({ id: 'step-ways', title, content }, before !== '')
}

// Opening a link while the page is open only changes the fragment.
addEventListener('hashchange', () => {
  const next = takeSecret()
  if (next) void enter(next)
})

if (brought) void enter(brought)
else void begin()
