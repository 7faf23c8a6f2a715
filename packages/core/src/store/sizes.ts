/** The number of rows that any query reads quickly. */
export const quickRows = 1000

/** How many waypoints a registry has at least when its first import defers indexes. */
export const manyAtFirst = 5000

/** The trigrams that a search looks for: all of a single term, the first and the last of each of several terms. */
export const searchedTrigrams = { only: Number.POSITIVE_INFINITY, several: 2 }

/** The most waypoints that each step of a search looks at, newest first, which keeps every search fast. */
export const mostCandidates = 1000
