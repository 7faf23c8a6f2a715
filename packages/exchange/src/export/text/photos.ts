import { authorOf, photoPath } from '@openfountain/core/internal'
import { photoFields } from '@openfountain/core/fields'
import type { Field } from '../fields.ts'
import { counted, textFormat } from '../format.ts'
import type { ExportSnapshot } from '../snapshot.ts'
import { columnsOf, rowObject } from '../tables/table.ts'

type PhotoRecord = ReturnType<ExportSnapshot['photos']> extends Iterable<infer Row> ? Row : never

const own = columnsOf(photoFields, (photo: PhotoRecord) => photo)
const author: Field = {
  name: 'author',
  type: 'string',
  required: true,
  meaning: 'Whom to name under it, as the licence of each photo asks',
}
const url: Field = {
  name: 'url',
  type: 'string',
  required: true,
  meaning: 'The large file, below the address of the registry; the others have their hashes in its place',
}

/** The photos that everybody sees, one JSON object a line. */
export const photos = textFormat({
  name: 'photos',
  file: 'photos.ndjson',
  mediaType: 'application/x-ndjson',
  title: 'Photos as newline-delimited JSON',
  subject: 'registry',
  holds:
    'Every photo that is shown, with its waypoint, its licence, its author, and the hashes of its three WebP files.',
  loses: 'The files: an export has them in the folder photos, under their hashes, when it is asked for them.',
  fields: [...own, author, url],
  *text({ snapshot, publisher, addresses: { homepage } }, tally) {
    for (const photo of counted(snapshot.photos(), tally)) {
      const path = photoPath(photo.sha256)
      const row = {
        ...rowObject(own, photo),
        author: authorOf(photo, { name: photo.userName, publisher: publisher.author }),
        url: homepage === undefined ? path : new URL(path.slice(1), homepage).href,
      }
      yield `${JSON.stringify(row)}\n`
    }
  },
})
