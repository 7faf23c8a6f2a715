import type { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { type CreditFile, creditedIn } from '../data/credits.ts'

/** The attribution line: parties of fountains in view, all until the file is read. @param read reads a file of the map */
export function creditLine(
  line: HTMLElement,
  credits: MapConfig['credits'],
  cells: Cells,
  read: (name: string) => Promise<unknown>,
): (bounds: Bounds) => void {
  // The line names one party.
  if (!credits) return () => undefined
  let run = 0
  const show = async (bounds: Bounds): Promise<void> => {
    const own = (run += 1)
    const file = (await read('credits.json')) as CreditFile
    const credited = creditedIn(bounds, file, { own: credits.own, newer: cells.updates?.fountains() ?? [] })
    if (own === run && credited.size > 0) name(line, credited)
  }
  return (bounds) => void show(bounds).catch(() => undefined)
}

function name(line: HTMLElement, credited: ReadonlySet<number>): void {
  let isFirst = true
  for (const group of elements(line, '[data-credits]')) {
    const parties = elements(group, '[data-credit]')
    for (const party of parties) party.hidden = !credited.has(Number(party.dataset['credit']))
    group.hidden = parties.every(({ hidden }) => hidden)
    for (const between of elements(group, '[data-between]')) between.hidden = isFirst
    if (!group.hidden) isFirst = false
  }
}

const elements = (within: HTMLElement, selector: string): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
]
