import { eventIcon, type View } from '../../build/view.ts'

/** The configuration of the page of the user's own contributions. */
export type ContributionsConfig = ReturnType<typeof contributionsConfig>

/** The same for a page. */
export function contributionsConfig({ site, tag, m, page }: View) {
  const { xp, gates, levels } = site.rules
  return {
    tag,
    rules: { xp, gates, levels },
    /** The gated actions, the lowest gate first. */
    gates: (['postReview', 'editWaypoint', 'createWaypoint'] as const)
      .map((event) => ({
        icon: eventIcon(event),
        label: m.rules.events[event],
        xp: xp[event],
        gate: gates[event],
      }))
      .toSorted((one, other) => one.gate - other.gate),
    /** A fountain's number is appended to `fountain`. */
    pages: {
      map: page(''),
      fountain: `${page('')}?fountain=`,
      rules: page('how-it-works/'),
      signIn: page('sign-in/'),
    },
    rulesTitle: m.rules.title,
  }
}
