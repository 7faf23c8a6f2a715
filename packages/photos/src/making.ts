import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { RegistryError } from '@openfountain/core'
import { invalid, type MadePhoto, type PhotoFile, guardedCommand } from '@openfountain/core/internal'
import { photos } from '@openfountain/core/rules'
import type { MadeLine, MakingTask } from './making-child.ts'

/** Limits of the process that works on pictures. */
export interface MakingLimits {
  /** Memory that it may hold, in MiB. Default 512: a progressive picture of 50 megapixels needs most of it. */
  readonly memoryMiB?: number | undefined
  /** The longest that it works on one picture, in milliseconds. Default 20,000. */
  readonly milliseconds?: number | undefined
  /** The pictures that wait for it. Default 8. */
  readonly waiting?: number | undefined
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const childFile = fileURLToPath(new URL(`making-child.${extension}`, import.meta.url))
const root = fileURLToPath(new URL('../', import.meta.url))
const field = 'photo'

/** Memory of a process that waits, in MiB; one that keeps more, of former pictures, is ended. */
const restMiB = 192

/** Lets the C library of Linux give memory back after each picture; without it the process grows by each. */
const environment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** A process that is ready for pictures, and the bytes that it writes. */
interface Running {
  readonly child: ChildProcess
  readonly output: AsyncIterator<Buffer>
  rest: Buffer
}

/** Makes the files of pictures in a process that stays, one picture at a time; one that ends is started again. */
export class Making {
  readonly #memoryMiB: number
  readonly #milliseconds: number
  readonly #waiting: number
  #running: Running | undefined
  #last: Promise<unknown> = Promise.resolve()
  #queued = 0

  constructor({ memoryMiB = 512, milliseconds = 20_000, waiting = 8 }: MakingLimits = {}) {
    this.#memoryMiB = memoryMiB
    this.#milliseconds = milliseconds
    this.#waiting = waiting
  }

  /** @throws RegistryError INVALID_INPUT for what is no picture, UNAVAILABLE while too many wait */
  async make(picture: Uint8Array): Promise<MadePhoto> {
    if (picture.length > photos.bytes)
      throw invalid(field, `must have at most ${photos.bytes / 1_000_000} MB`)
    if (picture.length === 0) throw invalid(field, 'is empty: send a JPEG, PNG or WebP file')
    if (this.#queued > this.#waiting)
      throw new RegistryError('UNAVAILABLE', 'Many photos are being added: try again in a minute', {})
    this.#queued++
    const turn = this.#last.then(() => this.#made(picture))
    this.#last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#queued--
    }
  }

  close(): void {
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
  }

  async #made(picture: Uint8Array): Promise<MadePhoto> {
    const running = (this.#running ??= await this.#started())
    const { child } = running
    held(child, true)
    const timer = setTimeout(() => void child.kill('SIGKILL'), this.#milliseconds)
    try {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(picture.length)
      child.stdin?.write(length)
      child.stdin?.write(picture)
      const line = await nextLine(running)
      if ('refused' in line) throw invalid(field, line.refused)
      if (!('files' in line)) throw new Ended()
      const files: PhotoFile[] = []
      for (const { sha256, bytes } of line.files)
        files.push({ sha256, bytes: await nextBytes(running, bytes) })
      const [large, medium, small] = files
      if (large === undefined || medium === undefined || small === undefined) throw new Ended()
      if (line.resident > restMiB * 2 ** 20) this.close()
      return { large, medium, small, width: line.width, height: line.height }
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      this.close()
      throw invalid(field, 'takes too much memory or time: send a smaller JPEG, PNG or WebP file')
    } finally {
      clearTimeout(timer)
      held(child, false)
    }
  }

  async #started(): Promise<Running> {
    const { pixels, sizes } = photos
    const task: MakingTask = { pixels, sizes }
    const { program, given } = guardedCommand(childFile, task, {
      root,
      memoryMiB: this.#memoryMiB,
      addons: true,
    })
    const child = spawn(program, given, {
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    const { stdin, stdout } = child
    if (stdin === null || stdout === null) throw new Error('the process has its input and output')
    // Its end is seen when nothing more is read.
    for (const each of [child, stdin, stdout]) each.on('error', () => {})
    const end = (): void => void child.kill('SIGKILL')
    process.on('exit', end)
    child.on('close', () => {
      process.off('exit', end)
      if (this.#running?.child === child) this.#running = undefined
    })
    const running: Running = { child, output: stdout[Symbol.asyncIterator](), rest: Buffer.alloc(0) }
    try {
      await nextLine(running)
    } catch (error) {
      throw new Error('The process that works on photos cannot be started', { cause: error })
    }
    return running
  }
}

class Ended extends Error {}

/** Whether this process waits for the other one before it ends. */
function held(child: ChildProcess, isHeld: boolean): void {
  // Pipes are sockets, which can be released.
  const pipes = [child, child.stdin, child.stdout] as unknown as readonly { ref(): void; unref(): void }[]
  for (const each of pipes)
    if (isHeld) each.ref()
    else each.unref()
}

async function more(running: Running): Promise<void> {
  const next = await running.output.next().catch(() => ({ done: true as const, value: undefined }))
  if (next.done === true) throw new Ended()
  running.rest = Buffer.concat([running.rest, next.value])
}

async function nextLine(running: Running): Promise<MadeLine> {
  while (!running.rest.includes(10)) await more(running)
  const end = running.rest.indexOf(10)
  const line = running.rest.toString('utf8', 0, end)
  running.rest = running.rest.subarray(end + 1)
  return JSON.parse(line) as MadeLine
}

async function nextBytes(running: Running, length: number): Promise<Buffer> {
  while (running.rest.length < length) await more(running)
  const bytes = running.rest.subarray(0, length)
  running.rest = running.rest.subarray(length)
  return Buffer.from(bytes)
}
