import { baseMapOf } from '../build/map-config.ts'
import type { View } from '../build/view.ts'
import { picked } from '../messages.ts'
import { mapParties } from '../streets/credits.ts'

export type DeskConfig = ReturnType<typeof deskConfig>

export function deskConfig(view: View) {
  const { tag, m, site } = view
  return {
    tag,
    pages: { home: view.page(''), signIn: view.page('sign-in/'), acts: view.page('moderation/acts/') },
    icons: site.icons,
    map: baseMapOf(view),
    credits: mapParties(site),
    words: {
      ...picked(m, 'desk', 'action', 'field', 'fact', 'amenity'),
      account: picked(m.account, 'problem', 'loading', 'retry', 'signIn', 'copy', 'copied'),
      contributors: picked(m.contributors, 'system', 'former'),
      waypoint: picked(m.waypoint, 'redacted', 'approved', 'verified', 'position'),
      map: picked(m.map, 'distanceMetres', 'distanceKilometres'),
      many: { ...picked(m.many, 'kept', 'rest'), undone: m.desk.undone },
      streets: picked(m.streets, 'credit'),
      event: m.following.event,
      seen: { ...m.contribute.observe.kind, works: m.contribute.observe.works },
      labelled: m.site.labelled,
    },
  }
}
