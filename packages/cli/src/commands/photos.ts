import { readFile } from 'node:fs/promises'
import { type Photo, token } from '@openfountain/core'
import { photos } from '@openfountain/core/rules'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { numbered, text, whole } from '../options.ts'
import { row } from '../row.ts'
import { photosOption, reasonOption, registryOptions, writingOptions } from '../settings.ts'
import { tableLines } from '../table.ts'

const placed = { ...writingOptions, ...photosOption }

const lineOf = ({ id, bubblerId, state, license, author, createdAt, alt }: Photo) => ({
  id,
  fountain: bubblerId,
  state,
  license,
  author: inert(author),
  added: createdAt.slice(0, 10),
  alt: inert(alt ?? ''),
})

export const commands = [
  row('photo add', {
    summary: 'Adds a photo of a fountain, which is shown at once.',
    more: 'Three smaller files are made of the picture, upright and without metadata; the picture itself is not kept. It is recorded for the operator, and earns nothing.',
    places: {
      id: { about: 'The number of the fountain', ...numbered },
      file: 'The picture: JPEG, PNG or WebP, at most 20 MB and 50 megapixels',
    },
    options: {
      ...placed,
      license: text('SPDX', 'The licence of the photo', {
        default: photos.licenses[0],
        choices: photos.licenses,
      }),
      author: text('NAME', 'Whom to name under it; default who publishes the registry'),
      alt: text('TEXT', 'What it shows, for those who do not see it'),
      taken: text('DAY', 'When it was taken, such as 2026-05-31'),
      ...registryOptions,
    },
    examples: {
      'photo add 12 square.jpg --license CC-BY-4.0 --author "Ada Lind" --alt "A stone basin"':
        'Adds a photo with its author',
    },
    access: 'change',
    async call(registry, { id, file, license, author, alt, taken: takenAt }) {
      const picture = await readFile(file)
      return registry.photos.create(id, picture, { license, alt, takenAt }, token(), { author })
    },
    json: (photo) => ({ photo }),
    text: ({ id, bubblerId, width, height }) =>
      `Photo ${id} of fountain ${bubblerId} is added: ${width} × ${height} pixels`,
  }),
  row('photo list', {
    summary: 'Lists photos, also those that wait to be shown or are hidden.',
    options: {
      ...placed,
      user: text('ID', 'Only photos by this user'),
      limit: whole('N', 'How many at most', { min: 1, max: 100, default: 50 }),
      after: whole('ID', 'Only with a greater number', { min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
      ...registryOptions,
    },
    examples: { 'photo list --after 120': 'Goes on after photo 120' },
    call: (registry, { user: userId, limit, after }) =>
      registry.photos.list({ userId, limit, after }, token()),
    json: (found) => ({ photos: found }),
    text: (found) =>
      found.length === 0
        ? 'No photos'
        : tableLines(found.map(lineOf), {
            ID: 'id',
            FOUNTAIN: 'fountain',
            STATE: 'state',
            LICENCE: 'license',
            AUTHOR: 'author',
            ADDED: 'added',
            ALT: 'alt',
          }),
  }),
  row('photo remove', {
    summary: 'Deletes a photo with its files, for good; the XP that it earned is kept.',
    more: 'It is gone from the API at once, from exports and sites with the next one, from mirrors with their next run; backups made before have it. Restoring one deletes it again.',
    places: { id: { about: 'The number of the photo', ...numbered } },
    options: { ...placed, ...reasonOption },
    examples: { 'photo remove 31 --reason "A face"': 'Deletes photo 31' },
    access: 'change',
    call: (registry, { id, reason }) => registry.photos.delete(id, token(), { reason }),
    json: (photo, { id }) => ({ removed: id, photo }),
    text: ({ bubblerId }, { id }) => `Photo ${id} of fountain ${bubblerId} is deleted, with its files`,
  }),
  row('photo sweep', {
    summary: 'Deletes files that no photo has, of uploads that were broken off more than a day ago.',
    more: 'A server does so once a day.',
    options: placed,
    examples: { 'photo sweep': 'Deletes what is left over' },
    check({ photos: place }) {
      if (place === '') throw usage('--photos must name a place')
    },
    call: (registry) => registry.photos.sweep(),
    json: (swept) => ({ swept }),
    text: (swept) => `${swept} files deleted`,
  }),
]
