/** A text that this browser stores; null where there is none, or where storage is blocked. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text for all pages of this site; undefined removes it. Where storage is blocked it does nothing. */
export function store(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // A page without storage begins anew each time.
  }
}
