import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MapCredits } from '../../data/map-credits.ts'
import type { Bounds } from '../../data/region.ts'
import type { CreditFile } from '../data/credits.ts'
import { divide } from './quadtree.ts'
import type { Row } from '../../data/row.ts'

/** The approximate number of boxes in the file, whatever the number of fountains. */
const boxes = 256
/** Fountains in one box, at least. */
const fewest = 16

/**
 * Writes `credits.json`, so that the map names only the parties of fountains in view. Each party's boxes hold all its
 * fountains, and as few others as their number allows.
 */
export async function writeCredits(
  rows: readonly Row[],
  credits: MapCredits,
  mapFolder: string,
): Promise<void> {
  const found: Bounds[][] = credits.groups.flatMap(({ parties }) => parties.map(() => []))
  const capacity = Math.max(fewest, Math.ceil(rows.length / boxes))
  for (const square of divide(rows, capacity)) {
    const byParty = new Map<number, Bounds>()
    for (const row of square.items)
      for (const party of credits.partiesOf(row)) byParty.set(party, around(byParty.get(party), row))
    for (const [party, box] of byParty) found[party]?.push(rounded(box))
  }
  const file: CreditFile = found
  await writeFile(join(mapFolder, 'credits.json'), JSON.stringify(file))
}

function around(box: Bounds | undefined, { latitude: y, longitude: x }: Row): Bounds {
  const [west, south, east, north] = box ?? [x, y, x, y]
  return [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)]
}

/** In thousandths of a degree, outwards. */
function rounded([west, south, east, north]: Bounds): Bounds {
  const down = (degrees: number) => Math.floor(degrees * 1e3) / 1e3
  const up = (degrees: number) => Math.ceil(degrees * 1e3) / 1e3
  return [down(west), down(south), up(east), up(north)]
}
