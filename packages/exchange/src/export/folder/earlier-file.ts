import { readSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { measuredOf } from './written.ts'

/** The file of an earlier export is no longer what it was when it was opened. */
export class EarlierFileLost extends Error {}

/** A file of an earlier export, to be read in any order. */
export class EarlierFile {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /**
   * Undefined where there is none, or it is another one.
   *
   * @param sha256 of the file, lower-case hexadecimal
   */
  static async open(path: string, sha256: string): Promise<EarlierFile | undefined> {
    const handle = await open(path).catch(() => undefined)
    if (handle === undefined) return undefined
    const found = await measuredOf(handle).catch(() => undefined)
    if (found?.sha256 === sha256) return new EarlierFile(handle)
    await handle.close()
    return undefined
  }

  /**
   * Fills memory with the bytes from a position on.
   *
   * @throws {EarlierFileLost} when they cannot be read any more
   */
  read(into: Uint8Array, position: number): void {
    let count = 0
    try {
      count = readSync(this.#handle.fd, into, 0, into.length, position)
    } catch (cause) {
      throw new EarlierFileLost('The file of the earlier export cannot be read', { cause })
    }
    if (count < into.length) throw new EarlierFileLost('The file of the earlier export was cut off')
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
