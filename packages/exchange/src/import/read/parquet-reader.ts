import { fork, type ChildProcess } from 'node:child_process'
import type { ParquetMessage, ParquetPart } from './parquet-child.ts'
import { ImportRefused } from './refusal.ts'

/** Limits of the process that reads a file. */
export interface ReaderLimits {
  /** Its heap, in MiB. Default 1024. */
  readonly heapMiB?: number
  /**
   * How long it may read some thousand rows. Default a minute: a damaged file can make the parser loop.
   */
  readonly timeoutMilliseconds?: number
}

/** The module of the process is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const childFile = new URL(`parquet-child.${extension}`, import.meta.url)

/**
 * Reads a Parquet file in a process of its own, with limits for memory and time. A damaged file makes the parser reject
 * promises that are never awaited, which would end a program that embeds this one; it may also loop or use all memory.
 */
export class ParquetReader {
  readonly #child: ChildProcess
  readonly #timeoutMilliseconds: number
  readonly #kill = (): void => void this.#child.kill('SIGKILL')
  #failure: Error | undefined
  #pending: PromiseWithResolvers<ParquetPart> | undefined

  constructor(path: string, { heapMiB = 1024, timeoutMilliseconds = 60_000 }: ReaderLimits = {}) {
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#child = fork(childFile, [path], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMiB}`],
      // A process that runs out of memory writes pages about it.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // A parser that loops would not notice that its parent has ended.
    process.on('exit', this.#kill)
    this.#child.on('message', (message: ParquetMessage) => {
      if ('failure' in message) this.#fail(new Error(message.failure))
      else this.#pending?.resolve(message)
    })
    this.#child.on('error', (error) => this.#fail(error))
    this.#child.on('exit', () =>
      this.#fail(
        new ImportRefused(
          { code: 'MALFORMED', heapMiB },
          `Reading the Parquet file takes more than ${heapMiB} MiB of memory, or it is damaged.`,
        ),
      ),
    )
  }

  /** The next part of the file. */
  async next(): Promise<ParquetPart> {
    if (this.#failure !== undefined) throw this.#failure
    this.#pending = Promise.withResolvers<ParquetPart>()
    const timer = setTimeout(() => this.#fail(this.#tooSlow()), this.#timeoutMilliseconds)
    try {
      // If the process has ended, the exit event gives the reason.
      this.#child.send('next', () => {})
      return await this.#pending.promise
    } finally {
      clearTimeout(timer)
      this.#pending = undefined
    }
  }

  /** Ends the process, whatever it is doing. */
  end(): void {
    process.off('exit', this.#kill)
    this.#kill()
  }

  #tooSlow(): ImportRefused {
    const seconds = this.#timeoutMilliseconds / 1000
    return new ImportRefused(
      { code: 'MALFORMED', seconds },
      `Reading the Parquet file made no progress for ${seconds} seconds.`,
    )
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#pending?.reject(this.#failure)
  }
}
