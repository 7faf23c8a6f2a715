/** An address from users or sources as a link, if its scheme is http or https. */
export function safeLink(address: string | null | undefined): { href: string; host: string } | undefined {
  if (!address) return undefined
  const url = URL.parse(address)
  return url && (url.protocol === 'https:' || url.protocol === 'http:')
    ? { href: url.href, host: url.host }
    : undefined
}
