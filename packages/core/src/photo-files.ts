/** The files of photos: how they are made and where they lie. `@openfountain/photos` does both. */

/** A file of a photo: WebP, without metadata. */
export interface PhotoFile {
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** The three files that are made of a picture, and the size of the large one in pixels. Two of a small picture may be the same. */
export interface MadePhoto {
  readonly large: PhotoFile
  readonly medium: PhotoFile
  readonly small: PhotoFile
  readonly width: number
  readonly height: number
}

export interface StoredFile {
  readonly sha256: string
  /** When it was last written or asked for by an upload, ISO 8601 in UTC. */
  readonly writtenAt: string
}

/** Where files of photos lie under their hashes. */
export interface PhotoStorage {
  /** The place in words, without secrets, such as a folder. */
  readonly place: string
  /** Stores a file whole, or says anew when it was written; it survives a power cut. */
  put(file: PhotoFile): Promise<void>
  has(sha256: string): Promise<boolean>
  /** Undefined when it is not there. */
  get(sha256: string): Promise<Uint8Array | undefined>
  /** Copies a file into another folder of this machine. Returns its bytes, undefined when it is missing. */
  copy?(sha256: string, to: string): Promise<number | undefined>
  /** Deletes a file with its former versions, if it is there. */
  delete(sha256: string): Promise<void>
  /** All files, in any order. */
  list(): AsyncIterable<StoredFile>
  /** Deletes unfinished files of former uploads. */
  tidy?(): Promise<void>
}

/** Makes the files of photos, and stores them. */
export interface PhotoKeeping {
  readonly storage: PhotoStorage
  /** @throws RegistryError INVALID_INPUT for what is no JPEG, PNG or WebP picture, is animated or too large */
  make(picture: Uint8Array): Promise<MadePhoto>
}
