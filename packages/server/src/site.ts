import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { compress, encodingName, worthCompressing } from './http/compression.ts'
import { quoted } from './http/entity-tag.ts'
import { type FileOptions, sendFile, unchanged } from './http/file.ts'
import { type HeaderPair, noSniffing, publicCache } from './http/headers.ts'
import { compressible, mediaTypeOf } from './http/media-types.ts'
import { chosenVariant } from './http/negotiation.ts'
import { respond } from './http/response.ts'

export interface SiteOptions {
  /** The folder with the built site. */
  readonly folder: string
  /** The path under which the site was built. Default `/`. */
  readonly base?: string
  /**
   * The Content-Security-Policy of its pages. The default allows what is served here and nothing inline. Unless it
   * says who may frame them, only pages named `embed` may be framed by other sites.
   */
  readonly contentSecurityPolicy?: string
}

/** Scripts, styles, tiles and data from here alone; pictures may be data, workers may be blobs (the map's). */
const defaultPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
].join('; ')

/** Pages that other sites may frame; all others may be framed by this site only. */
const embeddable = /(?:^|\/)embed(?:\/|\.|$)/

/** Astro names these files by their content, so they never change. */
const immutable = /(?:^|\/)_astro\//
const longCache: HeaderPair = ['cache-control', 'public, max-age=31536000, immutable']

/** Files beyond this are streamed as they are. */
const largestPacked = 4 * 1024 * 1024
const packedBudget = 48 * 1024 * 1024

interface Found {
  readonly path: string
  /** Within the folder. */
  readonly name: string
  readonly size: number
  readonly mtime: Date
}

/** Serves a built static site: files, folders by their index.html, 404.html for the rest. */
export class Site {
  readonly #root: string
  readonly #base: string
  readonly #policy: string
  readonly #packed = new Map<string, Buffer<ArrayBuffer>>()
  #packedBytes = 0

  constructor(options: SiteOptions) {
    this.#root = resolve(options.folder)
    this.#base = `/${options.base ?? ''}/`.replaceAll(/\/{2,}/g, '/')
    this.#policy = options.contentSecurityPolicy ?? defaultPolicy
  }

  /**
   * @param pathname percent-encoded, from the root of the server
   * @returns undefined when the site has neither the file nor a page for what is missing
   */
  async respond(request: Request, pathname: string, options: FileOptions): Promise<Response | undefined> {
    const relative = this.#relative(pathname)
    const found = relative === undefined ? undefined : await this.#find(relative)
    if (found !== undefined && !('path' in found)) return redirect(found.folder)
    if (found !== undefined) return this.#send(request, found, 200, options)
    const missing = await this.#file('404.html')
    return missing === undefined ? undefined : this.#send(request, missing, 404, options)
  }

  /** The path inside the folder, or undefined for anything that could leave it or is not meant to be seen. */
  #relative(pathname: string): string | undefined {
    if (!`${pathname}/`.startsWith(this.#base)) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(pathname.slice(this.#base.length))
    } catch {
      return undefined
    }
    const parts = decoded.split('/')
    const hidden = parts.some((part) => part.startsWith('.') && part !== '.well-known')
    return hidden || decoded === '_headers' || /[\0\\:]/.test(decoded) ? undefined : decoded
  }

  async #find(relative: string): Promise<Found | { folder: string } | undefined> {
    if (relative === '' || relative.endsWith('/')) return this.#file(`${relative}index.html`)
    const exact = (await this.#file(relative)) ?? (await this.#file(`${relative}.html`))
    if (exact !== undefined) return exact
    const index = await this.#file(`${relative}/index.html`)
    return index === undefined ? undefined : { folder: relative.slice(relative.lastIndexOf('/') + 1) }
  }

  async #file(relative: string): Promise<Found | undefined> {
    try {
      const path = await realpath(join(this.#root, relative))
      // A symbolic link may lead about inside the folder, not out of it.
      if (!path.startsWith((await realpath(this.#root)) + sep)) return undefined
      const found = await stat(path)
      return found.isFile() ? { path, name: relative, size: found.size, mtime: found.mtime } : undefined
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ELOOP')
        return undefined
      throw error
    }
  }

  async #send(request: Request, found: Found, status: number, options: FileOptions): Promise<Response> {
    const mediaType = mediaTypeOf(found.path)
    const headers: HeaderPair[] = [noSniffing, immutable.test(found.name) ? longCache : publicCache]
    if (mediaType.startsWith('text/html')) {
      const framed = embeddable.test(found.name) || this.#policy.includes('frame-ancestors')
      headers.push(
        ['content-security-policy', framed ? this.#policy : `${this.#policy}; frame-ancestors 'self'`],
        ['referrer-policy', 'strict-origin-when-cross-origin'],
      )
    }
    const packable = compressible(mediaType) && found.size >= worthCompressing && found.size <= largestPacked
    if (packable) headers.push(['vary', 'Accept-Encoding'])
    const variant = packable && options.compress ? chosenVariant(request.headers.get('accept-encoding')) : ''
    if (variant === '' || request.headers.has('range')) {
      return sendFile(request, { path: found.path, mediaType, headers, status }, options)
    }
    const tag = `${found.size.toString(36)}-${Math.round(found.mtime.getTime()).toString(36)}`
    const all: HeaderPair[] = [
      ...headers,
      ['etag', quoted(tag, variant)],
      ['last-modified', found.mtime.toUTCString()],
    ]
    if (status === 200 && unchanged(request.headers, tag, found.mtime)) {
      options.onEnd(304, 0)
      return respond(304, null, all)
    }
    const packed = await this.#pack(found.path, tag, variant)
    all.push(
      ['content-type', mediaType],
      ['content-encoding', encodingName[variant]],
      ['content-length', String(packed.byteLength)],
    )
    const sent = request.method === 'HEAD' ? null : packed
    options.onEnd(status, sent?.byteLength ?? 0)
    return respond(status, sent, all)
  }

  /** Compressed files are kept, the least recently asked for go first when there is no more room. */
  async #pack(path: string, tag: string, variant: 'br' | 'gz'): Promise<Buffer<ArrayBuffer>> {
    const key = `${path}\0${tag}\0${variant}`
    const kept = this.#packed.get(key)
    if (kept !== undefined) {
      this.#packed.delete(key)
      this.#packed.set(key, kept)
      return kept
    }
    const packed = await compress(await readFile(path), variant)
    if (!this.#packed.has(key)) this.#packedBytes += packed.byteLength
    this.#packed.set(key, packed)
    for (const [oldest, bytes] of this.#packed) {
      if (this.#packedBytes <= packedBudget) break
      this.#packed.delete(oldest)
      this.#packedBytes -= bytes.byteLength
    }
    return packed
  }
}

/** To the folder's own path, named relatively so that a prefix under which the app is mounted stays. */
function redirect(folder: string): Response {
  const location = `./${encodeURIComponent(folder)}/`
  return respond(308, null, [
    ['location', location],
    ['cache-control', 'no-cache'],
  ])
}
