import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ImportRefused } from './refusal.ts'

/** Real data is compressed 1:10 to 1:30; deflate reaches 1:1032 at most. */
const bombRatio = 200
const bombBytes = 64 * 1024 * 1024

/** Small enough that the texts made of it are collected with the young generation. */
const chunkBytes = 64 * 1024

/** An open file to import: it can be read several times, and is unpacked meanwhile when it is gzip. */
export class FileInput {
  /** The file's name without its folder, or `stdin`. */
  readonly name: string
  /** Bytes of the file as it is on disk. */
  readonly bytes: number
  readonly #file: string
  readonly #isGzip: boolean
  readonly #temporary: string[]
  #unpacked: Promise<string> | undefined

  /** @param temporary files that go when it is disposed of */
  constructor(
    { name, file, bytes, isGzip }: Readonly<{ name: string; file: string; bytes: number; isGzip: boolean }>,
    temporary: string[],
  ) {
    this.name = name
    this.bytes = bytes
    this.#file = file
    this.#isGzip = isGzip
    this.#temporary = temporary
  }

  /** The unpacked bytes from the beginning. */
  async *read(): AsyncGenerator<Buffer> {
    const { bytes } = this
    const raw = createReadStream(this.#file, { highWaterMark: chunkBytes })
    if (!this.#isGzip) {
      for await (const chunk of raw) yield chunk as Buffer
      return
    }
    const unpacked = raw.pipe(createGunzip({ chunkSize: chunkBytes }))
    raw.on('error', (error) => unpacked.destroy(error))
    let out = 0
    try {
      for await (const chunk of unpacked as AsyncIterable<Buffer>) {
        out += chunk.length
        if (out > bombBytes && out > bombRatio * Math.max(raw.bytesRead, 1))
          throw new ImportRefused({ code: 'BOMB', bytes, unpacked: out })
        yield chunk
      }
    } catch (error) {
      throw gzipRefusal(error)
    } finally {
      raw.destroy()
      unpacked.destroy()
    }
  }

  /** The file's path, unpacked into a temporary file first when it is gzip; for formats that need seeking. */
  async seekable(): Promise<string> {
    if (!this.#isGzip) return this.#file
    return (this.#unpacked ??= spool(Readable.from(this.read()), this.#temporary))
  }

  /** SHA-256 of the file as it is on disk, as 64 hexadecimal digits. */
  async sha256(): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(this.#file, { highWaterMark: chunkBytes })) hash.update(chunk)
    return hash.digest('hex')
  }

  /** Removes temporary files. */
  async dispose(): Promise<void> {
    await remove(this.#temporary)
  }
}

async function remove(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })))
}

/**
 * Opens a file, or standard input with `-` (which is copied to a temporary file, because it is read twice).
 *
 * @throws ImportRefused NOT_FOUND, EMPTY
 */
export async function openInput(path: string, stdin: Readable = process.stdin): Promise<FileInput> {
  const temporary: string[] = []
  try {
    const [file, name] = path === '-' ? [await spool(stdin, temporary), 'stdin'] : [path, basename(path)]
    const bytes = await sizeOf(file)
    if (bytes === 0) throw new ImportRefused({ code: 'EMPTY' })
    return new FileInput({ name, file, bytes, isGzip: await startsWith(file, [0x1f, 0x8b]) }, temporary)
  } catch (error) {
    await remove(temporary)
    throw error
  }
}

function gzipRefusal(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR') return new ImportRefused({ code: 'TRUNCATED' }, 'The gzip data is cut off.')
  if (code !== undefined && code.startsWith('Z_')) {
    return new ImportRefused({ code: 'MALFORMED' }, 'The gzip data is damaged.', { cause: error })
  }
  return error
}

async function spool(from: Readable, temporary: string[]): Promise<string> {
  const file = join(tmpdir(), `openfountain-${randomBytes(12).toString('hex')}`)
  temporary.push(file)
  await pipeline(from, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  return file
}

async function sizeOf(file: string): Promise<number> {
  try {
    const facts = await stat(file)
    if (facts.isDirectory())
      throw new ImportRefused({ code: 'NOT_FOUND', file: basename(file), folder: true }, 'This is a folder.')
    return facts.size
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    throw new ImportRefused({ code: 'NOT_FOUND', file: basename(file) }, '', { cause: error })
  }
}

async function startsWith(file: string, signature: readonly number[]): Promise<boolean> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new ImportRefused({ code: 'NOT_FOUND', file: basename(file) }, '', { cause: error })
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(signature.length), 0, signature.length, 0)
    return bytesRead === signature.length && signature.every((byte, at) => buffer[at] === byte)
  } finally {
    await handle.close()
  }
}
