import { createHash } from 'node:crypto'

export interface ContentSecurityPolicy {
  readonly meta: string
  /** For the HTTP header: the same with frame-ancestors, which a meta element does not support. */
  readonly header: string
}

export interface PolicyOptions {
  readonly scripts: readonly string[]
  /** Addresses beside the site's own host for maps and the API. */
  readonly connect: readonly string[]
  readonly imageHosts?: readonly string[] | undefined
}

/** The policy of all pages: the site's own files, and the addresses that the operator configured. */
export function contentSecurityPolicy({
  scripts,
  connect,
  imageHosts = [],
}: PolicyOptions): ContentSecurityPolicy {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  const origins = [...new Set(connect.map((address) => new URL(address).origin))]
  const meta = [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...origins, ...imageHosts.map((host) => `https://${host}`)].join(' '),
    ["connect-src 'self'", ...origins].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
  return { meta, header: `${meta}; frame-ancestors 'self'` }
}
