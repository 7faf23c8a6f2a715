import { forgetDrafts } from '../../contribute/form/drafts.ts'
import { outbox } from '../../contribute/outbox/outbox.ts'
import type { AccountState } from './account-state.ts'
import { withRecentSignIn } from './again.ts'
import { request } from '../../api/request.ts'
import { elementBy } from './config.ts'
import { doOnce, onSubmit, showStep, valueOf } from './form.ts'
import { rememberUser } from '../../api/signed-in.ts'

/** The download of the user's data. A plain link could not ask for a recent sign-in. */
export function listenToDownload(state: AccountState): void {
  const section = elementBy('#data')
  elementBy('a', section).addEventListener('click', (event) => {
    event.preventDefault()
    void doOnce(section, 'other', async () => {
      const data = await withRecentSignIn(state, () => request('GET', '/user/export'))
      const file = new Blob([JSON.stringify(data)], { type: 'application/json' })
      const link = Object.assign(document.createElement('a'), {
        href: URL.createObjectURL(file),
        download: 'my-data.json',
      })
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    })
  })
}

/** Deletes the account, once the user has typed their own name. */
export function listenToLeaving(state: AccountState): void {
  const form = elementBy<HTMLFormElement>('#leave form')
  onSubmit(form, 'leaving', async () => {
    const texts = elementBy<HTMLInputElement>('input[name=texts]:checked', form).value
    await withRecentSignIn(state, () =>
      request('DELETE', '/user', { confirm: valueOf(form, 'confirm'), texts }),
    )
    await outbox()
      .forget('own')
      .catch(() => undefined)
    rememberUser(undefined)
    forgetDrafts()
    document.querySelector('#account-link')?.remove()
    showStep(elementBy('#step-left'))
  })
}
