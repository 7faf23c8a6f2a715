import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Call, Page } from './endpoint.ts'
import { type HeaderPair, jsonType, noSniffing, publicCache } from './http/headers.ts'
import { mediaTypeOf } from './http/media-types.ts'
import { Site } from './site.ts'

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

const headers: readonly HeaderPair[] = [
  noSniffing,
  publicCache,
  ['vary', 'Accept-Encoding'],
  ['content-security-policy', policy],
  ['referrer-policy', 'no-referrer'],
]

/** The interactive reference: Swagger UI from its package, nothing from another host. */
export const referencePage = (): Page => new Page(page, mediaTypeOf('page.html'), headers)

export const documentPage = (text: string): Page => new Page(text, jsonType, headers)

const bundled: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js'])

export async function referenceFile(
  name: string,
  call: Pick<Call<unknown, unknown>, 'request' | 'files'>,
): Promise<Page | Response | undefined> {
  if (name === 'start.js') return new Page(start, mediaTypeOf(name), headers)
  if (!bundled.has(name)) return undefined
  bundle ??= new Site({ folder: bundleFolder(), contentSecurityPolicy: policy })
  return bundle.respond(call.request, `/${name}`, call.files())
}

let bundle: Site | undefined

/** The build copies its files beside this one: the package reports installations, so nothing depends on it. */
const bundleFolder = (): string =>
  import.meta.url.endsWith('.ts')
    ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    : fileURLToPath(new URL('swagger-ui/', import.meta.url))
