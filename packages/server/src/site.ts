import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { compress, encodingName, worthCompressing } from './http/compression.ts'
import { quoted, respond } from './http/response.ts'
import { type FileOptions, sendFile, unchanged, precompressedBeside } from './http/file.ts'
import { type HeaderPair, inert, longCache, noSniffing, publicCache } from './http/headers.ts'
import { compressible, mediaTypeOf } from './http/media-types.ts'
import { chosenVariant } from './http/negotiation.ts'

export interface SiteOptions {
  /** The folder with the built site. */
  readonly folder: string
  /** The path under which the site was built. Default the `basePath` of the app, `/` without one. */
  readonly base?: string | undefined
  /**
   * The Content-Security-Policy of its files, including scripts. The default allows this origin and nothing inline.
   * Without frame-ancestors in it, other sites may frame only pages named `embed`.
   */
  readonly contentSecurityPolicy?: string | undefined
}

export function siteOf(options: {
  readonly site?: string | SiteOptions | undefined
  readonly basePath?: string | undefined
}): SiteOptions | undefined {
  const { site, basePath } = options
  if (site === undefined) return undefined
  const given: SiteOptions = typeof site === 'string' ? { folder: site } : site
  return { ...given, base: given.base ?? basePath }
}

/** This origin only; also data: images, and the map's blob: workers. */
const defaultPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/** Pages that other sites may frame; other pages may be framed by this site only. */
const embeddable = /(?:^|\/)embed(?:\/|\.|$)/

/** These file names contain a hash of their content, so they never change. */
const immutable = /(?:^|\/)_astro\//

/** Bytes of the largest file that is compressed; larger ones are streamed as they are. */
const largestCompressed = 4 * 1024 * 1024

interface Found {
  readonly path: string
  readonly name: string
  readonly size: number
  readonly mtime: Date
}

/** Serves a built static site: files, folders by their index.html, and 404.html for paths that are not found. */
export class Site {
  readonly #root: string
  readonly #base: string
  readonly #policy: string
  /** Compressed immutable files, by path and encoding. */
  readonly #compressed = new Map<string, Promise<Buffer<ArrayBuffer>>>()

  constructor(options: SiteOptions) {
    this.#root = resolve(options.folder)
    this.#base = `/${options.base ?? ''}/`.replaceAll(/\/{2,}/g, '/')
    this.#policy = options.contentSecurityPolicy ?? defaultPolicy
  }

  /** @param pathname percent-encoded @returns undefined when there is neither the file nor a 404.html */
  async respond(request: Request, pathname: string, options: FileOptions): Promise<Response | undefined> {
    const relative = this.#relative(pathname)
    const found = relative === undefined ? undefined : await this.#find(relative)
    if (found !== undefined && !('path' in found)) return redirect(found.folder)
    if (found !== undefined) return this.#send(request, found, 200, options)
    const missing = await this.#file('404.html')
    return missing === undefined ? undefined : this.#send(request, missing, 404, options)
  }

  /** The path inside the folder; undefined for hidden files and paths that could leave it. */
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
      // A symbolic link may point to a file inside the folder, not to one outside.
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
    const framed = embeddable.test(found.name) || this.#policy.includes('frame-ancestors')
    const headers: HeaderPair[] = [
      noSniffing,
      // For all files: workers use the policy of their own file, and a picture or feed can be opened by itself.
      ['content-security-policy', framed ? this.#policy : `${this.#policy}; frame-ancestors 'self'`],
      ['referrer-policy', 'strict-origin-when-cross-origin'],
      immutable.test(found.name) ? longCache : publicCache,
    ]
    const accepted = request.headers.get('accept-encoding')
    const isCompressedHere =
      options.compress &&
      compressible(mediaType) &&
      found.size >= worthCompressing &&
      found.size <= largestCompressed &&
      !request.headers.has('range')
    const variant = isCompressedHere ? chosenVariant(accepted) : ''
    if (
      variant === '' ||
      (await precompressedBeside(found.path, found.mtime.getTime(), accepted)) !== undefined
    ) {
      return sendFile(request, { path: found.path, mediaType, headers, status }, options)
    }
    headers.push(['vary', 'Accept-Encoding'])
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
    const compressed = await this.#compressedFile(found, variant)
    all.push(
      ['content-type', mediaType],
      ['content-encoding', encodingName[variant]],
      ['content-length', String(compressed.byteLength)],
    )
    const sent = request.method === 'HEAD' ? null : compressed
    options.onEnd(status, sent?.byteLength ?? 0)
    return respond(status, sent, all)
  }

  #compressedFile({ path, name }: Found, variant: 'br' | 'gz'): Promise<Buffer<ArrayBuffer>> {
    const kept = immutable.test(name)
    const made = async () => compress(await readFile(path), variant, { kept })
    if (!kept) return made()
    const key = `${path}\0${variant}`
    const content = this.#compressed.get(key) ?? made()
    this.#compressed.set(key, content)
    content.catch(() => this.#compressed.delete(key))
    return content
  }
}

/** A redirect to the folder's own path, relative so that the app's prefix stays. */
function redirect(folder: string): Response {
  const location = `./${encodeURIComponent(folder)}/`
  return respond(308, null, [...inert, ['location', location], ['cache-control', 'no-cache']])
}
