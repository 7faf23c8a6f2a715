import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { GivenEntry } from '@openfountain/core/internal'

/** Entries that were downloaded and are not taken over yet, in a file of their own in the temporary folder. */
export class Spool {
  readonly #folder: string
  readonly #handle: FileHandle
  size = 0

  private constructor(folder: string, handle: FileHandle) {
    this.#folder = folder
    this.#handle = handle
  }

  static async create(): Promise<Spool> {
    const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-mirror-'))
    return new Spool(folder, await open(path.join(folder, 'entries.ndjson'), 'wx', 0o600))
  }

  async add(entries: readonly GivenEntry[]): Promise<void> {
    this.size += entries.length
    await this.#handle.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }

  async *pages(most: number): AsyncGenerator<GivenEntry[]> {
    let page: GivenEntry[] = []
    for await (const line of this.#lines()) {
      page.push(JSON.parse(line) as GivenEntry)
      if (page.length < most) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  /** Lines end with LF alone: texts may contain other characters that end lines elsewhere. */
  async *#lines(): AsyncGenerator<string> {
    const stream = createReadStream(path.join(this.#folder, 'entries.ndjson'), { encoding: 'utf8' })
    let rest = ''
    for await (const piece of stream as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  }

  /** A file beside the entries, for other data with the same lifetime. */
  get scratch(): string {
    return path.join(this.#folder, 'scratch.db')
  }

  async remove(): Promise<void> {
    await this.#handle.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
