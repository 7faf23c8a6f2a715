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

test('exiftool finds nothing but size and colour in what is stored', async () => {
  const folder = newFolder()
  const given = join(folder, 'given.jpg')
  const plain = sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
  writeFileSync(given, await plain.withIccProfile('p3').jpeg().toBuffer())
  const thumbnail = join(folder, 'thumbnail.jpg')
  writeFileSync(thumbnail, await plain.resize(160).jpeg().toBuffer())
  const set = [
    '-GPSLatitude=55.7029',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=13.1929',
    '-Make=Canon',
    '-Model=EOS',
    '-SerialNumber=12345',
    '-OwnerName=Ada',
    '-DateTimeOriginal=2026:05:31 10:00:00',
    '-XMP-dc:Creator=Ada',
    '-IPTC:By-line=Ada',
    '-Comment=by Ada',
    `-ThumbnailImage<=${thumbnail}`,
  ]
  execFileSync('exiftool', ['-q', '-overwrite_original', ...set, given])
  expect(tagsOf(given)).toEqual(
    expect.arrayContaining(['EXIF:GPSLatitude', 'EXIF:ThumbnailImage', 'XMP:Creator', 'IPTC:By-line']),
  )
  const { large, medium, small } = await make(readFileSync(given))
  for (const [name, { bytes }] of Object.entries({ large, medium, small })) {
    const file = join(folder, `${name}.webp`)
    writeFileSync(file, bytes)
    const known =
      /^(?:SourceFile|ExifTool:|File:|RIFF:(?:VP8Version|ImageWidth|ImageHeight|HorizontalScale|VerticalScale)|Composite:(?:ImageSize|Megapixels))/u
    expect(tagsOf(file).filter((tag) => !known.test(tag))).toEqual([])
  }
})
