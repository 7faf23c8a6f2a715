import { fork, type ChildProcess } from 'node:child_process'
import type { ParquetNews, ParquetPart } from './parquet-child.ts'
import { ImportRefused } from './refusal.ts'

/** Limits of the process that reads. */
export interface ReaderLimits {
  /** Its heap, in MiB. Default 1024. */
  readonly heapMiB?: number
  /**
   * How long it may work on some thousand rows, in milliseconds. Default a minute: a damaged file can make the parser
   * loop.
   */
  readonly patience?: number
}

/** The module of the process is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const childFile = new URL(`parquet-child.${extension}`, import.meta.url)

/**
 * Reads a Parquet file in a process of its own, with limits of memory and time. A damaged file makes the parser reject
 * promises that are never awaited, which would end a program that embeds this one; it may also loop or use all memory.
 */
export class ParquetReader {
  readonly #child: ChildProcess
  readonly #patience: number
  readonly #kill = (): void => void this.#child.kill('SIGKILL')
  #failure: Error | undefined
  #asked: PromiseWithResolvers<ParquetPart> | undefined

  constructor(path: string, { heapMiB = 1024, patience = 60_000 }: ReaderLimits = {}) {
    this.#patience = patience
    this.#child = fork(childFile, [path], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMiB}`],
      // A process that runs out of memory writes pages about it.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // A parser that loops would not notice that its parent has ended.
    process.on('exit', this.#kill)
    this.#child.on('message', (news: ParquetNews) => {
      if ('failure' in news) this.#fail(new Error(news.failure))
      else this.#asked?.resolve(news)
    })
    this.#child.on('error', (error) => this.#fail(error))
    this.#child.on('exit', () =>
      this.#fail(
        refused(`Reading the Parquet file takes more than ${heapMiB} MiB of memory, or it is damaged.`),
      ),
    )
  }

  /** What comes next in the file. */
  async next(): Promise<ParquetPart> {
    if (this.#failure !== undefined) throw this.#failure
    this.#asked = Promise.withResolvers<ParquetPart>()
    const timer = setTimeout(
      () => this.#fail(refused(`Reading the Parquet file stood still for ${this.#patience / 1000} seconds.`)),
      this.#patience,
    )
    try {
      // Where the process has ended, its exit gives the reason.
      this.#child.send('next', () => {})
      return await this.#asked.promise
    } finally {
      clearTimeout(timer)
      this.#asked = undefined
    }
  }

  /** Ends the process, whatever it is doing. */
  end(): void {
    process.off('exit', this.#kill)
    this.#kill()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#asked?.reject(this.#failure)
  }
}

function refused(found: string): ImportRefused {
  return new ImportRefused({ code: 'MALFORMED' }, found)
}
