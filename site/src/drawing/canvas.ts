import { crc32, deflateSync } from 'node:zlib'

type Point = readonly [x: number, y: number]

/** Rows and columns of samples for each pixel: edges are smooth. */
const samples = 2

/** A picture of plain colours. Coordinates are pixels from its upper left corner. */
export class Canvas {
  readonly #width: number
  readonly #height: number
  readonly #colours: readonly string[]
  readonly #samples: Uint8Array

  /** @param colours as `#rrggbb`; the first is the ground, and there are at most eight */
  constructor(width: number, height: number, colours: readonly string[]) {
    this.#width = width
    this.#height = height
    this.#colours = colours
    this.#samples = new Uint8Array(width * height * samples ** 2)
  }

  /** Fills a shape of rings by the even-odd rule. */
  fill(rings: readonly (readonly Point[])[], colour: number): void {
    const [width, height] = [this.#width * samples, this.#height * samples]
    const crossings: number[][] = []
    for (const ring of rings) {
      let [fromX, fromY] = ring.at(-1) ?? [0, 0]
      for (const [toX, toY] of ring) {
        const [top, bottom] = [Math.min(fromY, toY), Math.max(fromY, toY)].map((y) =>
          Math.ceil(y * samples - 0.5),
        )
        const slope = (toX - fromX) / (toY - fromY)
        for (let row = Math.max(0, top ?? 0); row < Math.min(height, bottom ?? 0); row += 1)
          (crossings[row] ??= []).push((fromX + ((row + 0.5) / samples - fromY) * slope) * samples)
        ;[fromX, fromY] = [toX, toY]
      }
    }
    for (const [row, found] of crossings.entries()) {
      const sorted = found?.toSorted((a, b) => a - b) ?? []
      for (let at = 0; at + 1 < sorted.length; at += 2)
        this.#span(row, [sorted[at] ?? 0, sorted[at + 1] ?? 0], colour, width)
    }
  }

  dot([x, y]: Point, radius: number, colour: number): void {
    const width = this.#width * samples
    const [top, bottom] = [(y - radius) * samples, (y + radius) * samples]
    for (let row = Math.max(0, Math.ceil(top)); row < Math.min(this.#height * samples, bottom); row += 1) {
      const half = Math.sqrt(Math.max(0, radius ** 2 - ((row + 0.5) / samples - y) ** 2))
      this.#span(row, [(x - half) * samples, (x + half) * samples], colour, width)
    }
  }

  /** Draws a line with round ends. */
  line(points: readonly Point[], radius: number, colour: number): void {
    let [fromX, fromY] = points[0] ?? [0, 0]
    for (const [toX, toY] of points.slice(1)) {
      const isSeen =
        Math.max(fromX, toX) > -radius &&
        Math.max(fromY, toY) > -radius &&
        Math.min(fromX, toX) < this.#width + radius &&
        Math.min(fromY, toY) < this.#height + radius
      const steps = isSeen ? Math.max(1, Math.ceil(Math.hypot(toX - fromX, toY - fromY))) : -1
      for (let step = 0; step <= steps; step += 1) {
        const share = step / steps
        this.dot([fromX + (toX - fromX) * share, fromY + (toY - fromY) * share], radius, colour)
      }
      ;[fromX, fromY] = [toX, toY]
    }
  }

  #span(row: number, [from, to]: Point, colour: number, width: number): void {
    const begin = Math.max(0, Math.round(from))
    this.#samples.fill(
      colour,
      row * width + begin,
      row * width + Math.max(begin, Math.min(width, Math.round(to))),
    )
  }

  /** The picture as PNG with a palette: the colours, and their mixtures at edges. */
  png(): Buffer {
    const [width, height] = [this.#width, this.#height]
    const wide = width * samples
    const all = this.#samples
    const palette = new Map<number, number>()
    const rows = Buffer.alloc((width + 1) * height)
    let [last, lastIndex] = [-1, 0]
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const at = (y * wide + x) * samples
        // A mixture counts its samples by colour, three bits for each.
        const mixture =
          (1 << ((all[at] ?? 0) * 3)) +
          (1 << ((all[at + 1] ?? 0) * 3)) +
          (1 << ((all[at + wide] ?? 0) * 3)) +
          (1 << ((all[at + wide + 1] ?? 0) * 3))
        if (mixture !== last) {
          lastIndex = palette.get(mixture) ?? palette.size
          palette.set(mixture, lastIndex)
          last = mixture
        }
        rows[y * (width + 1) + 1 + x] = lastIndex
      }
    const colours = [...palette.keys()].flatMap((mixture) => this.#mixed(mixture))
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.#width, 0)
    header.writeUInt32BE(this.#height, 4)
    header.set([8, 3], 8)
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(colours)),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  #mixed(mixture: number): number[] {
    const shares = this.#colours.map((colour, place) => {
      const value = Number.parseInt(colour.slice(1), 16)
      return { value, share: ((mixture >> (place * 3)) & 7) / samples ** 2 }
    })
    return [16, 8, 0].map((shift) =>
      Math.round(shares.reduce((sum, { value, share }) => sum + ((value >> shift) & 255) * share, 0)),
    )
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [data.length, crc32(body)].map((value) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  })
  return Buffer.concat([length ?? body, body, sum ?? body])
}
