import type { View } from '../build/view.ts'
import type { Messages } from '../messages.ts'

/** The configuration of the moderation desk and of the page of acts. */
export interface DeskConfig {
  readonly tag: string
  /** Addresses in the language of the page. */
  readonly pages: { readonly home: string; readonly signIn: string }
  readonly words: DeskWords
}

export interface DeskWords {
  readonly desk: Messages['desk']
  readonly action: Messages['action']
  readonly field: Messages['field']
  readonly fact: Messages['fact']
  readonly amenity: Messages['amenity']
  readonly problem: Messages['account']['problem']
  readonly labelled: string
  readonly loading: string
  readonly signIn: string
  readonly system: string
  readonly former: string
  /** The label of an unnamed fountain of unknown kind. */
  readonly unnamed: string
  readonly redacted: string
  readonly approved: string
  readonly verified: string
  readonly position: string
  readonly distances: { readonly 'map.distanceMetres': string; readonly 'map.distanceKilometres': string }
}

/** The configuration of the scripts for a page. */
export function deskConfig({ tag, m, page }: View): DeskConfig {
  const { desk, action, field, fact, amenity, account, contributors, waypoint, map, site } = m
  return {
    tag,
    pages: { home: page(''), signIn: page('sign-in/') },
    words: {
      desk,
      action,
      field,
      fact,
      amenity,
      problem: account.problem,
      labelled: site.labelled,
      loading: account.loading,
      signIn: account.signIn,
      system: contributors.system,
      former: contributors.former,
      unnamed: waypoint.unnamed,
      redacted: waypoint.redacted,
      approved: waypoint.approved,
      verified: waypoint.verified,
      position: waypoint.position,
      distances: {
        'map.distanceMetres': map.distanceMetres,
        'map.distanceKilometres': map.distanceKilometres,
      },
    },
  }
}
