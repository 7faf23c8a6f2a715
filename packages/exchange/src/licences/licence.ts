import data from './licences.json' with { type: 'json' }
import type table from './licences.json'

/** An open (or nearly open) data licence. */
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
