import type { Rules } from '@openfountain/core'
import { eventIcon, type View } from '../../build/view.ts'

/** The configuration of the page of the user's own contributions. */
export interface ContributionsConfig {
  readonly tag: string
  readonly rules: Pick<Rules, 'xp' | 'gates' | 'levels'>
  /** The gated actions, the lowest gate first. */
  readonly gates: readonly {
    readonly icon: string
    readonly label: string
    readonly xp: number
    readonly gate: number
  }[]
  /** Addresses in the language of the page; a fountain's number is appended to `fountain`. */
  readonly pages: Readonly<Record<'map' | 'fountain' | 'rules' | 'signIn', string>>
  readonly rulesTitle: string
}

/** The configuration for a page. */
export function contributionsConfig({ site, tag, m, page }: View): ContributionsConfig {
  const { xp, gates, levels } = site.rules
  return {
    tag,
    rules: { xp, gates, levels },
    gates: (['postReview', 'editWaypoint', 'createWaypoint'] as const)
      .map((event) => ({
        icon: eventIcon(event),
        label: m.rules.events[event],
        xp: xp[event],
        gate: gates[event],
      }))
      .toSorted((one, other) => one.gate - other.gate),
    pages: {
      map: page(''),
      fountain: `${page('')}?fountain=`,
      rules: page('how-it-works/'),
      signIn: page('sign-in/'),
    },
    rulesTitle: m.rules.title,
  }
}
