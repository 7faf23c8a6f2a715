import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Actor, contribution, mayModerate, type Occasion } from './decide/contributor.ts'
import { withoutEntries, type Decided } from './decide/deciding.ts'
import { createPhoto, deletePhoto, livePhoto, maySee, mayAddPhoto, updatePhoto } from './decide/photo.ts'
import type { DeletionReason } from './decide/waypoint.ts'
import { photoErasureOf } from './erasures.ts'
import { invalid, notFound, RegistryError } from './errors.ts'
import { apiUserId } from './log/entry.ts'
import type { PhotoFile, PhotoKeeping } from './photo-files.ts'
import { limits, pages, photos as photoLimits } from './rules.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import type { Photo, PhotoInput, PhotoPatch, StoredPhoto } from './schemas/photo.ts'
import { text } from './schemas/text.ts'
import { pagingById } from './schemas/waypoint.ts'
import { minutesAfter, minutesOf } from './secrets.ts'
import { Part, type Shared } from './shared.ts'
import type { CreditedPhoto } from './store/rows.ts'

export const PhotosQuery = pagingById(pages.photos).extend({ userId: z.string().optional() })
export type PhotosQuery = z.input<typeof PhotosQuery>

export const Credit = z.object({ author: text({ min: 1, max: limits.userName, trim: true }) })

export const photoPath = (sha256: string): string => `/api/photos/files/${sha256}.webp`

export function authorOf(
  { userId, credit }: Pick<StoredPhoto, 'userId'> & { readonly credit?: string | undefined },
  { name, publisher }: { readonly name: string | undefined; readonly publisher: string },
): string {
  const present = userId === apiUserId ? publisher : name
  return credit ?? (present === undefined || present === '' ? photoLimits.formerAuthor : present)
}

/** A photo as it is published, with the present name of its author. @internal */
export async function shownPhoto(
  { store, author: publisher }: Pick<Shared, 'store' | 'author'>,
  stored: CreditedPhoto,
): Promise<Photo> {
  const { sha256, mediumSha256, smallSha256, credit: _credit, ...photo } = stored
  const name = (await store.read.users.get(photo.userId))?.name
  const author = authorOf(stored, { name, publisher })
  const urls = { large: photoPath(sha256), medium: photoPath(mediumSha256), small: photoPath(smallSha256) }
  return { ...photo, author, urls }
}

export interface ServedPhotoFile {
  readonly bytes: Uint8Array
  readonly isPublic: boolean
}

/** Photos of waypoints: three files each, without metadata, and what the log says about them. */
export class Photos extends Part {
  /** Whether the registry was opened with a place for files of photos. */
  get areKept(): boolean {
    return this.shared.photos !== undefined
  }

  /**
   * Adds a photo of a waypoint. Its author earns XP when it is shown; it is at once for people with some XP, moderators
   * and API tokens. The picture itself is not kept, but three smaller ones without metadata.
   *
   * @param picture a JPEG, PNG or WebP file
   * @param options `author` is the name under a photo of an API token
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, NOT_FOUND for the waypoint, RATE_LIMITED, UNAVAILABLE
   * where no photos are kept or too many are being made, STORAGE_FULL
   */
  async create(
    waypointId: number,
    picture: Uint8Array,
    input: PhotoInput,
    actor: Actor,
    options: { readonly author?: string | undefined } = {},
  ): Promise<Photo> {
    const { author } = knownOptions(options, ['author'])
    const credit = author === undefined ? undefined : parse(Credit, { author }).author
    const { contribute } = this.shared
    // Nobody's picture is worked on who may not add it.
    await contribute(actor, (occasion) => mayAddPhoto(occasion, waypointId, input), { dryRun: true })
    const keeping = this.#keeping
    const { large, medium, small, width, height } = await keeping.make(picture)
    const made = [large, medium, small]
    await putAll(keeping, made)
    const files = {
      sha256: large.sha256,
      mediumSha256: medium.sha256,
      smallSha256: small.sha256,
      width,
      height,
    }
    const named = actor.kind === 'token' ? credit : undefined
    const photo = await contribute(actor, (occasion) =>
      createPhoto(occasion, waypointId, { input, files, credit: named }),
    )
    // Another photo with the same files may have been deleted meanwhile.
    for (const file of made) if (!(await keeping.storage.has(file.sha256))) await keeping.storage.put(file)
    return this.get(photo.id)
  }

  /**
   * Changes a photo: its author describes it, moderators and API tokens show or hide it, with a public reason.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND for deleted ones too, INVALID_INPUT, RATE_LIMITED
   */
  async update(id: number, input: PhotoPatch, actor: Actor): Promise<Photo> {
    await this.shared.contribute(actor, (occasion) => updatePhoto(occasion, id, input))
    return this.get(id)
  }

  /**
   * Deletes a photo with its files, unless another has the same. Its XP stays. A `reason` is public, but no author's.
   *
   * @returns its last state
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT, STORAGE_NOT_ERASED when a file is left
   */
  async delete(id: number, actor: Actor, options: DeletionReason = {}): Promise<Photo> {
    const known = knownOptions(options, ['reason'])
    const credit = (await this.read.photos.get(id))?.credit
    const stored = await this.shared.contribute(actor, (occasion) => deletePhoto(occasion, id, known))
    await this.#erased(id)
    await withoutFiles(this.shared, [stored])
    return this.#shown(credit === undefined ? stored : { ...stored, credit })
  }

  /** Lists the deletion, so that a restored older backup does not bring the photo back. */
  async #erased(id: number): Promise<void> {
    const { erasures, store } = this.shared
    const entry = await store.read.entries.get(id)
    if (entry !== undefined) await erasures?.addAll([photoErasureOf(entry)])
  }

  /** A photo, shown or not. @throws RegistryError NOT_FOUND, for deleted ones too */
  async get(id: number): Promise<Photo> {
    return this.#shown((await this.read.photos.get(id)) ?? livePhoto(undefined, id))
  }

  /** A photo, or the rest of a deleted one. @throws RegistryError NOT_FOUND */
  async getEvenDeleted(id: number): Promise<Photo> {
    return this.#shown((await this.read.photos.last(id)) ?? livePhoto(undefined, id))
  }

  /** The shown photos of a waypoint: those with an alternative text first, then the newest first. */
  async of(waypointId: number): Promise<Photo[]> {
    return Promise.all((await this.read.photos.ofWaypoint(waypointId)).map((each) => this.#shown(each)))
  }

  /**
   * Photos by id, of a person or of all: shown ones, others for their author and moderators. Limit is 50, at most 100.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async list(query: PhotosQuery, actor: Actor): Promise<Photo[]> {
    const { userId, ...page } = parse(PhotosQuery, query)
    const isShown = !(await this.#maySee(actor, userId === undefined ? undefined : { userId }))
    return Promise.all(
      (await this.read.photos.list({ userId, isShown }, page)).map((each) => this.#shown(each)),
    )
  }

  /**
   * A file of a photo, for those who may see it; `gone` when all photos with it are deleted.
   *
   * @throws RegistryError NOT_FOUND, also for a photo that is not shown to the actor; UNAVAILABLE without files
   */
  async file(sha256: string, actor: Actor): Promise<ServedPhotoFile | 'gone'> {
    const found = await this.read.photos.ofFile(sha256)
    const live = found.filter(({ isDeleted }) => !isDeleted)
    if (found.length > 0 && live.length === 0) return 'gone'
    const isPublic = live.some(({ photo, isOfLiveWaypoint }) => isOfLiveWaypoint && photo.state === 'shown')
    let isSeen = isPublic
    for (const { photo } of live) isSeen ||= await this.#maySee(actor, photo)
    const bytes = isSeen ? await this.#keeping.storage.get(sha256) : undefined
    if (bytes === undefined) throw notFound('photo', sha256)
    return { bytes, isPublic }
  }

  async #maySee(actor: Actor, of: Pick<StoredPhoto, 'userId'> | undefined): Promise<boolean> {
    if (actor.kind === 'anonymous') return false
    function* sees(occasion: Occasion): Decided<boolean> {
      const { who } = yield* contribution(occasion)
      return withoutEntries(of === undefined ? mayModerate(who) : maySee(who, of))
    }
    try {
      return await this.shared.contribute(actor, sees, { dryRun: true })
    } catch (error) {
      // Who is blocked or has left sees what everybody sees.
      if (error instanceof RegistryError && ['FORBIDDEN', 'UNAUTHORIZED'].includes(error.code)) return false
      throw error
    }
  }

  /** Copies or links a file. @returns its bytes; undefined when it is missing. @throws RegistryError UNAVAILABLE */
  async copyFile(sha256: string, to: string): Promise<number | undefined> {
    const { storage } = this.#keeping
    if (storage.copy !== undefined) return storage.copy(sha256, to)
    const bytes = await storage.get(sha256)
    if (bytes !== undefined) await writeFile(to, bytes, { flag: 'wx' })
    return bytes?.length
  }

  /** Stores a file of another registry or a backup. @throws RegistryError INVALID_INPUT for another hash; UNAVAILABLE */
  async putFile(sha256: string, bytes: Uint8Array): Promise<void> {
    if (hash('sha256', bytes, 'hex') !== sha256) throw invalid('bytes', `must have the hash ${sha256}`)
    await this.#keeping.storage.put({ sha256, bytes })
  }

  /** Whether a file is stored. @throws RegistryError UNAVAILABLE where no files are kept */
  async hasFile(sha256: string): Promise<boolean> {
    return this.#keeping.storage.has(sha256)
  }

  async *files(): AsyncGenerator<string> {
    const seen = new Set<string>()
    for await (const some of this.read.photos.each(false))
      for (const { sha256, mediumSha256, smallSha256 } of some)
        for (const each of [sha256, mediumSha256, smallSha256]) {
          if (seen.has(each)) continue
          seen.add(each)
          yield each
        }
  }

  /** Compares all files with their hashes. @returns how many are needed, what is wrong. @throws RegistryError UNAVAILABLE */
  async verify(): Promise<{ readonly files: number; readonly problems: readonly string[] }> {
    const { storage } = this.#keeping
    const problems: string[] = []
    let files = 0
    for await (const sha256 of this.files()) {
      files++
      const bytes = await storage.get(sha256)
      if (bytes === undefined) problems.push(`file ${sha256} of a photo is missing`)
      else if (hash('sha256', bytes, 'hex') !== sha256)
        problems.push(`file ${sha256} of a photo has other bytes`)
    }
    return { files, problems }
  }

  /**
   * Compares the names of the stored files with all photos. @throws RegistryError UNAVAILABLE
   *
   * @returns how many are needed, how many of them are missing, and how many older than an upload no photo has
   */
  async survey(): Promise<{ readonly files: number; readonly missing: number; readonly unnamed: number }> {
    const needed = new Set<string>()
    for await (const sha256 of this.files()) needed.add(sha256)
    const files = needed.size
    let unnamed = 0
    for await (const { sha256, writtenAt } of this.#keeping.storage.list())
      if (!needed.delete(sha256) && writtenAt <= this.#hoursAgo(photoLimits.unnamedHours)) unnamed++
    return { files, missing: needed.size, unnamed }
  }

  #hoursAgo(hours: number): string {
    return minutesAfter(this.store.now().toISOString(), -hours * minutesOf.hour)
  }

  /**
   * Deletes files that no photo has, of uploads that were broken off. For operators. @returns how many
   *
   * @param hours how old they are at least; 0 where nobody uploads, such as in a mirror. Default 24
   */
  async sweep(hours: number = photoLimits.unnamedHours): Promise<number> {
    const { storage } = this.#keeping
    const before = this.#hoursAgo(hours)
    await storage.tidy?.()
    let swept = 0
    for await (const { sha256, writtenAt } of storage.list()) {
      if (writtenAt > before || (await isNeeded(this.shared, sha256))) continue
      await storage.delete(sha256)
      swept++
    }
    return swept
  }

  #shown(stored: CreditedPhoto): Promise<Photo> {
    return shownPhoto(this.shared, stored)
  }

  get #keeping(): PhotoKeeping {
    const { photos } = this.shared
    if (photos === undefined)
      throw new RegistryError(
        'UNAVAILABLE',
        'No photos are kept here: its operator has given no place for them',
        {},
      )
    return photos
  }
}

async function putAll({ storage }: PhotoKeeping, files: readonly PhotoFile[]): Promise<void> {
  for (const file of new Map(files.map((each) => [each.sha256, each])).values()) await storage.put(file)
}

async function isNeeded({ store }: Pick<Shared, 'store'>, sha256: string): Promise<boolean> {
  return (await store.read.photos.ofFile(sha256)).some(({ isDeleted }) => !isDeleted)
}

/** Deletes the files of deleted photos that no other photo has. @throws RegistryError STORAGE_NOT_ERASED @internal */
export async function withoutFiles(
  { store, photos }: Pick<Shared, 'store' | 'photos'>,
  deleted: readonly StoredPhoto[],
): Promise<void> {
  const hashes = new Set(
    deleted.flatMap(({ sha256, mediumSha256, smallSha256 }) => [sha256, mediumSha256, smallSha256]),
  )
  if (hashes.size === 0) return
  const left: string[] = []
  for (const sha256 of hashes) {
    if (await isNeeded({ store }, sha256)) continue
    try {
      if (photos === undefined) left.push(sha256)
      else await withoutFile({ store, photos }, sha256)
    } catch {
      left.push(sha256)
    }
  }
  if (left.length === 0) return
  const place = `${left.length} files of photos in ${photos?.storage.place ?? 'the place that the registry was not opened with'}`
  const remedy = 'delete them again with openfountain photo sweep, once the place can be reached'
  throw new RegistryError('STORAGE_NOT_ERASED', `The photo is deleted, but not ${place}: ${remedy}`, {
    leftovers: [{ place, remedy }],
  })
}

/** Deletes a file, and puts it back when a photo with it was added meanwhile. */
async function withoutFile(
  { store, photos: { storage } }: { readonly store: Shared['store']; readonly photos: PhotoKeeping },
  sha256: string,
): Promise<void> {
  const bytes = await storage.get(sha256)
  if (bytes === undefined) return
  await storage.delete(sha256)
  if (await isNeeded({ store }, sha256)) await storage.put({ sha256, bytes })
}
