import type { MapColours } from './colours.ts'
import { kinds } from '@openfountain/core/vocabulary'
import { drawing } from '../card/icons.ts'
import { type Mark, markName, marks, strokes } from './marks.ts'

/** A picture for the map, with the name under which it is added. */
export interface MapSymbol {
  readonly name: string
  readonly image: ImageData
  readonly pixelRatio: number
}

const size = 34
const pixelRatio = 2

/** The name of a fountain's symbol, as the layers compose it. */
export function symbolName(kind: string | undefined, verified: boolean): string {
  return `${kind ?? 'water'}${verified ? '-verified' : ''}`
}

/** Draws the symbols of all kinds, plain and verified: a disc with the kind's drawing, and a tick at its corner. */
export async function drawSymbols(colours: MapColours): Promise<MapSymbol[]> {
  const names = ['water', ...kinds]
  const fountains = await Promise.all(
    names.map(async (kind) => {
      const picture = await load(drawing(kind), colours.onPoint)
      return [false, true].map((verified) => ({
        name: symbolName(kind, verified),
        image: paint(picture, verified, colours),
        pixelRatio,
      }))
    }),
  )
  return [
    ...fountains.flat(),
    ...marks.map((mark) => ({ name: markName(mark), image: paintMark(mark, colours), pixelRatio })),
  ]
}

function load(inner: string, colour: string): Promise<HTMLImageElement> {
  const text =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="48" height="48" fill="none" ' +
    `stroke="${colour}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${inner}</svg>`
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image), { once: true })
    image.addEventListener('error', () => reject(new Error('A symbol of the map cannot be drawn')), {
      once: true,
    })
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  })
}

/** A square picture, drawn in pixels of CSS from its upper left corner. */
function drawn(side: number, draw: (context: CanvasRenderingContext2D) => void): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = side * pixelRatio
  canvas.height = side * pixelRatio
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser has no 2D canvas')
  context.scale(pixelRatio, pixelRatio)
  draw(context)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

const paint = (picture: HTMLImageElement, verified: boolean, colours: MapColours): ImageData =>
  drawn(size, (context) => {
    const middle = size / 2
    disc(context, middle, middle, 14, colours.surface)
    disc(context, middle, middle, 12, verified ? colours.pointVerified : colours.point)
    context.drawImage(picture, middle - 8, middle - 8, 16, 16)
    if (verified) tick(context, colours)
  })

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
}

/** A cross, an exclamation mark, the two bars of a pause, or the bar of no entry: they differ in shape as well as in colour. */
const paintMark = (mark: Mark, colours: MapColours): ImageData =>
  drawn(markSize, (context) => {
    const middle = markSize / 2
    const { danger: broken, warm: reported, label } = colours
    const fill = { broken, reported, off: label, private: label }[mark]
    disc(context, middle, middle, 8, colours.surface)
    disc(context, middle, middle, 6.6, fill)
    context.strokeStyle = colours.surface
    context.lineWidth = 1.8
    context.lineCap = 'round'
    context.beginPath()
    for (const [fromX, fromY, toX, toY] of strokes[mark]) {
      context.moveTo(middle + fromX, middle + fromY)
      context.lineTo(middle + toX, middle + toY)
    }
    context.stroke()
  })

const markSize = 18

/** A tick: the same meaning by shape as by colour, for colour-blind visitors. */
function tick(context: CanvasRenderingContext2D, colours: MapColours): void {
  const [x, y] = [size - 8, 8]
  disc(context, x, y, 7, colours.surface)
  disc(context, x, y, 5.6, colours.pointVerified)
  context.beginPath()
  context.moveTo(x - 2.6, y + 0.2)
  context.lineTo(x - 0.7, y + 2.1)
  context.lineTo(x + 2.7, y - 1.8)
  context.strokeStyle = colours.onPoint
  context.lineWidth = 1.5
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.stroke()
}
