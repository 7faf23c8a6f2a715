import { isInside } from '@openfountain/core/geodesy'
import { boundsMeet, type Position } from '../page/position.ts'
import type { Bounds } from '../../data/region.ts'

/**
 * The content of map/credits.json: for each party of the attribution line, in its order, boxes around all its
 * fountains.
 */
export type CreditFile = readonly (readonly Bounds[])[]

/** A fountain that was added or changed since the build. */
export type NewerFountain = Position & { readonly source?: string | null | undefined }

/**
 * The numbers of the parties credited for the fountains in view; empty when there are none.
 *
 * @param own the publisher, who is credited for contributions
 * @param newer fountains newer than the file; one with a source may belong to any party
 */
export function creditedIn(
  bounds: Bounds,
  file: CreditFile,
  { own, newer }: { readonly own: number | undefined; readonly newer: Iterable<NewerFountain> },
): ReadonlySet<number> {
  const credited = new Set<number>()
  for (const [number, boxes] of file.entries())
    if (boxes.some((box) => boundsMeet(box, bounds))) credited.add(number)
  for (const fountain of newer) {
    if (!isInside(bounds, fountain)) continue
    if (fountain.source) for (const number of file.keys()) credited.add(number)
    else if (own !== undefined) credited.add(own)
  }
  return credited
}
