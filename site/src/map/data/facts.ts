import type { Fact } from '../../data/facts.ts'

/** The facts that the map carries besides its own columns, and that a card shows. */
export const mapFacts = ['openingHours', 'season', 'drinkable'] as const satisfies readonly Fact[]

/** Their values, as in the fields of a fountain. */
export type MapFacts = { readonly [Name in (typeof mapFacts)[number]]?: string }
