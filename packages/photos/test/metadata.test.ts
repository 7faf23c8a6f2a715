/** @module-tag others */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '@openfountain/testing/folder'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openPhotos } from '../src/index.ts'

const { make, close } = openPhotos('unused')
afterAll(close)

const tagsOf = (file: string): string[] =>
  Object.keys(
    (
      JSON.parse(execFileSync('exiftool', ['-j', '-G', '-a', '-u', file], { encoding: 'utf8' })) as [object]
    )[0],
  )

const known =
  /^(?:SourceFile|ExifTool:|File:|RIFF:(?:VP8Version|ImageWidth|ImageHeight|HorizontalScale|VerticalScale)|Composite:(?:ImageSize|Megapixels))/u

const [secret, notes] = ['secret 12345', 'the maker’s 12345'] as const

function withMakerNotes(jpeg: Buffer, orientation: number): Buffer {
  const note = Buffer.from(notes.padEnd(32, '!'))
  const entry = (tag: number, kind: number, count: number, value: number): Buffer => {
    const made = Buffer.alloc(12)
    made.writeUInt16LE(tag, 0)
    made.writeUInt16LE(kind, 2)
    made.writeUInt32LE(count, 4)
    made.writeUInt32LE(value, 8)
    return made
  }
  // A header of 8 bytes, then a directory with two entries, one with one, and the notes.
  const exif = 8 + 2 + 2 * 12 + 4
  const tiff = Buffer.concat([
    Buffer.from('49492a0008000000', 'hex'),
    Buffer.from([2, 0]),
    entry(0x0112, 3, 1, orientation),
    entry(0x8769, 4, 1, exif),
    Buffer.alloc(4),
    Buffer.from([1, 0]),
    entry(0x927c, 7, note.length, exif + 2 + 12 + 4),
    Buffer.alloc(4),
    note,
  ])
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

const folder = newFolder()
const at = (name: string): string => join(folder, name)
const plain = sharp({
  create: { width: 640, height: 480, channels: 3, background: 'teal' },
}).withIccProfile('p3')

const given: readonly (readonly [name: string, picture: () => Promise<Buffer>])[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map(
    (turn) => [`${turn}.jpg`, async () => withMakerNotes(await plain.jpeg().toBuffer(), turn)] as const,
  ),
  ['6.png', () => plain.withMetadata({ orientation: 6 }).png().toBuffer()],
  ['6.webp', () => plain.withMetadata({ orientation: 6 }).webp().toBuffer()],
]

test.for(given)(
  'exiftool finds nothing but size and colour in what is made of %s',
  async ([name, picture]) => {
    writeFileSync(at(name), await picture())
    writeFileSync(at('thumbnail.jpg'), await plain.resize(160).jpeg().toBuffer())
    const isJpeg = name.endsWith('.jpg')
    const set = [
      '-GPSLatitude=55.7029',
      '-GPSLatitudeRef=N',
      '-GPSLongitude=13.1929',
      '-Make=Acme',
      '-Model=EOS',
      `-SerialNumber=${secret}`,
      `-OwnerName=${secret}`,
      '-DateTimeOriginal=2026:05:31 10:00:00',
      `-XMP-dc:Creator=${secret}`,
      ...(isJpeg
        ? [`-IPTC:By-line=${secret}`, `-Comment=${secret}`, `-ThumbnailImage<=${at('thumbnail.jpg')}`]
        : []),
    ]
    execFileSync('exiftool', ['-q', '-m', '-overwrite_original', ...set, at(name)])
    const before = tagsOf(at(name))
    expect(before).toEqual(
      expect.arrayContaining([
        'EXIF:Orientation',
        'EXIF:GPSLatitude',
        'XMP:Creator',
        'ICC_Profile:ProfileVersion',
      ]),
    )
    if (isJpeg) expect(before).toEqual(expect.arrayContaining(['EXIF:ThumbnailImage', 'IPTC:By-line']))
    const bytes = readFileSync(at(name))
    expect([bytes.includes(secret), bytes.includes(notes)]).toEqual([true, isJpeg])
    for (const file of Object.values(await make(bytes))) {
      if (typeof file === 'number') continue
      writeFileSync(at('made.webp'), file.bytes)
      expect(tagsOf(at('made.webp')).filter((tag) => !known.test(tag))).toEqual([])
      for (const text of [secret, notes]) expect(Buffer.from(file.bytes).includes(text)).toBe(false)
    }
  },
)
