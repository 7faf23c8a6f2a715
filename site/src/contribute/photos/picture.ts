import { photos } from '@openfountain/core/rules'

/** JPEG quality: a picture of 2,048 × 1,536 pixels has about 700 kB. */
const quality = 0.88

/** The number of pixels that remain of the longer side of a blurred area. */
const blurredPixels = 6

/** A blurred area of a picture, in shares of the picture's width and height. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A picture of this device, upright, scaled down. Drawing it drops all metadata. @throws DOMException when the browser cannot read it */
export async function readPicture(file: Blob): Promise<HTMLCanvasElement> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, photos.sizes.large / Math.max(image.width, image.height))
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)]
  const { canvas, context } = surface(Math.max(1, width), Math.max(1, height))
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas
}

export function turned(picture: HTMLCanvasElement): HTMLCanvasElement {
  const { canvas, context } = surface(picture.height, picture.width)
  context.translate(canvas.width, 0)
  context.rotate(Math.PI / 2)
  context.drawImage(picture, 0, 0)
  return canvas
}

export const turnedArea = ({ x, y, width, height }: Area): Area => ({
  x: 1 - y - height,
  y: x,
  width: height,
  height: width,
})

export function inside({ x, y, width, height }: Area): Area {
  const [w, h] = [width, height].map((side) => Math.min(1, Math.max(0.02, side))) as [number, number]
  return { x: Math.min(1 - w, Math.max(0, x)), y: Math.min(1 - h, Math.max(0, y)), width: w, height: h }
}

/** A picture as JPEG, its areas reduced to a few pixels, so that nothing can be recovered. */
export function encoded(picture: HTMLCanvasElement, areas: readonly Area[]): Promise<Blob> {
  const { canvas, context } = surface(picture.width, picture.height)
  context.drawImage(picture, 0, 0)
  for (const area of areas) blur(context, picture, area)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be encoded'))),
      'image/jpeg',
      quality,
    )
  })
}

function blur(context: CanvasRenderingContext2D, picture: HTMLCanvasElement, area: Area): void {
  const { width, height } = picture
  const [left, top] = [Math.floor(area.x * width), Math.floor(area.y * height)]
  const [right, bottom] = [
    Math.ceil((area.x + area.width) * width),
    Math.ceil((area.y + area.height) * height),
  ]
  const [w, h] = [right - left, bottom - top]
  const scale = Math.min(1, blurredPixels / Math.max(w, h))
  const few = surface(Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale)))
  few.context.imageSmoothingQuality = 'high'
  few.context.drawImage(picture, left, top, w, h, 0, 0, few.canvas.width, few.canvas.height)
  context.drawImage(few.canvas, left, top, w, h)
}

/** A white canvas: JPEG has no transparency. */
function surface(width: number, height: number) {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  return { canvas, context }
}
