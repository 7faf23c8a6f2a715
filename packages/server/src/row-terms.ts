import type { Registry } from '@openfountain/core'
import type { RowTerms } from '@openfountain/core/internal'
import { z } from 'zod'
import { type HeaderPair, licenseLink } from './http/headers.ts'

/** Rows under another licence than the registry's: what they say of it, and which headers name it. */

/** The members of such a row; others have none of them. */
export const rowTerms = {
  license: z
    .string()
    .meta({ description: 'Its licence, where that is not the registry’s; several joined by AND all apply' })
    .optional(),
  attribution: z.string().meta({ description: 'Whom to name, where it has `license`' }).optional(),
}

/** The licences of sources other than the registry's, each once. */
export async function otherLicenses({ license, sources }: Registry): Promise<readonly string[]> {
  return (await sources.licenses()).filter((each) => each !== license)
}

/** The terms of those among some waypoints that are under another licence, by id: one read for all of them. */
export async function otherTerms(
  registry: Registry,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RowTerms>> {
  if (ids.length === 0 || (await otherLicenses(registry)).length === 0) return new Map()
  return registry.waypoints.otherTerms(ids, registry.license)
}

/** JSON texts of waypoints, each of another licence with its terms. */
export async function withTerms(registry: Registry, texts: readonly string[]): Promise<readonly string[]> {
  const idOf = (text: string) => Number.parseInt(text.slice('{"id":'.length), 10)
  const terms = await otherTerms(registry, texts.map(idOf))
  if (terms.size === 0) return texts
  return texts.map((text) => textWithTerms(text, terms.get(idOf(text))))
}

const textWithTerms = (text: string, terms: RowTerms | undefined): string =>
  terms === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(terms).slice(1)}`

/** The Link headers that name licences beside the registry's, which every response names. */
export function otherLinks(
  { license }: Pick<Registry, 'license'>,
  named: readonly (string | undefined)[],
): readonly HeaderPair[] {
  const licenses = new Set(named.flatMap((each) => each?.split(' AND ') ?? []))
  licenses.delete(license)
  return [...licenses].toSorted().flatMap((each) => {
    const link = licenseLink(each)
    return link === undefined ? [] : [link]
  })
}

/** The same of the JSON text of a list of waypoints. */
export function linksIn(registry: Registry, text: string): readonly HeaderPair[] {
  const { waypoints } = JSON.parse(text) as { readonly waypoints: readonly Partial<RowTerms>[] }
  return otherLinks(
    registry,
    waypoints.map(({ license }) => license),
  )
}
