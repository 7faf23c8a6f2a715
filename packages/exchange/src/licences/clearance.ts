import { judge, type Judgement } from './compatibility.ts'
import { licences, oneSpelling } from './licence.ts'

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

/** Names in the registry's normal form. */
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
    const list = found.map(
      ({ name, license: own, verdict }) => `${JSON.stringify(name)} (${own}: ${verdict})`,
    )
    super(`These sources may not be published under ${license}: ${list.join(', ')}`)
    this.license = license
    this.obstacles = found
    this.origins = origins
  }
}
