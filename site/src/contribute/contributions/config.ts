import type { Rules } from '@openfountain/core'
import type { View } from '../../build/view.ts'

/** The configuration of the page of the user's own contributions. */
export interface ContributionsConfig {
  readonly tag: string
  readonly rules: Pick<Rules, 'xp' | 'gates' | 'levels'>
  /** Address of a fountain without its number at the end, on the map. */
  readonly fountain: string
}

/** The configuration for a page. */
export function contributionsConfig({ site, tag, page }: View): ContributionsConfig {
  const { xp, gates, levels } = site.rules
  return { tag, rules: { xp, gates, levels }, fountain: `${page('')}?fountain=` }
}
