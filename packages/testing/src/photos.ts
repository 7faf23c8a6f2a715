import { hash } from 'node:crypto'
import type { MadePhoto, PhotoFile, PhotoKeeping } from '@openfountain/core/internal'

/** Keeping photos in memory; the files of a picture are its bytes with a letter more. */
export interface PhotosInMemory extends PhotoKeeping {
  readonly files: Map<string, Uint8Array>
}

export function photosInMemory(): PhotosInMemory {
  const files = new Map<string, Uint8Array>()
  const written = new Map<string, string>()
  return {
    files,
    storage: {
      place: 'memory',
      async put({ sha256, bytes }) {
        files.set(sha256, bytes)
        if (!written.has(sha256)) written.set(sha256, '2026-01-01T00:00:00.000Z')
      },
      has: async (sha256) => files.has(sha256),
      get: async (sha256) => files.get(sha256),
      async delete(sha256) {
        files.delete(sha256)
      },
      async *list() {
        for (const sha256 of files.keys()) yield { sha256, writtenAt: written.get(sha256) ?? '' }
      },
    },
    make: async (picture) => madeOf(picture),
  }
}

function fileOf(bytes: Uint8Array): PhotoFile {
  return { sha256: hash('sha256', bytes, 'hex'), bytes }
}

function madeOf(picture: Uint8Array): MadePhoto {
  const [large, medium, small] = ['L', 'M', 'S'].map((letter) =>
    fileOf(Buffer.concat([picture, Buffer.from(letter)])),
  )
  if (large === undefined || medium === undefined || small === undefined) throw new Error('there are three')
  return { large, medium, small, width: 2048, height: 1536 }
}

export const picture = (text: string): Uint8Array => Buffer.from(text)
