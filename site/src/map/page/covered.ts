/** The part of the map that the card covers, in pixels from the left, the right and the bottom edge. */
export interface Covered {
  readonly left: number
  readonly right: number
  readonly bottom: number
}

export const nothingCovered: Covered = { left: 0, right: 0, bottom: 0 }

/**
 * The part of a map that a card covers: a strip at the left, at the right or at the bottom, whichever leaves the larger
 * rest. A hidden card covers nothing.
 */
export function coverOf(card: HTMLElement | undefined, map: HTMLElement): Covered {
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

/**
 * Keeps messages and the attribution line in view beside the card. The style sheets read the covered part of the stage
 * from `--covered` (at the bottom) and `--covered-start` (at the inline start, where the card is), and the height of
 * the line from `--credits`.
 */
export function watchCover(card: HTMLElement, stage: HTMLElement, line: HTMLElement): void {
  const observer = new ResizeObserver(() => {
    const { left, right, bottom } = coverOf(card, stage)
    stage.style.setProperty('--covered', `${bottom}px`)
    stage.style.setProperty('--covered-start', `${left + right}px`)
    stage.style.setProperty('--credits', `${line.offsetHeight}px`)
  })
  for (const element of [card, stage, line]) observer.observe(element)
}
