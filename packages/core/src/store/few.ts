/** The number of rows that any query reads quickly. */
export const few = 1000

/** The most waypoints that each step of a search looks at, newest first, which keeps every search fast. */
export const mostCandidates = 1000
