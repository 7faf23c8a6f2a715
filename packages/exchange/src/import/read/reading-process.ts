import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guardedCommand } from '@openfountain/core/internal'
import type { FileToRead } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'

export type ReadingLimits = Readonly<Partial<typeof defaults>>

const mebibyte = 1024 * 1024

const defaults = {
  memoryMiB: 1536,
  /** For the next rows, a thousand at the most. */
  stallMilliseconds: 60_000,
  /** For the file in all, without the time for which the process waits. */
  totalMilliseconds: 1_800_000,
  /** Of rows of any file as JSON; a large file may hold more. */
  rowsMiB: 256,
}

/** Bytes of one line; the process makes lines of about a megabyte, and refuses records of more than four. */
const longestLine = 16 * mebibyte

/**
 * The most bytes of rows from one byte of the file. A small file can declare any number of equal rows; in real files
 * only some columns are the same in all rows, and take no space.
 */
const bombRatio = 1000

/** The module of the process is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const root = fileURLToPath(new URL('../../../', import.meta.url))
const childFile = fileURLToPath(new URL(`reading-child.${extension}`, import.meta.url))

async function started(toRead: FileToRead, memoryMiB: number) {
  const file = await open(toRead.path, 'r')
  try {
    const { size: bytes } = await file.stat()
    const path = resolve(toRead.path)
    // SQLite opens files itself, and its library looks whether their folder exists.
    const more = toRead.format === 'geopackage' && { addons: true, readable: [dirname(path)] }
    const { program, given } = guardedCommand(childFile, { ...toRead, path }, { root, memoryMiB, ...more })
    const child = spawn(program, given, {
      env: {},
      // A process that runs out of memory writes pages about it.
      stdio: ['ignore', 'pipe', 'ignore', file.fd],
      windowsHide: true,
    })
    return { child, bytes }
  } finally {
    await file.close()
  }
}

/**
 * Reads a file of a binary format in a process of its own, which has limits of memory and time, an empty environment and
 * the file for reading. The parsers are other people's: a damaged file makes one reject promises that are never awaited,
 * which would end a program that embeds this one; files that are made for it let them loop, or use all memory.
 *
 * @param title what messages call the file, such as `Parquet file`
 * @returns the lines that the process writes, parsed and not checked: what it sends is data of the file
 * @throws ImportRefused MALFORMED when it ends without an end, or at a limit; TOO_LARGE, BOMB, STOPPED
 * @throws Error when the process cannot be started, which says nothing about the file
 */
export async function* readingLines(
  task: FileToRead,
  title: string,
  given: ReadingLimits = {},
  signal?: AbortSignal,
): AsyncGenerator<unknown, void> {
  const { memoryMiB, stallMilliseconds, totalMilliseconds, rowsMiB } = { ...defaults, ...given }
  const { child, bytes } = await started(task, memoryMiB)
  let failure: Error | undefined
  let left = totalMilliseconds
  const kill = (): void => void child.kill('SIGKILL')
  // Unread output of the process is dropped: the stream ends with it.
  const stop = (why: Error): void => {
    failure ??= why
    kill()
    child.stdout?.destroy()
  }
  const abort = (): void => stop(new ImportRefused({ code: 'STOPPED' }))
  const tooSlow = (): void => {
    const isTotal = left <= stallMilliseconds
    const seconds = (isTotal ? totalMilliseconds : stallMilliseconds) / 1000
    const found = isTotal
      ? `takes more than ${seconds} seconds in all`
      : `made no progress for ${seconds} seconds`
    stop(new ImportRefused({ code: 'MALFORMED', seconds }, `Reading the ${title} ${found}.`))
  }
  const chunks: AsyncIterator<Buffer> | undefined = child.stdout?.[Symbol.asyncIterator]()
  /** The next chunk from the process; undefined when it has ended. Only the time of waiting counts. */
  const next = async (): Promise<Buffer | undefined> => {
    const timer = setTimeout(tooSlow, Math.min(stallMilliseconds, left))
    const began = performance.now()
    try {
      const found = await chunks?.next()
      return found === undefined || found.done === true ? undefined : found.value
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error))
      return undefined
    } finally {
      clearTimeout(timer)
      left -= performance.now() - began
    }
  }
  child.on('error', (error) => (failure ??= error))
  process.on('exit', kill)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  try {
    let pieces: Buffer[] = []
    let [held, sent] = [0, 0]
    let isReady = false
    for (;;) {
      const chunk = await next()
      if (chunk === undefined) throw failure ?? died(title, isReady, memoryMiB)
      sent += chunk.length
      if (sent > rowsMiB * mebibyte && sent > bombRatio * bytes)
        throw new ImportRefused({ code: 'BOMB', bytes, unpacked: sent })
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString('utf8')
        if (isReady || line !== '{"ready":true}') yield JSON.parse(line) as unknown
        isReady = true
        pieces = []
        held = 0
        from = end + 1
      }
      held += chunk.length - from
      if (held > longestLine) throw new ImportRefused({ code: 'TOO_LARGE' })
      pieces.push(chunk.subarray(from))
    }
  } finally {
    process.off('exit', kill)
    signal?.removeEventListener('abort', abort)
    kill()
  }
}

function died(title: string, isReady: boolean, memoryMiB: number): Error {
  if (!isReady) return new Error(`The process that reads the ${title} cannot be started.`)
  const found = `Reading the ${title} takes more than ${memoryMiB} MiB of memory, or it is damaged.`
  return new ImportRefused({ code: 'MALFORMED', memoryMiB }, found)
}
