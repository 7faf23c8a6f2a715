import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { join, parse, resolve } from 'node:path'
import { finished } from 'node:stream/promises'

/**
 * A file beside the import, such as the refused rows: it appears complete or not at all, and not when it is empty.
 * Rows may be private: only the owner may read the file (mode 0600), whatever the umask. Without a path, as in a dry run,
 * nothing is written.
 */
export class SideFile {
  readonly path: string | undefined
  readonly #header: string
  #stream: WriteStream | undefined
  #failure: Error | undefined

  constructor(path: string | undefined, header = '') {
    this.path = path
    this.#header = header
  }

  /** Whether a path is that of this file. */
  is(path: string | undefined): boolean {
    return path !== undefined && this.path !== undefined && resolve(path) === resolve(this.path)
  }

  async write(line: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.path === undefined) return
    this.#stream ??= this.#open()
    if (!this.#stream.write(line)) await once(this.#stream, 'drain')
  }

  /**
   * Moves the file into place; removes that of an earlier run when nothing was written.
   *
   * @param mayReplace whether the file of an earlier run may go; a new one gets another name where it may not. Default any may
   * @returns its path
   */
  async finish(
    mayReplace: (path: string) => Promise<boolean> = async () => true,
  ): Promise<string | undefined> {
    if (this.path === undefined) return undefined
    if (this.#stream === undefined) {
      if (await mayReplace(this.path)) await rm(this.path, { force: true })
      return undefined
    }
    this.#stream.end()
    await finished(this.#stream)
    const { dir, name, ext } = parse(this.path)
    let place = this.path
    for (let n = 2; !(await mayReplace(place)); n += 1) place = join(dir, `${name}-${n}${ext}`)
    await rename(this.#part, place)
    return place
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
