import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodedHere, compress, encodingName } from './http/compression.ts'
import { heldVariant, quoted } from './http/entity-tag.ts'
import type { FileOptions } from './http/file.ts'
import { type HeaderPair, jsonType, noSniffing, publicCache } from './http/headers.ts'
import { mediaTypeOf } from './http/media-types.ts'
import { chosenVariant } from './http/negotiation.ts'
import { respond } from './http/response.ts'

/** Relative addresses, so that the page works wherever the app is mounted. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="data:,">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body>
<main id="reference"><p>The reference is drawn by a script; without it, read the <a href="openapi">OpenAPI document</a>.</p></main>
</body>
</html>
`

/** Without the validator badge, which would send the address of this server to another host. */
const start = `SwaggerUIBundle({
  url: 'openapi',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
})
`

/** Swagger UI has its icons in data: URLs; everything else is a file of this page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const bundled = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

/** The page, the document that it shows, and its scripts and styles. */
type Part = (typeof bundled)[number] | 'start.js' | 'page' | 'document'

function isPart(name: string): name is Part {
  return ['start.js', 'page', 'document', ...bundled].includes(name)
}

interface Prepared {
  readonly tag: string
  readonly body: string | Buffer<ArrayBuffer>
}

/** The OpenAPI document and its interactive reference: Swagger UI from its package, nothing from another host. */
export class DocsPage {
  readonly #document: () => object
  readonly #prepared = new Map<string, Promise<Prepared>>()

  constructor(document: () => object) {
    this.#document = document
  }

  /** @param name `page`, `document`, or a file of the page. Returns undefined for any other name. */
  async respond(request: Request, name: string, options: FileOptions): Promise<Response | undefined> {
    if (!isPart(name)) return undefined
    const variant = options.compress ? chosenVariant(request.headers.get('accept-encoding')) : ''
    const { tag, body } = await this.#prepare(name, variant)
    const headers: HeaderPair[] = [
      noSniffing,
      publicCache,
      ['vary', 'Accept-Encoding'],
      ['content-security-policy', policy],
      ['referrer-policy', 'no-referrer'],
    ]
    const held = heldVariant(request.headers.get('if-none-match'), tag)
    if (held !== undefined) {
      options.onEnd(304, 0)
      return respond(304, null, [...headers, ['etag', quoted(tag, held)]])
    }
    headers.push(
      ['etag', quoted(tag, variant)],
      ['content-type', mediaOf(name)],
      ['content-length', String(Buffer.byteLength(body))],
    )
    if (variant !== '') headers.push(['content-encoding', encodingName[variant]])
    const sent = request.method === 'HEAD' ? null : body
    options.onEnd(200, sent === null ? 0 : Buffer.byteLength(sent))
    return respond(200, sent, headers)
  }

  /** Compresses each variant of each part once. */
  #prepare(name: Part, variant: CodedHere | ''): Promise<Prepared> {
    const key = `${name} ${variant}`
    const known = this.#prepared.get(key)
    if (known !== undefined) return known
    const prepared = variant === '' ? this.#plain(name) : this.#compressed(name, variant)
    this.#prepared.set(key, prepared)
    return prepared
  }

  async #compressed(name: Part, variant: 'br' | 'gz'): Promise<Prepared> {
    const { tag, body } = await this.#prepare(name, '')
    return { tag, body: await compress(body, variant) }
  }

  async #plain(name: Part): Promise<Prepared> {
    const body = await this.#read(name)
    return { tag: createHash('sha256').update(body).digest('base64url').slice(0, 16), body }
  }

  async #read(name: Part): Promise<string | Buffer<ArrayBuffer>> {
    if (name === 'page') return page
    if (name === 'start.js') return start
    if (name === 'document') return JSON.stringify(this.#document())
    return readFile(join(bundleFolder(), name))
  }
}

/**
 * The build copies Swagger UI's files beside this one: that package reports its installation to its publisher, so the
 * server must not depend on it.
 */
function bundleFolder(): string {
  return import.meta.url.endsWith('.ts')
    ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    : fileURLToPath(new URL('swagger-ui/', import.meta.url))
}

function mediaOf(name: Part): string {
  if (name === 'page') return mediaTypeOf('page.html')
  return name === 'document' ? jsonType : mediaTypeOf(name)
}
