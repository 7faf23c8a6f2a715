import { open, type FileHandle, stat } from 'node:fs/promises'
import { Problem } from '../problem.ts'
import { encodingName, worthCompressing } from './compression.ts'
import type { HeaderPair } from './headers.ts'
import { heldVariant, quoted, type Body, respond, type Coded } from './response.ts'
import { compressible } from './media-types.ts'
import { streamBody } from './text-stream.ts'
import { chosenVariant } from './negotiation.ts'

/** Bytes read at a time; smaller files are sent as a whole. */
const pieceBytes = 128 * 1024

interface SentFile {
  readonly path: string
  readonly mediaType: string
  /** The entity tag without quotes. Default: made from size and modification time. */
  readonly tag?: string
  readonly headers: readonly HeaderPair[]
  readonly status?: number
}

export interface FileOptions {
  readonly compress: boolean
  readonly stallMilliseconds: number
  readonly onError: (error: unknown) => void
  readonly onEnd: (status: number, bytes: number) => void
}

interface Range {
  readonly first: number
  readonly last: number
}

const single = /^bytes=(\d*)-(\d*)$/

/** One range (RFC 9110, 14.2); undefined for the whole file. @throws Problem RANGE_NOT_SATISFIABLE */
export function rangeOf(header: string | null, size: number): Range | undefined {
  const found = single.exec(header?.trim() ?? '')
  if (found === null) return undefined
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return undefined
  const refused = (): Problem =>
    new Problem('RANGE_NOT_SATISFIABLE', {
      details: { bytes: size },
      headers: [['content-range', `bytes */${size}`]],
    })
  if (from === '') {
    const length = Math.min(Number(to), size)
    if (length === 0) throw refused()
    return { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= size) throw refused()
  return { first, last }
}

async function readExactly(
  file: FileHandle,
  first: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, first + filled)
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent')
    filled += bytesRead
  }
  return buffer
}

async function* piecesOf(file: FileHandle, range: Range): AsyncGenerator<Uint8Array> {
  for (let at = range.first; at <= range.last; at += pieceBytes) {
    yield await readExactly(file, at, Math.min(pieceBytes, range.last - at + 1))
  }
}

const opened = async (path: string): Promise<FileHandle> =>
  open(path, 'r').catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      ? new Problem('NOT_FOUND', { message: 'File not found' })
      : error
  })

/**
 * Sends a file or one range of it, with ETag, 304, If-Range and Range. The file is opened once: if it is replaced
 * meanwhile, the old one is sent to its end. A compressed form beside it is sent to clients that accept it, except for
 * ranges, which refer to the file itself. h3's `serveStatic` has no ranges, by which maps are read.
 *
 * @throws Problem RANGE_NOT_SATISFIABLE; NOT_FOUND when the file does not exist
 */
export async function sendFile(request: Request, sent: SentFile, options: FileOptions): Promise<Response> {
  let file = await opened(sent.path)
  let streaming = false
  try {
    const { size: plainSize, mtime, mtimeMs } = await file.stat()
    const tag = sent.tag ?? `${plainSize.toString(36)}-${Math.round(mtimeMs).toString(36)}`
    const mayBeCompressed = compressible(sent.mediaType) && plainSize >= worthCompressing
    const beside: Precompressed | undefined =
      mayBeCompressed && options.compress && !request.headers.has('range')
        ? await precompressedBeside(sent.path, mtimeMs, request.headers.get('accept-encoding'))
        : undefined
    const headers: HeaderPair[] = [
      ...sent.headers,
      ...(mayBeCompressed ? ([['vary', 'Accept-Encoding']] as const) : []),
      ['accept-ranges', 'bytes'],
      ['etag', quoted(tag, beside?.variant)],
      ['last-modified', mtime.toUTCString()],
    ]
    const finish = (status: number, body: Body, bytes: number): Response => {
      options.onEnd(status, bytes)
      return respond(status, body, headers)
    }
    if (unchanged(request.headers, tag, mtime)) return finish(304, null, 0)
    headers.push(['content-type', sent.mediaType])
    if (beside !== undefined) {
      const compressed = await opened(beside.path)
      await file.close()
      file = compressed
      headers.push(['content-encoding', encodingName[beside.variant]])
    }
    const size = beside === undefined ? plainSize : (await file.stat()).size
    const wanted = sameAsBefore(request.headers.get('if-range'), tag, mtime)
      ? rangeOf(request.headers.get('range'), size)
      : undefined
    const range = wanted ?? { first: 0, last: size - 1 }
    const length = range.last - range.first + 1
    headers.push(['content-length', String(length)])
    if (wanted !== undefined) headers.push(['content-range', `bytes ${range.first}-${range.last}/${size}`])
    const status = wanted === undefined ? (sent.status ?? 200) : 206
    if (request.method === 'HEAD' || length === 0) return finish(status, null, 0)
    if (length <= pieceBytes) {
      return finish(status, await readExactly(file, range.first, length), length)
    }
    streaming = true
    const open = file
    const body = streamBody(piecesOf(open, range), {
      variant: '',
      stallMilliseconds: options.stallMilliseconds,
      onEnd: (bytes) => {
        void open.close().catch(options.onError)
        options.onEnd(status, bytes)
      },
      onError: options.onError,
    })
    return respond(status, body, headers)
  } finally {
    if (!streaming) await file.close()
  }
}

/** Whether the client's copy is current; an entity tag takes precedence (RFC 9110, 13.2.2). */
export function unchanged(headers: Headers, tag: string, mtime: Date): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return heldVariant(tags, tag) !== undefined
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return Math.floor(mtime.getTime() / 1000) * 1000 <= since
}

function sameAsBefore(ifRange: string | null, tag: string, mtime: Date): boolean {
  if (ifRange === null) return true
  if (ifRange.includes('"')) return ifRange.trim() === quoted(tag)
  return Math.floor(mtime.getTime() / 1000) * 1000 === Date.parse(ifRange)
}

/** Extensions of compressed files, in order of preference. */
const endings: readonly Coded[] = ['br', 'zst', 'gz']

export interface Precompressed {
  readonly path: string
  readonly variant: Coded
}

/**
 * Finds the compressed form that the client prefers, such as `waypoints.csv.br` for `waypoints.csv`. A form with
 * another modification time belongs to an older file, or is a file in its own right.
 *
 * @param mtimeMs the modification time of the file, in milliseconds
 * @param accepted the Accept-Encoding header, or null
 */
export async function precompressedBeside(
  path: string,
  mtimeMs: number,
  accepted: string | null,
): Promise<Precompressed | undefined> {
  if (accepted === null) return undefined
  const found = await Promise.all(
    endings.map(async (variant) => {
      const beside = await stat(`${path}.${variant}`).catch(() => undefined)
      return beside?.isFile() === true && Math.abs(beside.mtimeMs - mtimeMs) < 1 ? [variant] : []
    }),
  )
  const variant = chosenVariant(accepted, found.flat())
  return variant === '' ? undefined : { path: `${path}.${variant}`, variant }
}
