const here = 'http://here.invalid'

/**
 * Whether a text is a path of this origin, with optional query and fragment, even for lenient browsers: they read
 * backslashes as slashes, and drop tabs and line breaks.
 */
export function isPathHere(text: string): boolean {
  if (!text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return false
  return URL.parse(text, here)?.origin === here && !text.startsWith('//')
}
