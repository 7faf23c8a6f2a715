import { forgetDrafts } from '../../contribute/form/drafts.ts'
import { outbox } from '../../contribute/outbox/outbox.ts'
import type { AccountState } from './account-state.ts'
import { withRecentSignIn } from './again.ts'
import { request } from '../../api/request.ts'
import { the } from './config.ts'
import { onSubmit, showStep, valueOf } from './form.ts'
import { rememberUser } from '../../api/signed-in.ts'

/** Lets people leave, once they have typed their own name. */
export function listenToLeaving(state: AccountState): void {
  const form = the<HTMLFormElement>('#leave form')
  onSubmit(form, 'leaving', async () => {
    const texts = the<HTMLInputElement>('input[name=texts]:checked', form).value
    await withRecentSignIn(state, () =>
      request('DELETE', '/user', { confirm: valueOf(form, 'confirm'), texts }),
    )
    await outbox()
      .forget('own')
      .catch(() => undefined)
    rememberUser(undefined)
    forgetDrafts()
    document.querySelector('#account-link')?.remove()
    showStep(the('#step-left'))
  })
}
