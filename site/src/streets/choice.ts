import { resolve } from 'node:path'

export type BaseMapChoice =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'openfreemap' }

const openFreeMap = 'openfreemap'

/** The option `basemap`: a name, an address, or else a file; undefined for an address with a password, which must not be published. */
export function baseMapChoice(given: string): BaseMapChoice | undefined {
  if (given === openFreeMap) return { kind: 'openfreemap' }
  if (!/^https?:\/\//iu.test(given)) return { kind: 'file', path: resolve(given) }
  const url = URL.canParse(given) ? new URL(given) : undefined
  return url && url.username === '' && url.password === '' ? { kind: 'address', url: url.href } : undefined
}

export const openFreeMapStyle = {
  light: 'https://tiles.openfreemap.org/styles/positron',
  dark: 'https://tiles.openfreemap.org/styles/dark',
  font: ['Noto Sans Regular'],
} as const
