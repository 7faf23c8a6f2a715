import { hash } from 'node:crypto'
import type { photos } from '@openfountain/core/rules'
import sharp from 'sharp'

/** The process that makes the files of pictures, one after the other: it reads pictures from its input, and writes files. */

export type MakingTask = Pick<typeof photos, 'pixels' | 'sizes'>

/** The line before the files of a picture, or why there are none; `bytes` are the lengths of the files that follow. */
export type MadeLine =
  | {
      readonly width: number
      readonly height: number
      readonly files: readonly { readonly sha256: string; readonly bytes: number }[]
      /** Bytes that the process holds. */
      readonly resident: number
    }
  | { readonly refused: string }
  | { readonly ready: true }

const task = JSON.parse(process.argv[2] ?? '') as MakingTask

sharp.cache(false)
// Decoders of JPEG, PNG and WebP alone.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

class Refused extends Error {}

const animated = 'must not be animated: send one picture of it'
const formats: Readonly<Record<string, string>> = { ffd8ff: 'jpeg', '89504e47': 'png', '52494646': 'webp' }
const markup = /<(?:!doctype|html|svg|script|body|iframe|\?php)/iu

/** Checks the format by the first bytes. @throws Refused for other formats, animations, and pictures that are pages too */
function mustBePicture(picture: Buffer): void {
  const start = picture.toString('hex', 0, 4)
  const format = formats[start] ?? formats[start.slice(0, 6)]
  if (format === undefined || (format === 'webp' && picture.toString('latin1', 8, 12) !== 'WEBP'))
    throw new Refused('must be a JPEG, PNG or WebP picture')
  const ends = [picture.subarray(0, 4096), picture.subarray(-4096)]
  if (ends.some((end) => markup.test(end.toString('latin1'))))
    throw new Refused('has a page or a program in it: send the picture alone')
  if (format === 'png' && isAnimatedPng(picture)) throw new Refused(animated)
  // The flag of animations in the header of the extended format.
  const isExtended = picture.toString('latin1', 12, 16) === 'VP8X'
  if (format === 'webp' && isExtended && ((picture[20] ?? 0) & 2) !== 0) throw new Refused(animated)
}

function isAnimatedPng(picture: Buffer): boolean {
  for (let at = 8; at + 8 <= picture.length;) {
    const kind = picture.toString('latin1', at + 4, at + 8)
    if (kind === 'acTL') return true
    if (kind === 'IDAT') return false
    at += picture.readUInt32BE(at) + 12
  }
  return false
}

interface Pixels {
  readonly data: Buffer
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 }
}

const options = (size: number) =>
  ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const

async function within({ data, info }: Pixels, size: number): Promise<Pixels> {
  if (Math.max(info.width, info.height) <= size) return { data, info }
  const { width, height, channels } = info
  const smaller = await sharp(data, { raw: { width, height, channels } })
    .resize(options(size))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return smaller as Pixels
}

const webp = async ({ data, info: { width, height, channels } }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels } }).webp({ quality: 80, effort: 3 }).toBuffer()

/** The files of a picture, the large one first. @throws Refused, errors of the decoder */
async function made(
  picture: Buffer,
): Promise<{ readonly line: MadeLine; readonly files: readonly Buffer[] }> {
  mustBePicture(picture)
  const { pixels, sizes } = task
  const input = sharp(picture, { limitInputPixels: pixels, failOn: 'error', pages: 1, sequentialRead: true })
  // The header alone is read.
  const header = sharp(picture, { limitInputPixels: false, failOn: 'error' })
  const { width: across = 0, height: down = 0, pages = 1 } = await header.metadata()
  if (across * down > pixels)
    throw new Refused(
      `must have at most ${Math.floor(pixels / 1_000_000)} megapixels; it has ${across} × ${down}`,
    )
  if (pages > 1) throw new Refused(animated)
  const large = (await input
    .autoOrient()
    .resize(options(sizes.large))
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })) as Pixels
  // The large file takes longest, so that it begins before the others are made smaller.
  const medium = within(large, sizes.medium)
  const small = medium.then((pixels) => within(pixels, sizes.small))
  const files = await Promise.all([webp(large), medium.then(webp), small.then(webp)])
  const { width, height } = large.info
  const named = files.map((file) => ({ sha256: hash('sha256', file, 'hex'), bytes: file.length }))
  return { line: { width, height, files: named, resident: process.memoryUsage.rss() }, files }
}

const write = (part: string | Buffer): Promise<unknown> =>
  new Promise((resolve) => void process.stdout.write(part, resolve))

async function answer(picture: Buffer): Promise<void> {
  try {
    const { line, files } = await made(picture)
    await write(`${JSON.stringify(line)}\n`)
    for (const file of files) await write(file)
  } catch (error) {
    const refused = error instanceof Refused ? error.message : 'is damaged, or no picture that can be read'
    await write(`${JSON.stringify({ refused } satisfies MadeLine)}\n`)
  }
}

await write(`${JSON.stringify({ ready: true } satisfies MadeLine)}\n`)
/** Pictures come one after the other, each after its length in four bytes. */
let pieces: Buffer[] = []
let held = 0
let wanted: number | undefined
for await (const piece of process.stdin as AsyncIterable<Buffer>) {
  pieces.push(piece)
  held += piece.length
  while (held >= (wanted ?? 4)) {
    const all = Buffer.concat(pieces, held)
    const end: number = wanted ?? 4
    const first = all.subarray(0, end)
    pieces = [all.subarray(end)]
    held -= end
    if (wanted === undefined) wanted = first.readUInt32BE()
    else {
      wanted = undefined
      await answer(first)
    }
  }
}
