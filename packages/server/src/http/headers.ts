export type HeaderPair = readonly [name: string, value: string]

/** For every response: browsers must use the declared type. */
export const noSniffing: HeaderPair = ['x-content-type-options', 'nosniff']

/** For data: browsers must run nothing in it and never frame it. */
export const inert: readonly HeaderPair[] = [
  noSniffing,
  ['content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
]

/** Scope of Strict-Transport-Security: the `host` alone, also its `subdomains`, or `off` for no header. */
export type StrictTransport = 'host' | 'subdomains' | 'off'

const yearOfTransport = 'max-age=31536000'

/** Strict-Transport-Security for an app at this address; none unless it begins with https. */
export function transportHeaders(
  publicUrl: string | undefined,
  reach: StrictTransport = 'host',
): readonly HeaderPair[] {
  if (reach === 'off' || publicUrl === undefined || new URL(publicUrl).protocol !== 'https:') return []
  const value = reach === 'subdomains' ? `${yearOfTransport}; includeSubDomains` : yearOfTransport
  return [['strict-transport-security', value]]
}

/** Public data: cached, and revalidated before each use. */
export const publicCache: HeaderPair = ['cache-control', 'public, max-age=0, must-revalidate']

export const longCache: HeaderPair = ['cache-control', 'public, max-age=31536000, immutable']

/** Private data, results of writes, and errors: never cached. */
export const noCache: HeaderPair = ['cache-control', 'no-store']

export const jsonType = 'application/json; charset=utf-8'

const spdxId = /^[A-Za-z0-9][A-Za-z0-9.+-]*$/

/** Whether a licence looks like an SPDX id (https://spdx.org/licenses) rather than a name. */
export const isSpdxId = (license: string): boolean => spdxId.test(license)

/** The Link header of a licence; undefined for one that is neither an SPDX id nor a URL. */
export function licenseLink(license: string): HeaderPair | undefined {
  if (/^https?:\/\//.test(license) && URL.canParse(license)) {
    return ['link', `<${new URL(license).href}>; rel="license"`]
  }
  return isSpdxId(license)
    ? ['link', `<https://spdx.org/licenses/${license}.html>; rel="license"`]
    : undefined
}
