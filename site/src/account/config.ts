import type { View } from '../build/view.ts'

/** The configuration that the scripts of the account pages read from their page. */
export type AccountConfig = ReturnType<typeof accountConfig>

/** The same for a page. @throws Error on a site without an API, which has no such pages */
export function accountConfig({ site, tag, m, page }: View) {
  if (!site.account) throw new Error('Without an API there are no accounts')
  return {
    tag,
    /** Whether identity providers can redirect to these pages. */
    offersProviders: site.account.isSameOrigin,
    pages: {
      home: page(''),
      signIn: page('sign-in/'),
      account: page('account/'),
      contributions: page('contributions/'),
      moderation: page('moderation/'),
      rules: page('how-it-works/'),
    },
    rules: { xp: site.rules.xp, gates: site.rules.gates },
    words: {
      ...m.account,
      signOutWaiting: m.outbox.signOutAsk,
      contributions: m.outbox.contributions.title,
      moderation: m.desk.title,
      rules: m.nav.rules,
      home: m.notFound.back,
    },
  }
}
