/** The inner markup of the kinds of fountains and of `water`, each an SVG of 24 × 24. */
declare module 'virtual:drawings' {
  export const drawings: Readonly<Record<string, string>>
}
