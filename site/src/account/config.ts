import type { View } from '../build/view.ts'

/** The configuration that the scripts of the account pages read from their page. */
export type AccountConfig = ReturnType<typeof accountConfig>

/** The same for a page */
export function accountConfig({ site, tag, m, page }: View) {
  const { api = '', origin } = site
  return {
    tag,
    /** Whether identity providers can redirect to these pages. */
    offersProviders: api.startsWith('/') || new URL(api).origin === origin,
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
      rules: m.nav['how-it-works'],
      home: m.notFound.back,
    },
  }
}
