import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Format } from '../format.ts'
import type { ReusedFile } from './daily.ts'

export interface WrittenFile {
  /** Its path in the folder, with `/`. */
  readonly file: string
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

export interface PublishedFile extends WrittenFile {
  readonly format: Format
  readonly rows: number
  readonly license?: string
  /** Its credits, where an export has several licences. */
  readonly attribution?: string
  /** Its data in the earlier export, when it was taken over from there. */
  readonly kept?: ReusedFile
}

const pieceBytes = 1 << 20

/** Measures a file of a folder and computes its SHA-256, a piece at a time in the same memory. */
export async function measured(folder: string, file: string): Promise<WrittenFile> {
  const handle = await open(join(folder, file))
  try {
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(pieceBytes)
    let bytes = 0
    for (;;) {
      const { bytesRead } = await handle.read(piece)
      if (bytesRead === 0) return { file, bytes, sha256: hash.digest('hex') }
      hash.update(piece.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    await handle.close()
  }
}

/** The text of SHA256SUMS, as `sha256sum --check` reads it, by file name. */
export function checksums(files: readonly WrittenFile[]): string {
  return files
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ file, sha256 }) => `${sha256}  ${file}\n`)
    .join('')
}
