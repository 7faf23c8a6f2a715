const here = 'http://here.invalid'

/**
 * Whether a text is a path of this origin, with a query or fragment, wherever a browser that reads it leniently would go:
 * backslashes count as slashes there, and tabs and line breaks are left out.
 */
export function isPathHere(text: string): boolean {
  if (!text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return false
  return URL.parse(text, here)?.origin === here && !text.startsWith('//')
}
