import { createRequire } from 'node:module'

const jsQr = createRequire(import.meta.url)('jsqr') as typeof import('jsqr').default

/** The text of a QR code that is drawn as squares of one unit: `M4 4h1v1h-1z`. */
export function codeIn(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+)/u.exec(svg)?.[1])
  const scale = 4
  const side = size * scale
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/gu))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1) {
        const at = ((Number(y) * scale + row) * side + Number(x) * scale + column) * 4
        pixels.fill(0, at, at + 3)
      }
  return jsQr(pixels, side, side)?.data
}
