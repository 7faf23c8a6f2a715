import type { View } from '../build/view.ts'

/** The configuration of the scripts of the moderation desk and of the page of acts. */
export type DeskConfig = ReturnType<typeof deskConfig>

/** The same for a page. */
export function deskConfig({ tag, m, page, site }: View) {
  const { action, field, fact, amenity, account, contributors, waypoint, map } = m
  return {
    tag,
    /** Addresses in the language of the page. */
    pages: { home: page(''), signIn: page('sign-in/'), acts: page('moderation/acts/') },
    icons: site.icons,
    words: {
      desk: m.desk,
      action,
      field,
      fact,
      amenity,
      account: { problem: account.problem, loading: account.loading, signIn: account.signIn },
      contributors: { system: contributors.system, former: contributors.former },
      waypoint: {
        unnamed: waypoint.unnamed,
        redacted: waypoint.redacted,
        approved: waypoint.approved,
        verified: waypoint.verified,
        position: waypoint.position,
      },
      map: { distanceMetres: map.distanceMetres, distanceKilometres: map.distanceKilometres },
      labelled: m.site.labelled,
    },
  }
}
