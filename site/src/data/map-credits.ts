import type { Attribution } from '@openfountain/core'
import { attributionsOf, partyText } from '@openfountain/core/internal'
import type { RegistryData } from './registry.ts'

export interface Origin {
  /** Names of sources joined by `; `; none for a contribution. */
  readonly source?: string | null | undefined
  readonly review_count: number
}

export interface MapCredits {
  readonly groups: readonly Attribution[]
  /** The number of the publisher, who is credited for contributions; undefined where there are none. */
  readonly own: number | undefined
  /** Whether the publisher is named only once a contribution is in view, since the export has none. */
  readonly isOwnLater: boolean
  /** The parties that a row is credited to: all of them where its sources are unknown. */
  partiesOf(row: Origin): readonly number[]
}

/** The attributions of the data, with the parties of each row. @param isLive whether contributions since the build are shown */
export function mapCreditsOf(
  { attributions, sources, folder }: Pick<RegistryData, 'attributions' | 'sources' | 'folder'>,
  isLive: boolean,
): MapCredits {
  const publisher = folder.registry
  const contributed = attributionsOf({ publisher, contributed: true, sources: [] })
  const known = numbersIn(attributions, contributed)
  const isOwnLater = known.length === 0 && isLive
  const groups = isOwnLater ? [...attributions, ...contributed] : attributions
  const own = numbersIn(groups, contributed)
  const bySource = Map.groupBy(
    sources.map((source) => {
      const of = attributionsOf({ publisher, contributed: false, sources: [source] })
      return { name: source.name, numbers: numbersIn(groups, of) }
    }),
    ({ name }) => name,
  )
  const allParties = groups.flatMap(({ parties }) => parties).map((_, number) => number)
  const texts = new Map<string, readonly number[]>()
  const numbersOf = (text: string): readonly number[] => {
    const found = texts.get(text) ?? numbersOfText(text, bySource) ?? allParties
    texts.set(text, found)
    return found
  }
  return {
    groups,
    own: own[0],
    isOwnLater,
    partiesOf: ({ source, review_count }) =>
      source ? [...new Set([...numbersOf(source), ...(review_count > 0 ? own : [])])] : own,
  }
}

function numbersIn(groups: readonly Attribution[], others: readonly Attribution[]): number[] {
  const keysOf = (some: readonly Attribution[]) =>
    some.flatMap(({ license, parties }) => parties.map((party) => `${license}\n${partyText(party)}`))
  const wanted = new Set(keysOf(others))
  return keysOf(groups).flatMap((key, number) => (wanted.has(key) ? [number] : []))
}

/** The parties of joined source names, each of which may contain the joint; undefined when one is unknown. */
function numbersOfText(
  text: string,
  bySource: ReadonlyMap<string, readonly { readonly numbers: readonly number[] }[]>,
): number[] | undefined {
  const pieces = text.split(joint)
  for (let count = pieces.length; count > 0; count -= 1) {
    const first = bySource.get(pieces.slice(0, count).join(joint))
    if (!first) continue
    const rest = count === pieces.length ? [] : numbersOfText(pieces.slice(count).join(joint), bySource)
    if (rest) return [...first.flatMap(({ numbers }) => numbers), ...rest]
  }
  return undefined
}

const joint = '; '
