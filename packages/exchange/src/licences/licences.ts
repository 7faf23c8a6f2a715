import data from './licences.json' with { type: 'json' }
import type table from './licences.json'
import compatibility from './compatibility.json' with { type: 'json' }

export interface Licence {
  /** SPDX id, https://spdx.org/licenses/ */
  readonly id: string
  readonly title: string
  /** The address of its text. */
  readonly url: string
  /** Other spellings by portals and people, lower case. */
  readonly aliases: readonly string[]
  /** Its conditions for passing the data on. */
  readonly asks: readonly ('attribution' | 'share-alike' | 'non-commercial' | 'no-derivatives')[]
}

export type LicenceId = keyof typeof table

type Known = Licence & { readonly id: LicenceId }

/** The licences that the compatibility table judges; the data are in licences.json. */
export const licences: readonly Known[] = Object.entries(data).map(
  ([id, licence]) => ({ id, ...licence }) as Known,
)

const bySpelling: ReadonlyMap<string, Known> = new Map(
  licences.flatMap((licence) =>
    [licence.id.toLowerCase(), licence.url.toLowerCase(), ...licence.aliases].map(
      (spelling): [string, Known] => [spelling, licence],
    ),
  ),
)

/**
 * The licence that a text names: its SPDX id in any case, its address, or another usual spelling. Undefined
 * when it is not one of `licences`.
 */
export function licenceOf(text: string): Known | undefined {
  return bySpelling.get(text.trim().toLowerCase())
}

/** One spelling for each licence: the SPDX id of a known one, however it is written; another stays as it is. */
export function oneSpelling(license: string): string {
  return licenceOf(license)?.id ?? license
}

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
const rules = compatibility as Readonly<Record<LicenceId, readonly Rule[]>>

const spdx = 'https://spdx.org/licenses/'

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
  if (from ? from.id === to?.id : incoming === outgoing)
    return { verdict: 'yes', reason: 'It is the same licence.', source: from?.url ?? spdx }
  if (!from || !to) {
    const reason = `${from ? outgoing : incoming} is not in the table of licences.`
    return { verdict: 'permission', reason, source: spdx }
  }
  return {
    verdict: 'no',
    reason: `${from.id} asks for ${from.asks.join(' and ') || 'nothing'}, which ${to.id} does not hand on.`,
    source: from.url,
  }
}

/** An origin of published data: a source, or contributions to the registry itself. */
export interface Origin {
  readonly name: string
  readonly license: string
  /** Waypoints that came from it. */
  readonly waypoints: number
  /** Reviews that came from it, where that can be. */
  readonly reviews?: number
  /** Whether these are contributions to the registry itself. Default false. */
  readonly own?: boolean
}

/** A source that may not be published under a licence, and why. */
export interface Obstacle extends Origin, Judgement {}

/**
 * The origins whose data may not be published under `outgoing`. `permitted` names sources that gave their written
 * consent, in any Unicode form; consent clears a verdict of `permission`, never a `no`.
 */
export function obstacles(
  origins: readonly Origin[],
  outgoing: string,
  permitted: readonly string[] = [],
): Obstacle[] {
  const consenting = consentingNames(origins, outgoing, permitted)
  return origins.flatMap((origin) => {
    const judgement = judge(origin.license, outgoing)
    const clear = judgement.verdict === 'yes' || consenting.has(origin.name)
    return clear ? [] : [{ ...origin, ...judgement }]
  })
}

/** The names of the origins that are published under `outgoing` by their written consent, which nothing else would allow. */
export function consentingNames(
  origins: readonly Pick<Origin, 'name' | 'license'>[],
  outgoing: string,
  permitted: readonly string[],
): ReadonlySet<string> {
  const consenting = namesOf(permitted)
  const names = origins
    .filter(({ name }) => consenting.has(oneForm(name)))
    .filter(({ license }) => judge(license, outgoing).verdict === 'permission')
  return new Set(names.map(({ name }) => name))
}

/**
 * The licences under which all origins may be published together without anybody's consent: their own ones first,
 * then the others of the table in its order. Empty when there is none.
 */
export function commonLicences(origins: readonly Pick<Origin, 'license'>[]): string[] {
  const own = origins.map(({ license }) => oneSpelling(license))
  const candidates = new Set([...own, ...licences.map(({ id }) => id)])
  return [...candidates].filter((candidate) =>
    origins.every(({ license }) => judge(license, candidate).verdict === 'yes'),
  )
}

/** The given names that name none of the origins. */
export function unknownNames(permitted: readonly string[], names: readonly string[]): string[] {
  const known = namesOf(names)
  return permitted.filter((name) => !known.has(oneForm(name)))
}

const namesOf = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(oneForm))
const oneForm = (name: string): string => name.normalize('NFC').trim()

/** The error of an export whose records may not be published together under the chosen licence. */
export class LicenceConflict extends Error {
  override readonly name = 'LicenceConflict'
  readonly license: string
  /** The origins that may not be published under it. */
  readonly obstacles: readonly Obstacle[]
  /** All origins of the export. */
  readonly origins: readonly Origin[]

  constructor(license: string, found: readonly Obstacle[], origins: readonly Origin[] = found) {
    const list = found.map((each) => `${JSON.stringify(each.name)} (${each.license}: ${each.verdict})`)
    super(`These sources may not be published under ${license}: ${list.join(', ')}`)
    this.license = license
    this.obstacles = found
    this.origins = origins
  }
}
