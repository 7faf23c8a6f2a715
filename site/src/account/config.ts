import type { View } from '../build/view.ts'
import type { Messages, Plural } from '../messages.ts'

/** The configuration that the scripts of the account pages read from their page. */
export interface AccountConfig {
  readonly tag: string
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** Whether identity providers can redirect to these pages. */
  readonly offersProviders: boolean
  readonly pages: { readonly signIn: string; readonly account: string }
  readonly words: Messages['account'] & { readonly signOutWaiting: Plural }
}

/** The configuration of the scripts for a page. @throws Error on a site without an API, which has no such pages */
export function accountConfig({ site, tag, m, page }: View): AccountConfig {
  if (!site.account) throw new Error('Without an API there are no accounts')
  const { api, isSameOrigin } = site.account
  return {
    tag,
    api,
    offersProviders: isSameOrigin,
    pages: { signIn: page('sign-in/'), account: page('account/') },
    words: { ...m.account, signOutWaiting: m.outbox.signOutAsk },
  }
}
