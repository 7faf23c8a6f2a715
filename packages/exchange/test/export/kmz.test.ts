import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { kml } from '../../src/export/text/kml.ts'
import { kmz } from '../../src/export/text/kmz.ts'
import { documentIn, textIn, writtenEdition } from './written-edition.ts'

test('a KMZ is an archive of the KML with its size and checksum, and equal ones have equal bytes', async () => {
  const folder = await writtenEdition({}, [kml, kmz])
  const document = textIn(folder, 'waypoints.kml')
  expect(documentIn(folder, 'waypoints.kmz')).toBe(document)
  const archive = readFileSync(join(folder, 'waypoints.kmz'))
  const end = archive.length - 22
  expect(archive.readUInt32LE(end).toString(16)).toBe('6054b50')
  const directory = archive.readUInt32LE(end + 16)
  expect(directory + archive.readUInt32LE(end + 12)).toBe(end)
  const [checksum, compressed, bytes] = [16, 20, 24].map((place) => archive.readUInt32LE(directory + place))
  expect({ checksum, bytes }).toEqual({ checksum: crc32(document), bytes: Buffer.byteLength(document) })
  // The local header, the name, the data, and the same figures after them.
  expect(30 + 'doc.kml'.length + (compressed ?? 0) + 16).toBe(directory)
  expect(archive.subarray(directory - 12, directory)).toEqual(
    archive.subarray(directory + 16, directory + 28),
  )
  const again = await writtenEdition({}, [kmz])
  expect(readFileSync(join(again, 'waypoints.kmz')).equals(archive)).toBe(true)
})
