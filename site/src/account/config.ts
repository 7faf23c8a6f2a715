import type { View } from '../build/view.ts'
import { earningWords } from '../earnings.ts'
import { removalWords } from '../views/removals.tsx'

export type AccountConfig = ReturnType<typeof accountConfig>

export function accountConfig(view: View) {
  const { site, tag, m } = view
  const { api = '', origin } = site
  return {
    tag,
    /** Whether identity providers can redirect to these pages. */
    offersProviders: api.startsWith('/') || new URL(api).origin === origin,
    pages: {
      home: view.page(''),
      signIn: view.page('sign-in/'),
      account: view.page('account/'),
      contributions: view.page('contributions/'),
      moderation: view.page('moderation/'),
      keeping: view.page('my-fountains/'),
      rules: view.page('how-it-works/'),
    },
    icons: site.icons,
    earnings: earningWords(m, site.rules),
    words: {
      ...m.account,
      following: { ...m.following, title: m.nav.following },
      keeping: { ...m.keeping, title: m.nav['my-fountains'], states: m.explore.states },
      follow: m.waypoint.follow,
      distances: {
        'map.distanceMetres': m.map.distanceMetres,
        'map.distanceKilometres': m.map.distanceKilometres,
      },
      signOutWaiting: m.outbox.signOutAsk,
      contributions: m.outbox.contributions.title,
      removals: removalWords(m),
      moderation: m.desk.title,
      rules: m.nav['how-it-works'],
      home: m.notFound.back,
    },
  }
}
