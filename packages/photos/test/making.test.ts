import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openPhotos } from '../src/index.ts'

/** The memory that is enough for refused pictures, and for 12 megapixels. */
const { make, close } = openPhotos('unused', { memoryMiB: 300 })
afterAll(close)

const quarters = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } }).composite(
    (['red', 'lime', 'blue'] as const).map((background, index) => ({
      input: {
        create: { width: width / 2, height: height / 2, channels: 3 as const, background },
      },
      left: index === 1 ? width / 2 : 0,
      top: index === 2 ? height / 2 : 0,
    })),
  )

async function colourAt(file: Uint8Array, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const name = [...data.subarray(at, at + 3)].map((value) => (value > 128 ? 1 : 0)).join('')
  return { '100': 'red', '010': 'green', '001': 'blue', '111': 'white' }[name] ?? name
}

const refused = async (picture: Uint8Array): Promise<string> =>
  make(picture).then(
    () => 'taken',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  )

test('What is made: three WebP files, none enlarged, and one that is stored once where two would be the same', async () => {
  const large = await make(await quarters(3000, 2000).jpeg().toBuffer())
  const sizes = await Promise.all(
    [large.large, large.medium, large.small].map(async ({ bytes }) => sharp(bytes).metadata()),
  )
  expect(sizes.map(({ format, width, height }) => [format, width, height])).toEqual([
    ['webp', 2048, 1365],
    ['webp', 1280, 853],
    ['webp', 320, 213],
  ])
  expect([large.width, large.height]).toEqual([2048, 1365])
  const small = await make(await quarters(200, 100).png().toBuffer())
  expect([small.width, small.large.sha256, small.medium.sha256]).toEqual([
    200,
    small.small.sha256,
    small.small.sha256,
  ])
})

test.for([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is applied', async (orientation) => {
  const upright = await quarters(400, 400).png().toBuffer()
  const turns: Readonly<Record<number, (image: Sharp) => Sharp>> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.rotate(270).flop(),
    6: (image) => image.rotate(270),
    7: (image) => image.rotate(90).flop(),
    8: (image) => image.rotate(90),
  }
  const turned = await turns[orientation]?.(sharp(upright)).png().toBuffer()
  const { large } = await make(await sharp(turned).jpeg().withMetadata({ orientation }).toBuffer())
  const corners = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ] as const
  expect(await Promise.all(corners.map(([x, y]) => colourAt(large.bytes, x, y)))).toEqual([
    'red',
    'green',
    'blue',
    'white',
  ])
})

test('colours of a wider gamut become those of sRGB', async () => {
  const wide = await quarters(64, 64).withIccProfile('p3').png().toBuffer()
  const { large } = await make(wide)
  const metadata = await sharp(large.bytes).metadata()
  expect([metadata.icc, metadata.space, await colourAt(large.bytes, 0.25, 0.25)]).toEqual([
    undefined,
    'srgb',
    'red',
  ])
})

test('colours of a printer become those of sRGB', async () => {
  const { large } = await make(await quarters(64, 64).toColourspace('cmyk').jpeg().toBuffer())
  expect([(await sharp(large.bytes).metadata()).space, await colourAt(large.bytes, 0.25, 0.25)]).toEqual([
    'srgb',
    'red',
  ])
})

test('an interlaced PNG of 50 megapixels is made with the usual limits', { tags: ['long'] }, async () => {
  const usual = openPhotos('unused')
  try {
    const made = await usual.make(await quarters(8000, 6250).png({ progressive: true }).toBuffer())
    expect([made.width, made.height, await colourAt(made.large.bytes, 0.25, 0.25)]).toEqual([
      2048,
      1600,
      'red',
    ])
  } finally {
    await usual.close()
  }
})

function chunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))])
}

test(
  'pictures of 12 megapixels are made of all formats, one after the other, also where all of it has to be in memory',
  { tags: ['long'] },
  async () => {
    const large = quarters(4000, 3000)
    for (const picture of [
      large.clone().jpeg(),
      large.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).withMetadata({ orientation: 6 }),
      large.clone().png({ progressive: true }).withMetadata({ orientation: 6 }),
      large.clone().webp({ lossless: true, effort: 0 }),
    ])
      for (const _time of [1, 2]) expect((await make(await picture.toBuffer())).height).toBeGreaterThan(0)
  },
)

const black = deflateSync(Buffer.alloc((30_000 / 8 + 1) * 1000))
const cases: readonly (readonly [string, () => Uint8Array | Promise<Uint8Array>, RegExp])[] = [
  ['900 million pixels in one bit each', () => png(30_000, 30_000, chunk('IDAT', black)), /50 megapixels/u],
  [
    'a WebP that says to have 268 million pixels',
    () => {
      // One byte of signature, then 14 bits each of width and height less one.
      const lossless = Buffer.concat([Buffer.from('2fffffff0f', 'hex'), Buffer.alloc(20)])
      const [size, part] = [Buffer.alloc(4), Buffer.alloc(4)]
      size.writeUInt32LE(4 + 8 + lossless.length + 1)
      part.writeUInt32LE(lossless.length)
      const names = (text: string) => Buffer.from(text, 'latin1')
      return Buffer.concat([names('RIFF'), size, names('WEBPVP8L'), part, lossless, Buffer.alloc(1)])
    },
    /damaged/u,
  ],
  [
    'a PNG with a text that unpacks to a gigabyte',
    () =>
      png(
        8,
        8,
        chunk(
          'zTXt',
          Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(2 ** 30), { level: 1 })]),
        ),
      ),
    /damaged/u,
  ],
  ['an animated PNG', () => png(8, 8, chunk('acTL', Buffer.alloc(8))), /animated/u],
  [
    'an animated WebP',
    async () =>
      sharp(await quarters(64, 128).png().toBuffer(), { pages: 1 })
        .webp()
        .toBuffer()
        .then((file) => {
          const extended = Buffer.alloc(30)
          file.copy(extended, 0, 0, 12)
          extended.write('VP8X', 12, 'latin1')
          extended[20] = 2
          return Buffer.concat([extended, file.subarray(12)])
        }),
    /animated/u,
  ],
  ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /JPEG, PNG or WebP/u],
  ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /JPEG, PNG or WebP/u],
  ['a GIF', () => Buffer.from('GIF89a'), /JPEG, PNG or WebP/u],
  [
    'a JPEG that is a page as well',
    async () =>
      Buffer.concat([await quarters(64, 64).jpeg().toBuffer(), Buffer.from('<html><script>1</script>')]),
    /page or a program/u,
  ],
  [
    'a JPEG that is cut off',
    async () => (await quarters(640, 640).jpeg({ quality: 100 }).toBuffer()).subarray(0, 1500),
    /damaged/u,
  ],
  ['three bytes', () => Buffer.from('ffd8ff', 'hex'), /damaged/u],
  ['nothing', () => new Uint8Array(), /empty/u],
]
test.for(cases)('What is refused: %s', async ([, picture, reason]) => {
  const message = await refused(await picture())
  expect(message).toMatch(/^INVALID_INPUT photo /u)
  expect(message).toMatch(reason)
  expect((await make(await quarters(64, 64).png().toBuffer())).width).toBe(64)
})

test('a process that takes more memory than it may is ended, and the next picture has another', async () => {
  const little = openPhotos('unused', { memoryMiB: 120 })
  const large = await sharp({ create: { width: 7000, height: 7000, channels: 4, background: 'red' } })
    .webp({ effort: 0, lossless: true })
    .toBuffer()
  await expect(little.make(large)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await little.make(await quarters(64, 64).png().toBuffer()).catch(() => {})
  little.close()
})

test('more than wait in the queue are asked to come back', async () => {
  const one = await quarters(640, 640).png().toBuffer()
  const few = openPhotos('unused', { waiting: 1 })
  const outcomes = await Promise.allSettled([few.make(one), few.make(one), few.make(one)])
  expect(
    outcomes.map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : '')),
  ).toEqual(['', '', 'UNAVAILABLE'])
  few.close()
})
