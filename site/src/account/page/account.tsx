import type { OwnUser } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { elementBy } from '../../client/element-by.ts'
import { saveFile } from '../../client/save-file.ts'
import { forgetDrafts } from '../../contribute/form/drafts.ts'
import { outbox } from '../../contribute/outbox/outbox.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { isAgreed } from '../../ui/dialog.tsx'
import { Choices, Field, textIn } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, type Item } from '../../ui/list.tsx'
import { withRecentSignIn } from './again.tsx'
import { config, format, words } from './config.ts'
import { readList, readLists, type Account, type Listed, type ListName, type Token } from './lists.ts'
import { AccountForm, announce, NameField, showFailure, showStep, useWork } from './page.tsx'
import { addPasskey, browserSupportsWebAuthn } from './passkeys.ts'
import { Codes, providerAddress, redeemCode, sendCode } from './ways.tsx'
import { withName, wordingOf, type Operation } from './wording.ts'

let current: Account

/** Shows the account with what changed, under the name of the user, which the header of the page has as well. */
function showAccount(changed: Partial<Account>): void {
  current = { ...current, ...changed }
  const { user } = current
  rememberUser(user)
  const inHeader = document.querySelector('#account-link bdi')
  if (inHeader) inHeader.textContent = user.name
  const content = <AccountPage account={current} />
  showStep({ id: 'step-account', title: user.name, content }, { focus: false })
}

interface PartProps {
  readonly account: Account
  /** Reads a list again, says that the work is done, and moves the focus to the heading of a part. @throws Refusal */
  finish(heading: string, list: ListName, said?: string): Promise<void>
  /** Asks for a recent sign-in where the server wants one. @throws Refusal */
  recently<Result>(work: () => Promise<Result>): Promise<Result>
}

function AccountPage({ account }: { readonly account: Account }) {
  const { user } = account
  const { problem, run } = useWork('other')
  const part: PartProps = {
    account,
    async finish(heading, list, said = words.done) {
      showAccount(await readList(list))
      announce(said)
      elementBy(heading).focus()
    },
    recently: (work) => withRecentSignIn(account, work),
  }
  async function signOut(): Promise<void> {
    const waiting = (
      await outbox()
        .list()
        .catch(() => [])
    ).length
    const question = format.count(words.signOutWaiting, waiting)
    if (waiting > 0 && !(await hasAgreed(question, words.signOut))) return
    await request('POST', '/auth/sign-out')
    await forgetUser()
    location.assign(config.pages.signIn)
  }
  const { level, xp } = user
  return (
    <div class="stack-5">
      <div class="split">
        <p class="lead">{fill(words.lead, { level: format.number(level), xp: format.number(xp) })}</p>
        <div class="actions">
          {user.isModerator && <Button kind="quiet" href={config.pages.moderation} text={words.moderation} />}
          <Button kind="quiet" href={config.pages.contributions} text={words.contributions} />
          <Button kind="quiet" id="sign-out" text={words.signOut} onPress={() => run(signOut)} />
        </div>
      </div>
      {problem}
      <Profile {...part} />
      <WaysIn {...part} />
      <Devices {...part} />
      <Tokens {...part} />
      <Leaving {...part} />
    </div>
  )
}

/** Asks a question of the account page. */
const hasAgreed = (question: string, yes: string): Promise<boolean> =>
  isAgreed(question, { yes, no: words.cancel })

/** Forgets the user in this browser, with everything unsent. */
async function forgetUser(): Promise<void> {
  await outbox()
    .forget('own')
    .catch(() => undefined)
  rememberUser(undefined)
  forgetDrafts()
}

const section = (id: string, title: string, content: ComponentChildren, looks = '') => (
  <section class={`box ${looks}`.trim()} id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} tabIndex={-1}>
      {title}
    </h2>
    {content}
  </section>
)

/** Name and address for contact. */
function Profile({ account, recently }: PartProps) {
  const { name, email } = account.user
  async function work(data: FormData): Promise<void> {
    const patch = { name: textIn(data, 'name'), email: textIn(data, 'email') || null }
    const { user } = await recently(() => request<{ user: OwnUser }>('PATCH', '/user', patch))
    showAccount({ user })
    announce(words.saved)
  }
  return section(
    'profile',
    words.profile,
    <AccountForm work={work} actions={<Button isSubmit text={words.save} />}>
      <NameField
        id="own-name"
        label={words.name}
        hint={words.nameHint}
        autoComplete="nickname"
        defaultValue={name}
      />
      <Field
        id="own-email"
        label={words.contact}
        hint={words.contactHint}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={limits.email}
        dir="ltr"
        defaultValue={email ?? ''}
      />
    </AccountForm>,
  )
}

const onDay = (text: string, iso: string): string => fill(text, { date: format.date(iso) })

/** The time of last use, or that it was never used. */
const usedOn = ({ lastUsedAt }: Listed): string =>
  lastUsedAt === undefined ? words.neverUsed : onDay(words.used, lastUsedAt)

/** Removes something of a list, once the user has agreed. */
function useRemoval({ finish, recently }: PartProps, heading: string, list: ListName, operation: Operation) {
  const { problem, run } = useWork(operation)
  const remove = (question: string, yes: string, id: number): void =>
    run(async () => {
      if (!(await hasAgreed(question, yes))) return
      await recently(() => request('DELETE', `/user/${list}/${id}`))
      await finish(heading, list)
    })
  return { problem, run, remove }
}

/** The sign-in methods of the account, and forms to add others. */
function WaysIn(props: PartProps) {
  const { passkeys, offer } = props.account
  const canAdd = offer.methods.includes('passkey') && browserSupportsWebAuthn()
  return section(
    'ways',
    words.ways,
    <>
      {canAdd && passkeys.length === 0 && <p class="notice">{words.waysAdvice}</p>}
      <Passkeys {...props} canAdd={canAdd} />
      <Identities {...props} />
    </>,
  )
}

function Passkeys({ canAdd, ...props }: PartProps & { readonly canAdd: boolean }) {
  const { account, finish, recently } = props
  const heading = '#passkeys h3'
  const { problem, remove } = useRemoval(props, heading, 'passkeys', 'removing')
  const [renamed, setRenamed] = useState<number>()
  useLayoutEffect(
    () => document.querySelector<HTMLInputElement>('.account-rename input')?.select(),
    [renamed],
  )
  async function rename(data: FormData): Promise<void> {
    await recently(() => request('PATCH', `/user/passkeys/${renamed}`, { name: textIn(data, 'name') }))
    setRenamed(undefined)
    await finish(heading, 'passkeys', words.saved)
  }
  async function add(data: FormData, form: HTMLFormElement): Promise<void> {
    await recently(() => addPasskey(textIn(data, 'name')))
    form.reset()
    await finish(heading, 'passkeys')
  }
  const items = account.passkeys.map((passkey): Item => {
    const { id, name, addedAt, isSynced } = passkey
    return {
      id,
      title: name,
      details: [onDay(words.added, addedAt), usedOn(passkey), ...(isSynced ? [words.synced] : [])],
      actions: [
        [words.rename, () => setRenamed(id)],
        [words.remove, () => remove(withName(words.removePasskey, name), words.remove, id)],
      ],
      form: renamed === id && (
        <AccountForm
          looks="account-rename"
          work={rename}
          actions={
            <>
              <Button isSmall isSubmit text={words.save} />
              <Button
                kind="quiet"
                isSmall
                text={words.cancel}
                onPress={() => {
                  setRenamed(undefined)
                  elementBy(heading).focus()
                }}
              />
            </>
          }
        >
          <NameField label={words.name} defaultValue={name} />
        </AccountForm>
      ),
    }
  })
  return (
    <div class="stack-4 account-list" id="passkeys">
      <h3 tabIndex={-1}>{words.passkeys}</h3>
      {problem}
      <List items={items} none={words.noPasskeys} />
      {canAdd && (
        <AccountForm
          looks="account-add"
          operation="adding"
          work={add}
          actions={<Button isSubmit icon="checksum" text={words.addPasskey} />}
        >
          <NameField id="passkey-name" label={words.passkeyName} hint={words.passkeyNameHint} />
        </AccountForm>
      )}
    </div>
  )
}

/** Addresses and providers. */
function Identities(props: PartProps) {
  const { account, finish, recently } = props
  const { identities } = account
  const { methods, providers } = account.offer
  const heading = '#others h3'
  const { problem, remove } = useRemoval(props, heading, 'identities', 'removing')
  const adding = useWork('adding')
  const missing = config.offersProviders
    ? providers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
    : []
  const hasCodes = methods.includes('code')
  if (identities.length === 0 && !hasCodes && missing.length === 0) return null
  /**
   * The browser leaves the page for the provider, so that a recent sign-in is ensured before, by requesting passkey
   * options, which also need it. The browser's own clock may be wrong.
   */
  const addProvider = (id: string): void =>
    adding.run(async () => {
      await recently(() => request('POST', '/user/passkeys/options'))
      location.assign(providerAddress(id, config.pages.account, true))
    })
  const items = identities.map((identity): Item => {
    const { id, provider, label, addedAt } = identity
    const known = providers.find((one) => one.id === provider)
    const title = known === undefined ? label : `${known.name}: ${label}`
    return {
      id,
      title,
      details: [onDay(words.added, addedAt), usedOn(identity)],
      actions: [[words.remove, () => remove(withName(words.removeWay, title), words.remove, id)]],
    }
  })
  return (
    <div class="stack-4 account-list" id="others">
      <h3 tabIndex={-1}>{words.others}</h3>
      {problem}
      {adding.problem}
      <List items={items} none={words.noOthers} />
      {hasCodes && (
        <Codes
          key={identities.length}
          id="add"
          label={words.email}
          action={words.addAddress}
          send={(email) => recently(() => sendCode(email, true))}
          redeem={async (code) => {
            await recently(() => redeemCode(code, { add: true }))
            await finish(heading, 'identities')
          }}
        />
      )}
      <div class="stack-4">
        {missing.map(({ id, name }) => (
          <Button
            key={id}
            kind="quiet"
            text={withName(words.addProvider, name)}
            onPress={() => addProvider(id)}
          />
        ))}
      </div>
    </div>
  )
}

/** The sessions of the user, and signing out elsewhere. */
function Devices(props: PartProps) {
  const { account, finish } = props
  const heading = '#devices h2'
  const { problem, run, remove } = useRemoval(props, heading, 'sessions', 'other')
  const andTokens = useRef<HTMLInputElement>(null)
  const own = account.sessions.filter(({ isCurrent }) => isCurrent)
  const others = account.sessions.filter(({ isCurrent }) => !isCurrent).toReversed()
  async function endOthers(): Promise<void> {
    const isAll = andTokens.current?.checked === true
    if (!(await hasAgreed(isAll ? words.endAllAndTokens : words.endAll, words.endOthers))) return
    await request('DELETE', isAll ? '/user/sessions?tokens=true' : '/user/sessions')
    if (isAll) showAccount({ tokens: [] })
    await finish(heading, 'sessions')
  }
  const items = [...own, ...others].map((session): Item => {
    const { id, device: title = words.unknownDevice, createdAt, isCurrent } = session
    const end = (): void => remove(withName(words.endSession, title), words.end, id)
    return {
      id,
      title,
      details: [onDay(words.since, createdAt), usedOn(session)],
      badge: isCurrent ? words.thisDevice : undefined,
      actions: isCurrent ? [] : [[words.end, end]],
    }
  })
  return section(
    'devices',
    words.devices,
    <>
      {problem}
      <List items={items} />
      {others.length > 0 && (
        <div class="stack-2 choices">
          <label>
            <input type="checkbox" ref={andTokens} /> {words.andTokens}
          </label>
          <p class="actions">
            <Button kind="quiet" text={words.endOthers} onPress={() => run(endOthers)} />
          </p>
        </div>
      )}
    </>,
  )
}

const { defaultDays, maxDays } = lifetimes.personalToken

interface NewToken {
  readonly token: Token
  readonly secret: string
}

/** The tokens of the user, and a form for new ones; a secret is shown once. */
function Tokens(props: PartProps) {
  const { account, recently } = props
  const { problem, remove } = useRemoval(props, '#tokens h2', 'tokens', 'other')
  const [made, setMade] = useState<NewToken>()
  const secret = useRef<HTMLElement>(null)
  // The back/forward cache must not show the secret again.
  useEffect(() => addEventListener('pagehide', () => setMade(undefined)), [])
  async function make(data: FormData, form: HTMLFormElement): Promise<void> {
    const body = { name: textIn(data, 'name'), days: Number(textIn(data, 'days')) }
    const fresh = await recently(() => request<NewToken>('POST', '/user/tokens', body))
    setMade(fresh)
    form.reset()
    showAccount({ tokens: [...current.tokens, fresh.token] })
    elementBy('#tokens .account-secret').focus()
  }
  const copy = (): void =>
    void navigator.clipboard.writeText(made?.secret ?? '').then(
      () => announce(words.copied),
      // Without the clipboard permission the secret is selected for manual copying.
      () => secret.current && getSelection()?.selectAllChildren(secret.current),
    )
  const items = account.tokens.map((token): Item => {
    const { id, name, expiresAt } = token
    const revoke = (): void => remove(withName(words.revokeToken, name), words.revoke, id)
    return {
      id,
      title: name,
      details: [onDay(words.expires, expiresAt), usedOn(token)],
      actions: [[words.revoke, revoke]],
    }
  })
  return section(
    'tokens',
    words.tokens,
    <>
      <p class="quiet">{words.tokensText}</p>
      {problem}
      <List items={items} none={words.noTokens} />
      {made && (
        <div
          class="notice stack-2 account-secret"
          role="group"
          aria-labelledby="secret-title"
          tabIndex={-1}
          hidden={!account.tokens.some(({ id }) => id === made.token.id)}
        >
          <p id="secret-title">{words.tokenShown}</p>
          <p>
            <code data-secret ref={secret}>
              {made.secret}
            </code>
          </p>
          <p class="actions">
            <Button kind="quiet" isSmall icon="copy" text={words.copy} onPress={copy} />
          </p>
        </div>
      )}
      <AccountForm looks="account-add" work={make} actions={<Button isSubmit text={words.createToken} />}>
        <NameField id="token-name" label={words.tokenName} />
        <div class="field">
          <label for="token-days">{words.tokenDays}</label>
          <select id="token-days" name="days">
            {[7, 30, defaultDays, maxDays].map((n) => (
              <option value={n} selected={n === defaultDays}>
                {format.count(words.days, n)}
              </option>
            ))}
          </select>
        </div>
      </AccountForm>
    </>,
  )
}

/** The download of the user's data, and leaving, once the user has typed their own name. */
function Leaving({ account, recently }: PartProps) {
  const { problem, run } = useWork('other')
  // A plain link could not ask for a recent sign-in.
  const download = (event: Event): void => {
    event.preventDefault()
    run(async () => {
      const data = await recently(() => request('GET', '/user/export'))
      saveFile(new Blob([JSON.stringify(data)], { type: 'application/json' }), 'my-data.json')
    })
  }
  async function leave(data: FormData): Promise<void> {
    const body = { confirm: data.get('confirm'), texts: data.get('texts') }
    await recently(() => request('DELETE', '/user', body))
    await forgetUser()
    document.querySelector('#account-link')?.remove()
    const content = (
      <>
        <p class="lead">{words.leftText}</p>
        <p class="actions">
          <Button href={config.pages.home} text={words.home} />
        </p>
      </>
    )
    showStep({ id: 'step-left', title: words.left, content })
  }
  return (
    <>
      {section(
        'data',
        words.data,
        <>
          <p class="quiet">{words.dataText}</p>
          {problem}
          <p class="actions">
            <a
              class="button button-quiet"
              href={`${siteOfPage().api}/user/export`}
              download
              onClick={download}
            >
              <Icon name="download" />
              {words.download}
            </a>
          </p>
        </>,
      )}
      {section(
        'leave',
        words.leave,
        <>
          <p>{words.leaveText}</p>
          <AccountForm
            operation="leaving"
            work={leave}
            actions={<Button kind="danger" isSubmit text={words.leaveNow} />}
          >
            <Choices
              legend={words.texts}
              name="texts"
              options={[
                { value: 'keep', label: words.keepTexts },
                { value: 'erase', label: words.eraseTexts },
              ]}
            />
            <Field
              name="confirm"
              label={fill(words.confirmName, { name: format.isolate(account.user.name) })}
              required
            />
          </AccountForm>
        </>,
        'account-leave',
      )}
    </>
  )
}

/** The page of the user's own account. */
async function begin(): Promise<void> {
  try {
    const offer = await signInOffer()
    const { user } = offer
    if (user) return showAccount({ offer, user, ...(await readLists()) })
    rememberUser(undefined)
  } catch (error) {
    return showFailure(words.title, wordingOf(error, 'other'), config.pages.account)
  }
  const content = (
    <>
      <p class="lead">{words.signedOutText}</p>
      <p class="actions">
        <Button href={config.pages.signIn} text={words.signIn} />
      </p>
    </>
  )
  showStep({ id: 'step-signed-out', title: words.signedOut, content }, { focus: false })
}

void begin()
