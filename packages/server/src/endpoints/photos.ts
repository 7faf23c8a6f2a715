import { Photo, PhotoPatch, type PhotoInput } from '@openfountain/core'
import { limits, pages, photos } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  deletionReason,
  endpoint,
  made,
  nextPage,
  Reply,
  type Endpoint,
  integer,
  integerOr,
  pathId,
  words,
  type Call,
} from '../endpoint.ts'
import { respond } from '../http/response.ts'
import type { HeaderPair } from '../http/headers.ts'
import { notFound, Problem } from '../problem.ts'

const tag = 'Photos'
const read = { tag, who: 'reader' } as const
const body = z.object({ photo: Photo })
const list = z.object({ photos: z.array(Photo) })
const Id = z.object({ id: pathId('photo') })
const megabytes = photos.bytes / 1_000_000

const Form = z.object({
  license: z
    .enum(photos.licenses)
    .optional()
    .meta({ description: `The SPDX id of its licence; ${photos.licenses[0]} when not given` }),
  alt: z
    .string()
    .max(limits.photoAlt)
    .optional()
    .meta({ description: 'What it shows, for those who do not see it' }),
  takenAt: z
    .string()
    .optional()
    .meta({ description: 'When it was taken, as a day or a time in ISO 8601; the day is kept' }),
})

/** A photo with its addresses below the path at which the app is mounted. */
export function located<Given extends Photo>(
  photo: Given,
  { basePath }: Pick<Call<unknown, unknown>, 'basePath'>,
): Given {
  if (basePath === '') return photo
  const { large, medium, small } = photo.urls
  return { ...photo, urls: { large: basePath + large, medium: basePath + medium, small: basePath + small } }
}

const added = (call: Pick<Call<unknown, unknown>, 'basePath'>, photo: Photo): Reply =>
  made(call, `/api/photos/${photo.id}`, { photo: located(photo, call) })

const fileName = /^([0-9a-f]{64})\.webp$/u

/** A file, which a browser shows as a picture and nothing else. */
const fileHeaders: readonly HeaderPair[] = [
  ['content-type', 'image/webp'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'cross-origin'],
]

export const photoEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/waypoints/{id}/photos',
    name: 'listWaypointPhotos',
    tag,
    summary: 'The photos of a waypoint that everybody sees',
    description: 'Those with an alternative text first, then the newest first.',
    who: 'anyone',
    path: z.object({ id: pathId('waypoint') }),
    success: { description: 'The photos', body: list },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const { registry, path } = call
      await registry.waypoints.get(path.id)
      return { photos: (await registry.photos.of(path.id)).map((each) => located(each, call)) }
    },
  }),
  endpoint({
    route: 'POST /api/waypoints/{id}/photos',
    name: 'createPhoto',
    tag,
    summary: 'Add a photo of a waypoint',
    description: `A form with a JPEG, PNG or WebP picture of at most ${megabytes} MB and ${photos.pixels / 1_000_000} megapixels, not animated. Three smaller files are made of it, upright and without metadata; the picture itself is not kept. It is shown at once from some XP on, and otherwise waits for a moderator. It earns XP when it is shown, once a person, a waypoint and a week. The same picture by the same person is the photo that is there.`,
    who: 'user',
    path: z.object({ id: pathId('waypoint') }),
    form: { file: 'photo', bytes: photos.bytes, fields: Form },
    success: { status: 201, description: 'The photo', body, located: true },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async (call) => {
      const { registry, path, upload, body: fields, actor } = call
      return added(call, await registry.photos.create(path.id, upload, fields as PhotoInput, actor))
    },
    repeated: async (call, { subject }) => added(call, await call.registry.photos.get(Number(subject))),
  }),
  endpoint({
    ...read,
    route: 'GET /api/photos',
    name: 'listPhotos',
    summary: 'Photos, of one user when asked, by id',
    description:
      'Those that everybody sees; all of their own for whoever asks for these, and all for moderators and API tokens that may moderate. The next page is `after` the last id of this one.',
    query: z.object({
      userId: words(limits.userId, 'Only photos by this user').optional(),
      after: integer({}, 'Only with a greater id, to go through the list in pages').optional(),
      limit: integerOr(pages.photos.default, { min: 1, max: pages.photos.max }, 'How many'),
    }),
    success: { description: 'The photos', body: list },
    run: async (call) => {
      const photos = await call.registry.photos.list(call.query, call.actor)
      return new Reply({ photos: photos.map((each) => located(each, call)) }, nextPage(call, photos))
    },
  }),
  endpoint({
    ...read,
    route: 'GET /api/photos/files/{file}',
    name: 'getPhotoFile',
    summary: 'A file of a photo',
    description:
      'The name is the SHA-256 of the file with `.webp`. Of a photo that is not shown only for its author and moderators; 410 once all photos that it was of are deleted.',
    path: z.object({ file: words(100, 'The name of the file') }),
    success: {
      description: 'The file',
      media: { 'image/webp': 'A WebP picture without metadata' },
      tagged: true,
    },
    errors: ['NOT_FOUND', 'GONE'],
    isLicensed: false,
    run: async (call) => {
      const [, sha256] = fileName.exec(call.path.file) ?? []
      if (sha256 === undefined) throw notFound('File', 'it is named by its SHA-256 and .webp')
      const found = await call.registry.photos.file(sha256, call.actor)
      if (found === 'gone') throw new Problem('GONE')
      const { onEnd } = call.files()
      const headers: HeaderPair[] = [
        ...fileHeaders,
        ['cache-control', found.isPublic ? 'public, max-age=3600' : 'private, no-store'],
        ['etag', `"${sha256}"`],
      ]
      const held = call.request.headers.get('if-none-match')
      if (found.isPublic && held?.includes(`"${sha256}"`) === true) {
        onEnd?.(304, 0)
        return respond(304, null, headers)
      }
      const { bytes } = found
      const isHead = call.request.method === 'HEAD'
      onEnd?.(200, isHead ? 0 : bytes.length)
      headers.push(['content-length', String(bytes.length)])
      return respond(200, isHead ? null : new Uint8Array(bytes), headers)
    },
  }),
  endpoint({
    route: 'PATCH /api/photos/{id}',
    name: 'updatePhoto',
    tag,
    summary: 'Describe a photo, or show or hide it',
    description:
      '`alt` is for its author, `state` with a public `reason` for moderators and API tokens that may moderate. Showing or hiding it closes the reports of it.',
    who: 'contributor',
    path: Id,
    body: { schema: PhotoPatch },
    success: { description: 'The photo', body },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async (call) => ({
      photo: located(
        await call.registry.photos.update(call.path.id, call.body as PhotoPatch, call.actor),
        call,
      ),
    }),
    repeated: async (call) => ({ photo: located(await call.registry.photos.get(call.path.id), call) }),
  }),
  endpoint({
    route: 'DELETE /api/photos',
    name: 'deletePhoto',
    tag,
    summary: 'Delete a photo, with its files',
    description:
      'For its author, moderators and API tokens. The reason is not kept when it is the author. Files that another photo has stay.',
    who: 'contributor',
    query: z.object({ id: integer({}, 'The id of the photo'), reason: deletionReason }),
    success: { description: 'The deleted photo', body },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async (call) => {
      const { registry, query, actor } = call
      return { photo: located(await registry.photos.delete(query.id, actor, { reason: query.reason }), call) }
    },
    repeated: async (call) => ({
      photo: located(await call.registry.photos.getEvenDeleted(call.query.id), call),
    }),
  }),
]
