import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { photos } from '@openfountain/core/rules'
import { linkOrCopy } from '@openfountain/core/internal'
import { photoAddress, photoSizes, type PhotoSize, type ShownPhoto } from '../photo.ts'
import { nameIn, photosFolder, type ExportFolder } from './folder.ts'
import { Photo } from './records.ts'
import { readLines, type OnInvalid } from './stream.ts'

/** The photos whose files an export has, by their waypoints; the best of each first. */
export type PhotosByWaypoint = ReadonlyMap<number, readonly Photo[]>

const hashOf = ({ sha256, medium_sha256: medium, small_sha256: small }: Photo, size: PhotoSize): string =>
  ({ large: sha256, medium, small })[size]

const fileOf = (photo: Photo, size: PhotoSize): string => `${hashOf(photo, size)}.webp`

/** Reads the photos of an export. One without all its files, such as beyond a limit of them, is left out. */
export async function readPhotos(
  { directory, registryFolder, files, photos: names }: ExportFolder,
  onInvalid?: OnInvalid,
): Promise<PhotosByWaypoint> {
  const found = new Map<number, Photo[]>()
  const name = nameIn(registryFolder, 'photos.ndjson')
  if (names.size === 0 || !files.some((one) => one.name === name)) return found
  for await (const photo of readLines(join(directory, name), Photo, onInvalid)) {
    if (!photoSizes.every((size) => names.has(fileOf(photo, size)))) continue
    const others = found.get(photo.waypoint_id)
    if (others) others.push(photo)
    else found.set(photo.waypoint_id, [photo])
  }
  for (const all of found.values()) all.sort(bestFirst)
  return found
}

/** Newest first, those with an alternative text before others, as the API has them. */
const bestFirst = (one: Photo, other: Photo): number =>
  Number(other.alt !== undefined) - Number(one.alt !== undefined) || other.id - one.id

/** A photo as pages and cells carry it. */
export const shownPhoto = ({
  id,
  width,
  height,
  license,
  author,
  alt,
  taken_at,
  created_at,
}: Photo): ShownPhoto => ({
  id,
  width,
  height,
  license,
  date: (taken_at ?? created_at).slice(0, 10),
  ...(author && author !== photos.formerAuthor && { author }),
  ...(alt && { alt }),
})

export function creditsOf(byWaypoint: PhotosByWaypoint) {
  const all = [...byWaypoint.values()].flat().map(shownPhoto)
  const groups = Map.groupBy(all, ({ author, license }) => JSON.stringify([author, license]))
  return [...groups.values()]
    .flatMap((group) =>
      group.slice(0, 1).map(({ author, license }) => ({ author, license, count: group.length })),
    )
    .toSorted((one, other) => other.count - one.count)
}

/** Puts the files of photos into a site, hard-linked where possible, else copied. */
export async function addPhotos(
  { directory }: Pick<ExportFolder, 'directory'>,
  byWaypoint: PhotosByWaypoint,
  outDir: string,
): Promise<void> {
  if (byWaypoint.size === 0) return
  await mkdir(join(outDir, photosFolder), { recursive: true })
  for (const photo of [...byWaypoint.values()].flat())
    for (const size of photoSizes)
      await linkOrCopy(
        join(directory, photosFolder, fileOf(photo, size)),
        join(outDir, photoAddress(photo.id, size)),
      )
}
