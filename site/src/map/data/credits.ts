import { isInside } from '@openfountain/core/geodesy'
import { boundsMeet, type Position } from '../page/position.ts'
import type { Bounds } from '../../data/region.ts'

/** The content of map/credits.json: for each party of the attribution line boxes around its fountains. */
export type CreditFile = readonly (readonly Bounds[])[]

export type NewerFountain = Position & { readonly source?: string | null | undefined }

/** Numbers of the parties of the fountains in view. @param own the publisher @param newer fountains newer than the file */
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
