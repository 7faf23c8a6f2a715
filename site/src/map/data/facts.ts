export const pointFacts = ['drinkable', 'access'] as const

/** Columns of the facts that the map carries, and that a card shows. */
export const factColumns = ['opening_hours', 'season', ...pointFacts] as const

export type FactColumn = (typeof factColumns)[number]

/** Most characters of a description on a card; the page has all of it. */
export const descriptionLength = 280
