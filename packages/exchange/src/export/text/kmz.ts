import { open } from 'node:fs/promises'
import { Zip, ZipDeflate } from 'fflate'
import type { Format } from '../format.ts'
import { kml } from './kml.ts'

/** The same document in a zip archive, which is how Google Earth hands it on: https://www.ogc.org/standards/kml */
export const kmz: Format = {
  name: 'kmz',
  file: 'waypoints.kmz',
  mediaType: 'application/vnd.google-earth.kmz',
  title: 'KMZ: the KML, compressed',
  subject: 'waypoints',
  isDaily: true,
  holds: 'The file waypoints.kml as doc.kml, a tenth as large.',
  loses: 'What KML loses.',
  write: async (path, edition, tally) => {
    const handle = await open(path, 'wx')
    try {
      for (const bytes of archived(kml.text(edition, tally))) await handle.writeFile(bytes)
    } finally {
      await handle.close()
    }
  },
}

/** The pieces of an archive with one document. Its time is always the same, so that equal documents give equal bytes. */
function* archived(texts: Iterable<string>): Iterable<Uint8Array> {
  const made: Uint8Array[] = []
  const archive = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const document = new ZipDeflate('doc.kml', { level: 6 })
  // Archives have local times, and none before 1980.
  document.mtime = new Date(1980, 0, 1)
  archive.add(document)
  for (const text of texts) {
    document.push(utf8.encode(text))
    yield* made.splice(0)
  }
  document.push(new Uint8Array(), true)
  archive.end()
  yield* made.splice(0)
}

const utf8 = new TextEncoder()
