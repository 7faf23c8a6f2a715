import { drawings } from 'virtual:drawings'
import { kinds } from '@openfountain/core/vocabulary'
import type { MapColours } from './colours.ts'
import { type Mark, markName, marks, strokes } from './marks.ts'

export const pixelRatio = 2

/** The width of a place of the picture, in pixels of CSS. */
const width = 34

/** Draws the symbols of all kinds and marks as one picture, since a browser takes as long for a small one. @returns each with its name */
export async function drawSymbols(
  colours: MapColours,
): Promise<readonly (readonly [name: string, pixels: ImageData])[]> {
  const drawn = [
    ...['water', ...kinds].flatMap((kind) => [
      [kind, width, symbol(kind, colours.point, colours)] as const,
      [`${kind}-verified`, width, symbol(kind, colours.pointVerified, colours) + tick(colours)] as const,
    ]),
    ...marks.map((mark) => [markName(mark), 18, markOf(mark, colours)] as const),
  ]
  const places = drawn.map(
    ([, size, markup], at) => `<g transform="translate(${at * width + size / 2} ${size / 2})">${markup}</g>`,
  )
  const canvas = document.createElement('canvas')
  canvas.width = drawn.length * width * pixelRatio
  canvas.height = width * pixelRatio
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.drawImage(await picture(canvas.width, canvas.height, places.join('')), 0, 0)
  return drawn.flatMap(([name, size], at) => {
    const pixels = size * pixelRatio
    const data = context?.getImageData(at * width * pixelRatio, 0, pixels, pixels)
    return data ? [[name, data]] : []
  })
}

const disc = (radius: number, colour: string, [x, y] = [0, 0]): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`

const lines = (markup: string, colour: string, width: number, change = ''): string =>
  `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" transform="${change}">${markup}</g>`

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

function picture(across: number, down: number, markup: string): Promise<HTMLImageElement> {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${across / pixelRatio} ${down / pixelRatio}" width="${across}" height="${down}">${markup}</svg>`
  const image = new Image(across, down)
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => resolve(image))
    image.addEventListener('error', () => reject(new Error('The symbols of the map cannot be drawn')))
  })
}
