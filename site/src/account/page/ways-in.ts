import { fill } from '../../messages.ts'
import type { AccountState, Identity, Passkey } from './account-state.ts'
import { withRecentSignIn } from './again.ts'
import { request } from '../../api/request.ts'
import { config, format, elementBy, words } from './config.ts'
import { announce, doOnce, fieldOf, onSubmit, valueOf } from './form.ts'
import { showItems } from './items.ts'
import { addPasskey, browserSupportsWebAuthn } from './passkeys.ts'
import { listenToCodes, providerAddress, redeemCode, sendCode } from './ways.ts'
import { hasAgreed } from './asking.ts'
import { withName } from './wording.ts'

const section = elementBy('#ways')
const passkeyList = elementBy('#passkeys', section)
const otherList = elementBy('#others', section)

/** The time of last use, or that it was never used. */
export const usedOn = (lastUsedAt: string | undefined): string =>
  lastUsedAt === undefined ? words.neverUsed : fill(words.used, { date: format.date(lastUsedAt) })

/** Reads and shows the sign-in methods of the account. @throws Refusal */
export async function showWaysIn(state: AccountState): Promise<void> {
  const [{ passkeys }, { identities }] = await Promise.all([
    request<{ passkeys: readonly Passkey[] }>('GET', '/user/passkeys'),
    request<{ identities: readonly Identity[] }>('GET', '/user/identities'),
  ])
  state.passkeys = passkeys
  state.identities = identities
  const canAdd = state.offer.methods.includes('passkey') && browserSupportsWebAuthn()
  elementBy('[data-advice]', section).hidden = !canAdd || passkeys.length > 0
  elementBy('form', passkeyList).hidden = !canAdd
  showItems(
    passkeyList,
    passkeys.map((passkey) => ({
      title: passkey.name,
      details: [
        fill(words.added, { date: format.date(passkey.addedAt) }),
        usedOn(passkey.lastUsedAt),
        ...(passkey.isSynced ? [words.synced] : []),
      ],
      actions: [
        { label: words.rename, run: (row) => rename(state, passkey, row) },
        {
          label: words.remove,
          run: () =>
            remove(
              state,
              withName(words.removePasskey, passkey.name),
              `/user/passkeys/${passkey.id}`,
              passkeyList,
            ),
        },
      ],
    })),
  )
  showOthers(state)
}

function showOthers(state: AccountState): void {
  const nameOf = ({ provider, label }: Identity): string => {
    const known = state.offer.providers.find(({ id }) => id === provider)
    return known === undefined ? label : `${known.name}: ${label}`
  }
  showItems(
    otherList,
    state.identities.map((identity) => ({
      title: nameOf(identity),
      details: [fill(words.added, { date: format.date(identity.addedAt) }), usedOn(identity.lastUsedAt)],
      actions: [
        {
          label: words.remove,
          run: () =>
            remove(
              state,
              withName(words.removeWay, nameOf(identity)),
              `/user/identities/${identity.id}`,
              otherList,
            ),
        },
      ],
    })),
  )
  const { methods, providers } = state.offer
  elementBy('[data-codes]', otherList).hidden = !methods.includes('code')
  const missing = config.offersProviders
    ? providers.filter(({ id }) => !state.identities.some(({ provider }) => provider === id))
    : []
  elementBy('[data-providers]', otherList).replaceChildren(
    ...missing.map(({ id, name }) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'button button-quiet'
      button.textContent = withName(words.addProvider, name)
      button.addEventListener('click', () => void addProvider(state, id))
      return button
    }),
  )
  otherList.hidden = state.identities.length === 0 && !methods.includes('code') && missing.length === 0
}

/**
 * The browser leaves the page for the provider, so that a recent sign-in is ensured before, by requesting passkey
 * options, which also need it. The browser's own clock may be wrong.
 */
async function addProvider(state: AccountState, id: string): Promise<void> {
  await doOnce(otherList, 'adding', async () => {
    await withRecentSignIn(state, () => request('POST', '/user/passkeys/options'))
    location.assign(providerAddress(id, config.pages.account, true))
  })
}

async function remove(state: AccountState, question: string, path: string, list: HTMLElement): Promise<void> {
  if (!(await hasAgreed(question, words.remove))) return
  await doOnce(list, 'removing', async () => {
    await withRecentSignIn(state, () => request('DELETE', path))
    await showWaysIn(state)
    announce(words.done)
    elementBy('h3', list).focus()
  })
}

/** Replaces the row's name by a field for the new one. */
function rename(state: AccountState, { id, name }: Passkey, row: HTMLElement): void {
  const form = document
    .importNode(elementBy<HTMLTemplateElement>('#rename').content, true)
    .querySelector('form')
  const field = form?.querySelector('input')
  if (!form || !field) return
  field.value = name
  row.replaceChildren(form)
  field.select()
  onSubmit(form, 'other', async () => {
    await withRecentSignIn(state, () =>
      request('PATCH', `/user/passkeys/${id}`, { name: valueOf(form, 'name') }),
    )
    await back(words.saved)
  })
  const back = async (notice: string): Promise<void> => {
    await showWaysIn(state)
    announce(notice)
    elementBy('h3', passkeyList).focus()
  }
  elementBy('[data-cancel]', form).addEventListener(
    'click',
    () => void doOnce(passkeyList, 'other', () => back('')),
  )
}

/** The forms to add passkeys and addresses. */
export function listenToWaysIn(state: AccountState): void {
  const adding = elementBy<HTMLFormElement>('form', passkeyList)
  onSubmit(adding, 'adding', async () => {
    await withRecentSignIn(state, () => addPasskey(valueOf(adding, 'name')))
    adding.reset()
    await showWaysIn(state)
    announce(words.done)
    elementBy('h3', passkeyList).focus()
  })
  const codes = listenToCodes(
    elementBy<HTMLFormElement>('form[data-send]', otherList),
    elementBy<HTMLFormElement>('form[data-redeem]', otherList),
    {
      send: (email) => withRecentSignIn(state, () => sendCode(email, true)),
      async redeem(code) {
        await withRecentSignIn(state, () => redeemCode(code, { add: true }))
        codes.reset()
        const field = fieldOf(elementBy<HTMLFormElement>('form[data-send]', otherList), 'email')
        if (field) field.value = ''
        await showWaysIn(state)
        announce(words.done)
        elementBy('h3', otherList).focus()
      },
    },
  )
}
