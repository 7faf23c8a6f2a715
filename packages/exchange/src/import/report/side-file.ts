import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'

/** Where lines go that nobody wants to read, in a dry run. */
export const nowhere: Pick<SideFile, 'is' | 'write' | 'finish' | 'discard'> = {
  is: () => false,
  write: () => Promise.resolve(),
  finish: () => Promise.resolve(undefined),
  discard: () => Promise.resolve(),
}

/**
 * A file beside the import, such as the refused rows: it appears complete or not at all, and not when it is empty.
 * Rows may be private: only the owner may read the file (mode 0600), whatever the umask.
 */
export class SideFile {
  readonly path: string
  readonly #header: string
  #stream: WriteStream | undefined
  #failure: Error | undefined

  constructor(path: string, header = '') {
    this.path = path
    this.#header = header
  }

  /** Whether a path is that of this file. */
  is(path: string | undefined): boolean {
    return path !== undefined && resolve(path) === resolve(this.path)
  }

  async write(line: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#stream ??= this.#open()
    if (!this.#stream.write(line)) await once(this.#stream, 'drain')
  }

  /** Moves the file into place; removes that of an earlier run when nothing was written. @returns its path */
  async finish(): Promise<string | undefined> {
    if (this.#stream === undefined) {
      await rm(this.path, { force: true })
      return undefined
    }
    this.#stream.end()
    await finished(this.#stream)
    await rename(this.#part, this.path)
    return this.path
  }

  /** Removes what was written so far. */
  async discard(): Promise<void> {
    if (this.#stream === undefined) return
    this.#stream.destroy()
    await rm(this.#part, { force: true })
  }

  get #part(): string {
    return `${this.path}.part`
  }

  #open(): WriteStream {
    // The file that an interrupted run left may have a wider mode.
    rmSync(this.#part, { force: true })
    const stream = createWriteStream(this.#part, { mode: 0o600, flags: 'wx' })
    stream.on('error', (error) => (this.#failure = error))
    stream.write(this.#header)
    return stream
  }
}
