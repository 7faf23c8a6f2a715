import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MapCredits } from '../../data/map-credits.ts'
import type { Bounds } from '../../data/region.ts'
import type { CreditFile } from '../data/credits.ts'
import { boundsOfAll, roundedOutwards } from '../page/position.ts'
import { divide } from './quadtree.ts'
import type { Row } from '../../data/row.ts'

/** The approximate number of boxes in the file, whatever the number of fountains. */
const boxes = 256
const fewest = 16

/** Writes `credits.json`: each party's boxes hold all its fountains, and as few others as their number allows. */
export async function writeCredits(
  rows: readonly Row[],
  credits: MapCredits,
  mapFolder: string,
): Promise<void> {
  const found: Bounds[][] = credits.groups.flatMap(({ parties }) => parties.map(() => []))
  const capacity = Math.max(fewest, Math.ceil(rows.length / boxes))
  for (const { items } of divide(rows, capacity)) {
    const credited = items.flatMap((row) => credits.partiesOf(row).map((party) => ({ party, row })))
    for (const [party, some] of Map.groupBy(credited, (one) => one.party)) {
      const box = boundsOfAll(some.map(({ row }) => row))
      if (box) found[party]?.push(roundedOutwards(box, 1e3))
    }
  }
  const file: CreditFile = found
  await writeFile(join(mapFolder, 'credits.json'), JSON.stringify(file))
}
