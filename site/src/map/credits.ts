/**
 * Keeps the line of credits in view: where the card covers the lower edge of the map, as on a phone, it stands above
 * the card. The style sheets read how much is covered from `--covered` and the height of the line from `--credits`.
 */
export function keepCreditsInView(stage: HTMLElement, line: HTMLElement, card: HTMLElement): void {
  const place = () => {
    const edge = stage.getBoundingClientRect().bottom
    const { top, bottom } = card.getBoundingClientRect()
    const covered = !card.hidden && Math.ceil(bottom) >= Math.floor(edge) ? Math.max(0, edge - top) : 0
    stage.style.setProperty('--covered', `${covered}px`)
    stage.style.setProperty('--credits', `${line.offsetHeight}px`)
  }
  const observer = new ResizeObserver(place)
  for (const element of [stage, line, card]) observer.observe(element)
}
