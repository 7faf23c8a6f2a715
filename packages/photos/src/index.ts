import path from 'node:path'
import type { PhotoKeeping, PhotoStorage } from '@openfountain/core/internal'
import { PhotoFolder } from './folder.ts'
import { Making, type MakingLimits } from './making.ts'

export type { MakingLimits } from './making.ts'

/** Makes and keeps files of photos. */
export interface Photos extends PhotoKeeping {
  /** Ends the process that works on pictures. */
  close(): void
}

/** Where photos lie beside a database in a file: `fountains.db` has `fountains.photos`. */
export function photosBeside(database: string): string {
  const { dir, name } = path.parse(database)
  return path.join(dir, `${name}.photos`)
}

/** Where files of photos lie. */
export const storageAt = (place: string): PhotoStorage => new PhotoFolder(place)

/**
 * Opens a place for photos: the option `photos` of `openRegistry`. Pictures are worked on in a process of its own, which is
 * started with the first one and stays.
 *
 * @param place a folder, which is made with the first file
 */
export function openPhotos(place: string, limits: MakingLimits = {}): Photos {
  const making = new Making(limits)
  return {
    storage: storageAt(place),
    make: (picture) => making.make(picture),
    close: () => making.close(),
  }
}
