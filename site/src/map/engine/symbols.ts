import { drawings } from 'virtual:drawings'
import { kinds } from '@openfountain/core/vocabulary'
import type { MapColours } from './colours.ts'
import { type Mark, markName, marks, strokes } from './marks.ts'

/** Pixels of a picture for each pixel of CSS. */
export const pixelRatio = 2

/**
 * Draws the pictures of the layers: symbols of all kinds, plain and verified, and marks.
 *
 * @returns each with its name, as the layers compose it
 */
export async function drawSymbols(
  colours: MapColours,
): Promise<readonly (readonly [name: string, picture: HTMLImageElement])[]> {
  const drawn = [
    ...['water', ...kinds].flatMap((kind) => [
      [kind, 34, symbol(kind, colours.point, colours)] as const,
      [`${kind}-verified`, 34, symbol(kind, colours.pointVerified, colours) + tick(colours)] as const,
    ]),
    ...marks.map((mark) => [markName(mark), 18, markOf(mark, colours)] as const),
  ]
  return Promise.all(drawn.map(async ([name, size, markup]) => [name, await picture(size, markup)] as const))
}

const disc = (radius: number, colour: string, [x, y] = [0, 0]): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`

const lines = (markup: string, colour: string, width: number, change = ''): string =>
  `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" transform="${change}">${markup}</g>`

/** A disc with the drawing of a kind. */
const symbol = (kind: string, fill: string, { surface, onPoint }: MapColours): string =>
  disc(14, surface) +
  disc(12, fill) +
  lines(drawings[kind] ?? '', onPoint, 2.2, 'translate(-8 -8) scale(.6667)')

/** A tick at the corner: the same meaning by shape as by colour, for colour-blind visitors. */
const tick = ({ surface, pointVerified, onPoint }: MapColours): string =>
  disc(7, surface, [9, -9]) +
  disc(5.6, pointVerified, [9, -9]) +
  lines('<path d="M6.4-8.8 8.3-6.9 11.7-10.8"/>', onPoint, 1.5)

/** A cross, an exclamation mark, the two bars of a pause, or the bar of no entry. */
function markOf(mark: Mark, { surface, danger: broken, warm: reported, label }: MapColours): string {
  const fill = { broken, reported, off: label, private: label }[mark]
  return disc(8, surface) + disc(6.6, fill) + lines(`<path d="${strokes[mark]}"/>`, surface, 1.8)
}

/** A square picture of markup around its middle, in pixels of CSS. */
function picture(size: number, markup: string): Promise<HTMLImageElement> {
  const pixels = size * pixelRatio
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-size / 2} ${-size / 2} ${size} ${size}" width="${pixels}" height="${pixels}">${markup}</svg>`
  const image = new Image(pixels, pixels)
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => resolve(image))
    image.addEventListener('error', () => reject(new Error('A symbol of the map cannot be drawn')))
  })
}
