import { photos } from '@openfountain/core/rules'

export const photoSizes = ['small', 'medium', 'large'] as const
export type PhotoSize = (typeof photoSizes)[number]

/** A photo with what must stand under it. */
export interface ShownPhoto {
  readonly id: number
  /** Pixels of the large file. */
  readonly width: number
  readonly height: number
  readonly license: string
  /** The name of its author; absent of somebody who has left. */
  readonly author?: string
  readonly alt?: string
  /** ISO date on which it was taken, or else added. */
  readonly date: string
  /** Addresses at the API of one that the built site does not have. */
  readonly urls?: Readonly<Record<PhotoSize, string>>
}

export const photoAddress = (id: number, size: PhotoSize): string => `photos/${id}-${size}.webp`

/** The side of a photo's file in pixels: its longest one is at most that of the size. */
export function sideOf(photo: ShownPhoto, side: 'width' | 'height', size: PhotoSize): number {
  const longest = Math.max(photo.width, photo.height)
  return Math.round((photo[side] * Math.min(longest, photos.sizes[size])) / longest)
}

export const photoPicture = (photo: ShownPhoto) => ({
  path: photoAddress(photo.id, 'medium'),
  width: sideOf(photo, 'width', 'medium'),
  height: sideOf(photo, 'height', 'medium'),
})
