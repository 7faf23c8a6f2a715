import table from './compatibility.json' with { type: 'json' }
import { licenceOf, licences, type LicenceId } from './licence.ts'

/**
 * Whether data under one licence may be part of a database that is published under another. `permission`: only
 * with the written consent of the source, which an operator can have and this table cannot know.
 */
export type Verdict = 'yes' | 'permission' | 'no'

/** A judgement and its grounds. It is a careful reading, not legal advice. */
export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string
  /** The text or the page that says so. */
  readonly source: string
}

interface Rule extends Judgement {
  readonly outgoing: readonly (LicenceId | 'every' | 'every other')[]
}

/** The rules of each licence in compatibility.json, the first that fits counts; `every` licence, or `every other`. */
const rules = table as Readonly<Record<LicenceId, readonly Rule[]>>
const everything = licences.map(({ id }) => id)

const fits = ({ outgoing }: Rule, from: LicenceId, to: LicenceId): boolean =>
  outgoing.some((each) => each === to || each === 'every' || (each === 'every other' && from !== to))

/**
 * Judges whether data under `incoming` may be part of a database under `outgoing`. Both are SPDX ids or other
 * usual spellings. A licence stays compatible with itself unless the table says otherwise; one that the table
 * does not know is compatible only with itself unless the source permits it.
 */
export function judge(incoming: string, outgoing: string): Judgement {
  const from = licenceOf(incoming)
  const to = licenceOf(outgoing)
  const rule = from && to && rules[from.id].find((each) => fits(each, from.id, to.id))
  if (rule) return { verdict: rule.verdict, reason: rule.reason, source: rule.source }
  if (from ? from.id === to?.id : incoming === outgoing) {
    return {
      verdict: 'yes',
      reason: 'It is the same licence.',
      source: from?.url ?? 'https://spdx.org/licenses/',
    }
  }
  if (!from || !to) {
    return {
      verdict: 'permission',
      reason: `${from ? outgoing : incoming} is not in the table of licences.`,
      source: 'https://spdx.org/licenses/',
    }
  }
  return {
    verdict: 'no',
    reason: `${from.id} asks for ${from.asks.join(' and ') || 'nothing'}, which ${to.id} does not hand on.`,
    source: from.url,
  }
}

/** Every judgement of the table, licences in their order, for documentation and review. */
export function* compatibilityTable(): Iterable<Judgement & { incoming: LicenceId; outgoing: LicenceId }> {
  for (const incoming of everything) {
    for (const outgoing of everything) yield { incoming, outgoing, ...judge(incoming, outgoing) }
  }
}
