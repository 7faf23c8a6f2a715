import { directions } from '../map/page/position.ts'
import { chosen, type Counts, type Texts } from '../texts.ts'
import type { View } from './view.ts'

export interface Labels {
  /** The prefix of a page's path in this language; empty or with a slash at its end. */
  readonly prefix: string
  /** By section and key, such as `waypoint.added`. */
  readonly strings: Texts
  readonly counts: Counts
  /** The declared custom fields in the registry's order, with their titles. */
  readonly custom: readonly (readonly [name: string, title: string])[]
  /** Whether pages of regions exist in every language. */
  readonly hasRegions: boolean
}

const shown = [
  'nav',
  'site',
  'waypoint',
  'regions',
  'action',
  'fact',
  'status',
  'hours',
  'field',
  'amenity',
  'notFound',
  'notKept',
  'contributors',
  'leaderboard',
  'proof',
  'map.share',
  'map.linkCopied',
  'map.distanceMetres',
  'map.distanceKilometres',
  'map.fromMiddle',
  ...directions.map((one) => `map.directions.${one}`),
]

const ofAccounts = [
  'account.signIn',
  'account.title',
  'contribute.improve',
  'contribute.reportReview',
  'contribute.reportPhoto',
  'contribute.reportPerson',
  'contribute.observe.works',
  'contribute.observe.problem',
  'contribute.action.report',
  'desk.title',
  'harvest',
  'live.gone',
]

export function labelsOf({ prefix, strings, m, custom, hasForms, hasRegions, imageHosts }: View): Labels {
  return {
    prefix,
    strings: chosen(strings, new Set([...shown, ...(hasForms ? ofAccounts : [])])),
    counts: m.count,
    custom: hasForms ? custom : [],
    hasRegions,
    ...(imageHosts && { imageHosts }),
  }
}
