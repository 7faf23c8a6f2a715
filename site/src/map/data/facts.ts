export const pointFacts = ['drinkable', 'access'] as const

export const factColumns = ['opening_hours', 'season', ...pointFacts] as const

export type FactColumn = (typeof factColumns)[number]

/** Most characters of a description on a card; the page has all of it. */
export const descriptionLength = 280
