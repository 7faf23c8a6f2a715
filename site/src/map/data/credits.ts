import { isInside } from '@openfountain/core/geodesy'
import { boundsMeet, type Position } from '../page/position.ts'
import type { Bounds } from './config.ts'

/** What map/credits.json has: for each party of the line of credits, in its order, boxes around all that is credited to it. */
export type CreditFile = readonly (readonly Bounds[])[]

/** What was contributed since the site was built, or changed. */
export type Newer = Position & { readonly source?: string | undefined }

/**
 * The parties, by their numbers, that are credited for what is in view; none when nothing is.
 *
 * @param own the publisher, who is credited for what is contributed
 * @param newer fountains that are newer than the file; one of a source may be anybody's
 */
export function creditedIn(
  bounds: Bounds,
  file: CreditFile,
  { own, newer }: { readonly own: number | undefined; readonly newer: Iterable<Newer> },
): ReadonlySet<number> {
  const credited = new Set<number>()
  for (const [number, boxes] of file.entries())
    if (boxes.some((box) => boundsMeet(box, bounds))) credited.add(number)
  for (const fountain of newer) {
    if (!isInside(bounds, fountain)) continue
    if (fountain.source !== undefined) for (const number of file.keys()) credited.add(number)
    else if (own !== undefined) credited.add(own)
  }
  return credited
}
