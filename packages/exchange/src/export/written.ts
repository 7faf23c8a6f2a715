import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A finished file of an export. */
export interface WrittenFile {
  /** Its path in the folder, with `/`. */
  readonly file: string
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/** Measures a file of a folder and computes its SHA-256 as a stream. */
export async function measured(folder: string, file: string): Promise<WrittenFile> {
  const path = join(folder, file)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  const { size } = await stat(path)
  return { file, bytes: size, sha256: hash.digest('hex') }
}

/** The text of SHA256SUMS, as `sha256sum --check` reads it, by file name. */
export function checksums(files: readonly WrittenFile[]): string {
  return files
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ file, sha256 }) => `${sha256}  ${file}\n`)
    .join('')
}
