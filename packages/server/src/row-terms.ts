import type { Registry } from '@openfountain/core'
import type { RowTerms } from '@openfountain/core/internal'
import { z } from 'zod'
import { type HeaderPair, licenseLink } from './http/headers.ts'

/** Licence terms of rows whose licence is not the registry's, and the headers that name them. */

export const rowTerms = {
  license: z
    .string()
    .meta({ description: 'Its licence, where that is not the registry’s; several joined by AND all apply' })
    .optional(),
  attribution: z.string().meta({ description: 'Whom to name, where it has `license`' }).optional(),
}

export const otherLicenses = async ({ license, sources }: Registry): Promise<readonly string[]> =>
  (await sources.licenses()).filter((each) => each !== license)

/** Terms of the waypoints under another licence, by id, in one read. */
export async function otherTerms(
  registry: Registry,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RowTerms>> {
  if (ids.length === 0 || (await otherLicenses(registry)).length === 0) return new Map()
  return registry.waypoints.otherTerms(ids, registry.license)
}

/** Link headers for licences other than the registry's, which every response names. */
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

export function linksIn(registry: Registry, text: string): readonly HeaderPair[] {
  const { waypoints } = JSON.parse(text) as { readonly waypoints: readonly Partial<RowTerms>[] }
  return otherLinks(
    registry,
    waypoints.map(({ license }) => license),
  )
}
