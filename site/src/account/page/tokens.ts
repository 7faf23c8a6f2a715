import { fill } from '../../messages.ts'
import { request } from '../../api/request.ts'
import type { AccountState } from './account-state.ts'
import { withRecentSignIn } from './again.ts'
import { format, elementBy, words } from './config.ts'
import { announce, doOnce, onSubmit, valueOf } from './form.ts'
import { showItems } from './items.ts'
import { usedOn } from './ways-in.ts'
import { hasAgreed } from './asking.ts'
import { withName } from './wording.ts'

interface Token {
  readonly id: number
  readonly name: string
  readonly expiresAt: string
  readonly lastUsedAt?: string
}

const section = elementBy('#tokens')
const shown = elementBy('[data-shown]', section)
const secretField = elementBy('[data-secret]', shown)

/** Reads and shows the user's tokens. @throws Refusal */
export async function showTokens(): Promise<void> {
  // It may be gone.
  hideSecret()
  const { tokens } = await request<{ tokens: readonly Token[] }>('GET', '/user/tokens')
  showItems(
    section,
    tokens.map((token) => ({
      title: token.name,
      details: [fill(words.expires, { date: format.date(token.expiresAt) }), usedOn(token.lastUsedAt)],
      actions: [{ label: words.revoke, run: () => revoke(token) }],
    })),
  )
}

async function revoke({ id, name }: Token): Promise<void> {
  if (!(await hasAgreed(withName(words.revokeToken, name), words.revoke))) return
  await doOnce(section, 'other', async () => {
    await request('DELETE', `/user/tokens/${id}`)
    await showTokens()
    announce(words.done)
    elementBy('h2', section).focus()
  })
}

function hideSecret(): void {
  shown.hidden = true
  secretField.textContent = ''
}

/** The form for new tokens; a secret is shown once. */
export function listenToTokens(state: AccountState): void {
  const form = elementBy<HTMLFormElement>('form', section)
  onSubmit(form, 'other', async () => {
    const days = Number(elementBy<HTMLSelectElement>('select', form).value)
    const body = { name: valueOf(form, 'name'), days }
    const { secret } = await withRecentSignIn(state, () =>
      request<{ secret: string }>('POST', '/user/tokens', body),
    )
    form.reset()
    await showTokens()
    secretField.textContent = secret
    shown.hidden = false
    shown.focus()
  })
  elementBy('[data-copy]', shown).addEventListener('click', () => {
    navigator.clipboard.writeText(secretField.textContent).then(
      () => announce(words.copied),
      // Without the clipboard permission the secret is selected for manual copying.
      () => getSelection()?.selectAllChildren(secretField),
    )
  })
  // The back/forward cache must not show the secret again.
  addEventListener('pagehide', hideSecret)
}
