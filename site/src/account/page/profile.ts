import type { OwnUser } from '@openfountain/core'
import { fill } from '../../messages.ts'
import type { AccountState } from './account-state.ts'
import { withRecentSignIn } from './again.ts'
import { request } from '../../api/request.ts'
import { format, elementBy, words } from './config.ts'
import { announce, fieldOf, onSubmit, showTitle, valueOf } from './form.ts'
import { rememberUser } from '../../api/signed-in.ts'

/** Shows the signed-in user, on the page and in its header. */
export function showUser({ id, name, level, xp, email, isModerator }: OwnUser): void {
  rememberUser({ id, name, isModerator })
  elementBy('#step-account [data-desk]').hidden = !isModerator
  const step = elementBy('#step-account')
  step.dataset['title'] = name
  if (!step.hidden) showTitle(name)
  const inHeader = document.querySelector('#account-link bdi')
  if (inHeader) inHeader.textContent = name
  elementBy('[data-lead]').textContent = fill(words.lead, {
    level: format.number(level),
    xp: format.number(xp),
  })
  const form = elementBy<HTMLFormElement>('#profile form')
  const [nameField, emailField] = [fieldOf(form, 'name'), fieldOf(form, 'email')]
  if (nameField) nameField.value = name
  if (emailField) emailField.value = email ?? ''
  elementBy('#leave [data-confirm-name]').textContent = fill(words.confirmName, {
    name: format.isolate(name),
  })
}

/** Name and address for contact. */
export function listenToProfile(state: AccountState): void {
  const form = elementBy<HTMLFormElement>('#profile form')
  onSubmit(form, 'other', async () => {
    const email = valueOf(form, 'email').trim()
    const patch = { name: valueOf(form, 'name'), email: email === '' ? null : email }
    const { user } = await withRecentSignIn(state, () => request<{ user: OwnUser }>('PATCH', '/user', patch))
    state.user = user
    showUser(user)
    announce(words.saved)
  })
}
