import path from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { photos as rules } from '@openfountain/core/rules'
import { openPhotos } from '@openfountain/photos'
import { createApp } from '@openfountain/server'
import sharp from 'sharp'
import { alternate, milliseconds } from '../measurement.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

async function measure({ rounds, folder }: Bench): Promise<Reading[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const drawn = sharp({ create: { width: 1000, height: 750, channels: 3, background: 'teal', noise } })
  const small = await drawn.png().toBuffer()
  const picture = await sharp(small).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
  const photos = openPhotos(path.join(folder, 'photos'))
  const registry = await openRegistry({ database: path.join(folder, 'registry.db'), photos })
  const { id: author } = await registry.users.create({ name: 'Author', xp: 100 })
  const { fetch } = createApp(registry, { resolveActor: () => user(author) })
  const { id } = await registry.waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token())
  const upload = async () => {
    const body = new FormData()
    body.set('photo', new Blob([new Uint8Array(picture)]))
    const request = new Request(`http://localhost/api/waypoints/${id}/photos`, { method: 'POST', body })
    const { status } = await fetch(request)
    if (status !== 201) throw new Error(`the upload answers ${status}`)
  }
  const alone = () =>
    Promise.all(
      Object.values(rules.sizes).map((size) =>
        sharp(picture)
          .autoOrient()
          .resize({ width: size, height: size, fit: 'inside' })
          .webp({ quality: 80, effort: 3 })
          .toBuffer(),
      ),
    )
  try {
    const value = await alternate(
      () => milliseconds(upload),
      () => milliseconds(alone),
      rounds,
    )
    return [
      ratio(
        'photo of 12 megapixels, uploaded',
        { against: 'sharp making the same three files', value, atMost: 1.5 },
        ' ms',
      ),
    ]
  } finally {
    photos.close()
    await registry.close()
  }
}

/** A JPEG by the API, with its three files flushed and its entry. */
export const photoRow: Row = { name: 'photo', measure }
