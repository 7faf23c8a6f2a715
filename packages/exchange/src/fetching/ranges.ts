import { open } from 'node:fs/promises'
import {
  bytesOf,
  guardedFetch,
  namedAddress,
  type FetchOptions,
  FetchRefused,
} from '@openfountain/core/internal'

/** A file that is read by ranges: on this machine, or on a host. */
export interface RangeFile extends AsyncDisposable {
  /** The file, or the address after redirects. */
  readonly name: string
  /** Bytes, where they are known. */
  readonly size: number | undefined
  /** Changes with the content: the entity tag or the time of the last change, where there is one. */
  readonly version: string | undefined
  /** Fewer bytes at the end of the file. @throws FetchRefused */
  read(offset: number, length: number): Promise<Uint8Array>
}

export const isAddress = (name: string): boolean => /^https?:\/\//iu.test(name)

/** Opens a file or an address for reading by ranges. @throws FetchRefused; an error of the system for a file */
export async function openRanges(name: string, options: FetchOptions = {}): Promise<RangeFile> {
  return isAddress(name) ? openAddress(name, options) : openFile(name)
}

async function openFile(name: string): Promise<RangeFile> {
  const file = await open(name)
  const { size, mtimeMs } = await file.stat()
  return {
    name,
    size,
    version: `${size}-${mtimeMs}`,
    async read(offset, length) {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function openAddress(address: string, options: FetchOptions): Promise<RangeFile> {
  const range = async (url: string, offset: number, length: number) => {
    const headers = { ...options.headers, range: `bytes=${offset}-${offset + length - 1}` }
    const response = await guardedFetch(url, { ...options, headers })
    const { status } = response
    if (status !== 206) {
      response.body.destroy()
      throw new FetchRefused(status < 300 ? { code: 'NO_RANGES', url } : { code: 'STATUS', url, status })
    }
    const version = response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined
    const size = Number(/\/(\d+)$/u.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
    return { url: response.url, version, size, bytes: await bytesOf(response, length) }
  }
  const first = await range(namedAddress(address, options).href, 0, 1)
  return {
    name: first.url,
    size: Number.isNaN(first.size) ? undefined : first.size,
    version: first.version,
    async read(offset, length) {
      const { version, bytes } = await range(first.url, offset, length)
      if (version !== first.version) throw new FetchRefused({ code: 'CHANGED', url: first.url })
      return bytes
    },
    async [Symbol.asyncDispose]() {},
  }
}
