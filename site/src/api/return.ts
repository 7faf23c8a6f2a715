import { store, stored } from '../client/storage.ts'

/** The page to return to after sign-in. Mailed links open another tab, so that it is stored for all tabs. */
const key = 'return'
const lifetimeMilliseconds = 3_600_000

/** Stores the page to return to after sign-in, for an hour: a path of this site with query and fragment. */
export const rememberReturn = (to: string): void => store(key, JSON.stringify({ to, at: Date.now() }))

export const forgetReturn = (): void => store(key, undefined)

export function storedReturn(): string | undefined {
  try {
    const { to, at } = JSON.parse(stored(key) ?? '{}') as { readonly to?: unknown; readonly at?: unknown }
    const isFresh = typeof at === 'number' && Math.abs(Date.now() - at) < lifetimeMilliseconds
    return isFresh && typeof to === 'string' && isHere(to) ? to : undefined
  } catch {
    return undefined
  }
}

const isHere = (to: string): boolean =>
  to.startsWith('/') && URL.parse(to, location.origin)?.origin === location.origin
