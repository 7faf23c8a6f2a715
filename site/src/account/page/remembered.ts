const key = 'account'

/** Keeps the name of whoever signed in for the header of the pages; undefined forgets it. */
export function rememberName(name: string | undefined): void {
  try {
    if (name === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, name)
  } catch {
    // Without storage the header offers to sign in, and the page of the account still works.
  }
}
