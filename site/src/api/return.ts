/** The page to return to after sign-in. Mailed links open another tab, so that it is stored for all tabs. */
const key = 'return'
const lifetimeMilliseconds = 3_600_000

/** Stores the page to return to after sign-in, for an hour: a path of this site with query and fragment. */
export function rememberReturn(to: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ to, at: Date.now() }))
  } catch {
    // Without storage the sign-in ends at the account page.
  }
}

/** Forgets the page, once the user is back. */
export function forgetReturn(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage there is none to remove.
  }
}

/** Where to go after signing in. */
export function storedReturn(): string | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('to' in kept) || !('at' in kept)) return undefined
    const { to, at } = kept
    const isFresh = typeof at === 'number' && Math.abs(Date.now() - at) < lifetimeMilliseconds
    return isFresh && typeof to === 'string' && isHere(to) ? to : undefined
  } catch {
    return undefined
  }
}

const isHere = (to: string): boolean =>
  to.startsWith('/') && URL.parse(to, location.origin)?.origin === location.origin
