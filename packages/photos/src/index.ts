import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { invalidBecause, type PhotoKeeping, type PhotoStorage } from '@openfountain/core/internal'
import { Bucket, type BucketKeys, bucketOf, photosIn } from './bucket.ts'
import { PhotoFolder } from './folder.ts'
import { Making, type MakingLimits } from './making.ts'

export type { Bucket, StoredObject } from './bucket.ts'
export type { MakingLimits } from './making.ts'

export interface Photos extends PhotoKeeping {
  /** Ends the process that works on pictures. */
  close(): void
}

/** Where photos lie beside a database in a file: `fountains.db` has `fountains.photos`. */
export function photosBeside(database: string): string {
  const { dir, name } = path.parse(database)
  return path.join(dir, `${name}.photos`)
}

export const isBucket = (place: string): boolean => place.startsWith('s3://')

/** The keys of a bucket in an environment, under the names that other programs use. @throws RegistryError INVALID_INPUT */
function keysIn(env: NodeJS.ProcessEnv): BucketKeys {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env
  if (!accessKeyId || !secretAccessKey)
    throw invalidBecause('bucket', 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment')
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) }
}

/** The bucket of an address, whose keys the environment has. @throws RegistryError INVALID_INPUT */
export const bucketAt = (place: string, env = process.env, patience = 60_000): Bucket =>
  new Bucket(bucketOf(place), keysIn(env), patience)

/** Where files of photos lie: a folder, or a bucket whose keys the environment has. */
export function storageAt(place: string, env: NodeJS.ProcessEnv = process.env): PhotoStorage {
  return isBucket(place) ? photosIn(bucketAt(place, env)) : new PhotoFolder(place)
}

/** Deletes files also where backups have them: in the folders `NAME.photos` of a folder of backups. */
function alsoInBackups(storage: PhotoStorage, backups: string): PhotoStorage {
  const erase = storage.delete.bind(storage)
  storage.delete = async (sha256) => {
    await erase(sha256)
    for (const name of await readdir(backups).catch(() => []))
      if (name.endsWith('.photos')) await new PhotoFolder(path.join(backups, name)).delete(sha256)
  }
  return storage
}

/**
 * Opens a place for photos: the option `photos` of `openRegistry`. Pictures are worked on in a process of its own, which is
 * started with the first one and stays.
 *
 * @param place a folder, which is made with the first file, or `s3://BUCKET/PREFIX?endpoint=https://HOST`, whose keys are
 * AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
 * @param limits `backups` is a folder of backups, from which deleted photos go, too
 * @throws RegistryError INVALID_INPUT for a malformed address, or without keys
 */
export function openPhotos(
  place: string,
  { backups, ...limits }: MakingLimits & { readonly backups?: string | undefined } = {},
): Photos {
  const making = new Making(limits)
  const storage = storageAt(place)
  return {
    storage: backups === undefined ? storage : alsoInBackups(storage, backups),
    make: (picture) => making.make(picture),
    close: () => making.close(),
  }
}
