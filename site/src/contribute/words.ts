import type { Rules } from '@openfountain/core'
import type { Messages } from '../messages.ts'
import type { DeclaredField } from '../custom-fields.ts'

/**
 * The texts of the forms in one language, with the registry's rules: a file of its own, loaded at the first
 * contribution.
 */
export interface ContributeWords {
  readonly contribute: Messages['contribute']
  readonly amenity: Messages['amenity']
  readonly field: Messages['field']
  readonly fact: Messages['fact']
  readonly problem: Messages['account']['problem']
  readonly account: Pick<Messages['account'], 'signIn' | 'cancel' | 'save'>
  readonly map: Pick<
    Messages['map'],
    | 'distanceMetres'
    | 'distanceKilometres'
    | 'bearing'
    | 'directions'
    | 'close'
    | 'open'
    | 'locating'
    | 'locationDenied'
    | 'locationFailed'
    | 'kind'
    | 'features'
  >
  readonly stars: string
  /** The label of an unnamed fountain of unknown kind. */
  readonly unnamed: string
  readonly labelled: string
  /** Label of the button that sends again. */
  readonly again: string
  /** The declared custom fields, with the registry's own texts. */
  readonly custom: readonly DeclaredField[]
  readonly rules: Pick<Rules, 'gates' | 'reviews' | 'xp'>
}

/** The words of one language. */
export function contributeWords(
  m: Messages,
  { gates, reviews, xp }: Rules,
  custom: readonly DeclaredField[],
): ContributeWords {
  const { map, account } = m
  return {
    contribute: m.contribute,
    amenity: m.amenity,
    field: m.field,
    fact: m.fact,
    problem: account.problem,
    account: { signIn: account.signIn, cancel: account.cancel, save: account.save },
    map: {
      distanceMetres: map.distanceMetres,
      distanceKilometres: map.distanceKilometres,
      bearing: map.bearing,
      directions: map.directions,
      close: map.close,
      open: map.open,
      locating: map.locating,
      locationDenied: map.locationDenied,
      locationFailed: map.locationFailed,
      kind: map.kind,
      features: map.features,
    },
    stars: m.waypoint.stars,
    unnamed: m.waypoint.unnamed,
    labelled: m.site.labelled,
    again: m.outbox.again,
    custom,
    rules: { gates, reviews, xp },
  }
}
