import type { OwnUser } from '@openfountain/core'
import { lifetimes, limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { rememberUser, signInOffer } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { elementBy } from '../../client/element-by.ts'
import { saveFile } from '../../client/save-file.ts'
import { forgetDrafts } from '../../contribute/drafts.ts'
import { noteFirstTask } from '../../first-task.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { isAgreed } from '../../ui/dialog.tsx'
import { Choices, Field, Flag, Select, textIn } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, type Item } from '../../ui/list.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Instead } from '../../ui/opened.tsx'
import { Removals } from '../../views/removals.tsx'
import { withRecentSignIn } from './again.tsx'
import { config, format, words } from './config.ts'
import { listNames, readLists, type Account, type ListName, type Row } from './lists.ts'
import { AccountForm, announce, begun, NameField, showStep, useWork } from './page.tsx'
import { addPasskey, browserSupportsWebAuthn } from './passkeys.ts'
import { turnPushOff } from './push.ts'
import { Codes, providerAddress, redeem, sendCode } from './ways.tsx'
import { withName, type Operation } from './wording.ts'

let current: Account

function showAccount(changed: Partial<Account>): void {
  current = { ...current, ...changed }
  const { user } = current
  rememberUser(user)
  const inHeader = document.querySelector('#account-link bdi')
  if (inHeader) inHeader.textContent = user.name
  showStep({ id: 'step-account', title: user.name, content: <AccountPage account={current} /> })
}

const hasAgreed = (question: string, yes: string): Promise<boolean> =>
  isAgreed(question, { yes, no: words.cancel })

/** What waits in this browser to be sent: for whoever is signed in the header has loaded it. */
const unsent = async () => (await import('../../contribute/outbox/outbox.ts')).outbox()

async function forgetUser(): Promise<void> {
  await unsent()
    .then((outbox) => outbox.forget('own'))
    .catch(() => undefined)
  noteFirstTask(current.user.id, undefined)
  rememberUser(undefined)
  forgetDrafts()
}

async function signOut(): Promise<void> {
  const waiting = await unsent()
    .then((outbox) => outbox.list())
    .catch(() => [])
  const question = format.count(words.signOutWaiting, waiting.length)
  if (waiting.length > 0 && !(await hasAgreed(question, words.signOut))) return
  // Who signs in here next gets none of this person's messages.
  await turnPushOff().catch(() => undefined)
  await request('POST', '/auth/sign-out')
  await forgetUser()
  location.assign(config.pages.signIn)
}

interface PartProps {
  readonly account: Account
}

function AccountPage({ account }: PartProps) {
  const { user } = account
  const { problem, run } = useWork('other')
  const { level, xp } = user
  return (
    <div class="stack-5">
      <div class="split">
        <p class="lead">{fill(words.lead, { level: format.number(level), xp: format.number(xp) })}</p>
        <div class="actions">
          {user.keeps && <Button kind="quiet" href={config.pages.keeping} text={words.keeping.title} />}
          {user.isModerator && <Button kind="quiet" href={config.pages.moderation} text={words.moderation} />}
          <Button kind="quiet" href={config.pages.contributions} text={words.contributions} />
          <Button kind="quiet" id="sign-out" text={words.signOut} onPress={() => run(signOut)} />
        </div>
      </div>
      {problem}
      {account.removals.length > 0 &&
        section(
          'removed',
          words.removals.removed,
          <Removals removals={account.removals} words={words.removals} format={format} />,
        )}
      <Profile account={account} />
      <WaysIn account={account} />
      <Devices account={account} />
      <Tokens account={account} />
      <Leaving account={account} />
    </div>
  )
}

const section = (id: string, title: string, content: ComponentChildren, looks = '') => (
  <section class={`box ${looks}`.trim()} id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} tabIndex={-1}>
      {title}
    </h2>
    {content}
  </section>
)

function Profile({ account }: PartProps) {
  const { name, email } = account.user
  async function work(data: FormData): Promise<void> {
    const patch = { name: textIn(data, 'name'), email: textIn(data, 'email') || null }
    const { user } = await withRecentSignIn(() => request<{ user: OwnUser }>('PATCH', '/user', patch))
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

interface Declared {
  /** The element to focus after a change of the list. */
  readonly heading: string
  readonly operation: Operation
  readonly none?: string
  readonly remove: readonly [button: string, question: string]
  /** The day that a row begins with. */
  readonly day: readonly [text: string, of: 'addedAt' | 'createdAt' | 'expiresAt']
}

const lists: Readonly<Record<ListName, Declared>> = {
  passkeys: {
    heading: '#passkeys h3',
    operation: 'removing',
    none: words.noPasskeys,
    remove: [words.remove, words.removePasskey],
    day: [words.added, 'addedAt'],
  },
  identities: {
    heading: '#others h3',
    operation: 'removing',
    none: words.noOthers,
    remove: [words.remove, words.removeWay],
    day: [words.added, 'addedAt'],
  },
  sessions: {
    heading: '#devices h2',
    operation: 'other',
    remove: [words.end, words.endSession],
    day: [words.since, 'createdAt'],
  },
  tokens: {
    heading: '#tokens h2',
    operation: 'other',
    none: words.noTokens,
    remove: [words.revoke, words.revokeToken],
    day: [words.expires, 'expiresAt'],
  },
}

function titleOf({ provider, label, name = label, device = words.unknownDevice }: Row): string {
  const known = current.offer.providers.find(({ id }) => id === provider)
  return known ? `${known.name}: ${name}` : (name ?? device)
}

const onDay = (text: string, iso = ''): string => fill(text, { date: format.date(iso) })

/** Reads a list again, says that the work is done, and moves the focus to its heading. @throws Refusal */
async function finish(name: ListName, said = words.done): Promise<void> {
  showAccount(await readLists(name))
  announce(said)
  elementBy(lists[name].heading).focus()
}

/** The rows of a list, each with a button that removes it; the session of this page stays. */
function OwnList({
  name,
  rows,
  more,
}: {
  readonly name: ListName
  readonly rows: readonly Row[]
  /** Further content of a row. */
  more?(row: Row): Pick<Item, 'actions' | 'form'>
}) {
  const { operation, none, day, remove } = lists[name]
  const { problem, run } = useWork(operation)
  const items = rows.map((row): Item => {
    const { id, isCurrent, isSynced, lastUsedAt } = row
    const { actions = [], form } = more?.(row) ?? {}
    const title = titleOf(row)
    const removed = (): void =>
      run(async () => {
        if (!(await hasAgreed(withName(remove[1], title), remove[0]))) return
        await withRecentSignIn(() => request('DELETE', `/user/${name}/${id}`))
        await finish(name)
      })
    const used = lastUsedAt === undefined ? words.neverUsed : onDay(words.used, lastUsedAt)
    return {
      id,
      title,
      details: [onDay(day[0], row[day[1]]), used, ...(isSynced ? [words.synced] : [])],
      badge: isCurrent ? words.thisDevice : undefined,
      actions: isCurrent ? [] : [...actions, [remove[0], removed]],
      form,
    }
  })
  return (
    <>
      {problem}
      <List items={items} none={none} />
    </>
  )
}

function WaysIn({ account }: PartProps) {
  const { passkeys, offer } = account
  const canAdd = offer.methods.includes('passkey') && browserSupportsWebAuthn()
  return section(
    'ways',
    words.ways,
    <>
      {canAdd && passkeys.length === 0 && <p class="notice">{words.waysAdvice}</p>}
      <Passkeys account={account} canAdd={canAdd} />
      <Identities account={account} />
    </>,
  )
}

function Passkeys({ canAdd, account }: PartProps & { readonly canAdd: boolean }) {
  const [renamed, setRenamed] = useState<number>()
  useLayoutEffect(
    () => document.querySelector<HTMLInputElement>('.account-rename input')?.select(),
    [renamed],
  )
  async function rename(data: FormData): Promise<void> {
    await withRecentSignIn(() =>
      request('PATCH', `/user/passkeys/${renamed}`, { name: textIn(data, 'name') }),
    )
    setRenamed(undefined)
    await finish('passkeys', words.saved)
  }
  async function add(data: FormData, form: HTMLFormElement): Promise<void> {
    await withRecentSignIn(() => addPasskey(textIn(data, 'name')))
    form.reset()
    await finish('passkeys')
  }
  function cancel(): void {
    setRenamed(undefined)
    elementBy(lists.passkeys.heading).focus()
  }
  return (
    <div class="stack-4 account-list" id="passkeys">
      <h3 tabIndex={-1}>{words.passkeys}</h3>
      <OwnList
        name="passkeys"
        rows={account.passkeys}
        more={({ id, name }) => ({
          actions: [[words.rename, () => setRenamed(id)]],
          form: renamed === id && (
            <AccountForm
              looks="account-rename"
              work={rename}
              actions={
                <>
                  <Button isSmall isSubmit text={words.save} />
                  <Button kind="quiet" isSmall text={words.cancel} onPress={cancel} />
                </>
              }
            >
              <NameField label={words.name} defaultValue={name} />
            </AccountForm>
          ),
        })}
      />
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

function Identities({ account: { identities, offer } }: PartProps) {
  const { problem, run } = useWork('adding')
  const missing = config.offersProviders
    ? offer.providers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
    : []
  const hasCodes = offer.methods.includes('code')
  if (identities.length === 0 && !hasCodes && missing.length === 0) return null
  /** A recent sign-in is ensured before the browser leaves the page, by requesting passkey options: its own clock may be wrong. */
  const addProvider = (id: string): void =>
    run(async () => {
      await withRecentSignIn(() => request('POST', '/user/passkeys/options'))
      location.assign(providerAddress(id, config.pages.account, true))
    })
  return (
    <div class="stack-4 account-list" id="others">
      <h3 tabIndex={-1}>{words.others}</h3>
      {problem}
      <OwnList name="identities" rows={identities} />
      {hasCodes && (
        <Codes
          key={identities.length}
          id="add"
          label={words.email}
          action={words.addAddress}
          send={(email) => withRecentSignIn(() => sendCode(email, true))}
          redeem={async (code) => {
            await withRecentSignIn(() => redeem(code, { add: true }))
            await finish('identities')
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

function Devices({ account: { sessions } }: PartProps) {
  const newestFirst = sessions.toReversed()
  const others = newestFirst.filter(({ isCurrent }) => !isCurrent)
  async function endOthers(data: FormData): Promise<void> {
    const isAll = data.has('tokens')
    if (!(await hasAgreed(isAll ? words.endAllAndTokens : words.endAll, words.endOthers))) return
    await request('DELETE', isAll ? '/user/sessions?tokens=true' : '/user/sessions')
    if (isAll) showAccount({ tokens: [] })
    await finish('sessions')
  }
  return section(
    'devices',
    words.devices,
    <>
      <OwnList name="sessions" rows={[...newestFirst.filter(({ isCurrent }) => isCurrent), ...others]} />
      {others.length > 0 && (
        <AccountForm work={endOthers} actions={<Button kind="quiet" isSubmit text={words.endOthers} />}>
          <Flag name="tokens" label={words.andTokens} />
        </AccountForm>
      )}
    </>,
  )
}

const { defaultDays, maxDays } = lifetimes.personalToken

interface NewToken {
  readonly token: Row
  readonly secret: string
}

function Tokens({ account: { tokens } }: PartProps) {
  const [made, setMade] = useState<NewToken>()
  // The back/forward cache must not show the secret again.
  useEffect(() => addEventListener('pagehide', () => setMade(undefined)), [])
  async function make(data: FormData, form: HTMLFormElement): Promise<void> {
    const body = { name: textIn(data, 'name'), days: Number(textIn(data, 'days')) }
    const fresh = await withRecentSignIn(() => request<NewToken>('POST', '/user/tokens', body))
    setMade(fresh)
    form.reset()
    showAccount({ tokens: [...current.tokens, fresh.token] })
  }
  return section(
    'tokens',
    words.tokens,
    <>
      <p class="quiet">{words.tokensText}</p>
      <OwnList name="tokens" rows={tokens} />
      {made && tokens.some(({ id }) => id === made.token.id) && (
        <Secret
          title={words.tokenShown}
          secret={made.secret}
          copy={words.copy}
          copied={() => announce(words.copied)}
        />
      )}
      <AccountForm looks="account-add" work={make} actions={<Button isSubmit text={words.createToken} />}>
        <NameField id="token-name" label={words.tokenName} />
        <Select
          label={words.tokenDays}
          name="days"
          chosen={String(defaultDays)}
          options={[7, 30, defaultDays, maxDays].map((n) => ({
            value: String(n),
            label: format.count(words.days, n),
          }))}
        />
      </AccountForm>
    </>,
  )
}

/** The download of the user's data, and leaving, once the user has typed their own name. */
function Leaving({ account }: PartProps) {
  const { problem, run } = useWork('other')
  // A plain link could not ask for a recent sign-in.
  const download = (event: Event): void => {
    event.preventDefault()
    run(async () => {
      const data = await withRecentSignIn(() => request('GET', '/user/export'))
      saveFile(new Blob([JSON.stringify(data)], { type: 'application/json' }), 'my-data.json')
    })
  }
  async function leave(data: FormData): Promise<void> {
    const body = { confirm: data.get('confirm'), texts: data.get('texts') }
    await withRecentSignIn(() => request('DELETE', '/user', body))
    await forgetUser()
    document.querySelector('#account-link')?.remove()
    const content = <Instead text={words.leftText} label={words.home} href={config.pages.home} />
    showStep({ id: 'step-left', title: words.left, content }, true)
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

async function begin(): Promise<void> {
  const found = await begun(words.title, async () => {
    const offer = await signInOffer()
    const { user } = offer
    if (!user) return undefined
    const { removals } = await request<Pick<Account, 'removals'>>('GET', '/user/removals')
    return { offer, user, removals, ...(await readLists(...listNames)) }
  })
  if (found) return showAccount(found)
  rememberUser(undefined)
  const content = <Instead text={words.signedOutText} label={words.signIn} href={config.pages.signIn} />
  showStep({ id: 'step-signed-out', title: words.signedOut, content })
}

void begin()
