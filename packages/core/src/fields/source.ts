import { limits } from '../rules.ts'
import { count, fields, when, day, optionalNames, optionalValuesIn } from './field.ts'

const term = { type: 'text', setBy: 'tokens', minLength: 1 } as const

export const sourceFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier of the source' },
  name: { ...term, maxLength: limits.sourceName, meaning: 'Name' },
  url: { type: 'address', optional: true, setBy: 'tokens', meaning: 'Where it is published' },
  license: { ...term, maxLength: 64, meaning: 'Its licence, an SPDX id' },
  attribution: { ...term, optional: true, maxLength: limits.description, meaning: 'Whom to name' },
  createdAt: { ...when, meaning: 'When it was added, UTC' },
  updatedAt: { ...when, meaning: 'When its terms were last changed, UTC' },
})

const { createdAt: _created, updatedAt: _updated, ...terms } = sourceFields

/** The terms of a source, as fields of a waypoint's sources and of a table of sources. */
export const sourceTerms = terms

export const sourceStates = ['broken', 'off'] as const

export const listingFields = fields({
  ref: {
    type: 'text',
    optional: true,
    setBy: 'tokens',
    maxLength: limits.reference,
    meaning: "The source's own id of it",
  },
  tags: {
    type: 'object',
    optional: true,
    setBy: 'tokens',
    meaning: 'The tags of the object at OpenStreetMap, as they were imported',
  },
  firstSeen: { ...when, meaning: 'When an import first found it there, UTC' },
  lastSeen: {
    ...when,
    meaning: 'When an import last found it there, UTC; `published` is the day as of which it lists it',
  },
  missingSince: {
    ...when,
    optional: true,
    meaning: 'When an import first found that it no longer lists it, UTC',
  },
  state: {
    type: 'choice',
    values: sourceStates,
    optional: true,
    setBy: 'tokens',
    meaning: 'That it gives no water: `broken` is out of order, `off` closed for the season',
  },
  published: {
    ...day,
    meaning:
      'The day on which the source published its newest listing, which has it; absent where it is not known',
  },
  checked: { ...day, meaning: 'The day on which somebody last looked, as the source says it' },
  updated: { ...day, meaning: 'The day on which the source last changed what it says of it' },
  since: { ...day, meaning: 'The first day of the state, as the source says it' },
  until: { ...day, meaning: 'The last day of the state, as the source says it' },
})

/** Tags of OpenStreetMap by their keys. */
export type Tags = Readonly<Record<string, string>>

export const listedDays = ['checked', 'updated', 'since', 'until'] as const

/** Days as a source says them: see `listingFields`. */
export type ListedDays = { readonly [Name in (typeof listedDays)[number]]?: string | undefined }

export const sourceFigures = fields({
  waypoints: { ...count, meaning: 'Live waypoints that came from it' },
  lastImport: { ...when, optional: true, meaning: 'When it was last imported, UTC' },
  published: {
    ...day,
    meaning: 'The day on which it published what was imported last as a whole, as far as it is known',
  },
  harvesting: {
    type: 'object',
    optional: true,
    setBy: 'nobody',
    meaning: 'How often it is fetched from its address, and what came of it lately; absent where it is not',
  },
})

export const sourceOptionals = optionalNames(sourceFields)

export const sourceValuesOf = optionalValuesIn(sourceFields)
