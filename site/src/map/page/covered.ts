/** The part of the map that the card and the list cover, in pixels from the left, the right and the bottom edge. */
export interface Covered {
  readonly left: number
  readonly right: number
  readonly bottom: number
}

type Part = HTMLElement | null

export const nothingCovered: Covered = { left: 0, right: 0, bottom: 0 }

/** The largest share of a map that is left free for, however much is covered. */
const mostCovered = 0.6

/** @param line the credits, which lie above what covers the bottom: soon, where it has only just come */
export function coverOf(covers: readonly Part[], map: HTMLElement, line?: HTMLElement): Covered {
  const all = covers.map((cover) => coverOfOne(cover, map))
  const most = (side: keyof Covered): number => Math.max(...all.map((one) => one[side]))
  return {
    left: most('left'),
    right: most('right'),
    bottom: Math.min(most('bottom') + (line?.offsetHeight ?? 0), mostCovered * map.clientHeight),
  }
}

/** The part of a map that a card covers: the strip that leaves the larger rest. A hidden card covers nothing. */
function coverOfOne(card: Part, map: HTMLElement): Covered {
  if (!card || card.hidden) return nothingCovered
  const [over, under] = [card.getBoundingClientRect(), map.getBoundingClientRect()]
  const isApart =
    over.left >= under.right ||
    over.right <= under.left ||
    over.top >= under.bottom ||
    over.bottom <= under.top
  if (isApart) return nothingCovered
  const left = Math.min(under.width, over.right - under.left)
  const right = Math.min(under.width, under.right - over.left)
  const bottom = Math.min(under.height, under.bottom - over.top)
  const beside = Math.min(left, right)
  if ((under.width - beside) * under.height <= under.width * (under.height - bottom)) {
    return { ...nothingCovered, bottom }
  }
  return left <= right ? { ...nothingCovered, left } : { ...nothingCovered, right }
}

/** Tells style sheets what the card and the list cover (`--covered`, `--covered-start`), and how high the credits are (`--credits`). */
export function watchCover(
  covered: () => Covered,
  sized: readonly Part[],
  stage: HTMLElement,
  line: HTMLElement,
): void {
  const observer = new ResizeObserver(() => {
    const { left, right, bottom } = covered()
    stage.style.setProperty('--covered', `${bottom}px`)
    stage.style.setProperty('--covered-start', `${left + right}px`)
    stage.style.setProperty('--credits', `${line.offsetHeight}px`)
  })
  for (const element of [...sized, stage, line]) if (element) observer.observe(element)
}
