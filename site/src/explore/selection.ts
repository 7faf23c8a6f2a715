/** Conditions for waypoints. The empty value matches waypoints without a value. */
export interface Selection {
  /** A part of the name, in any case; empty for any name. */
  readonly text: string
  /** Values by column. A waypoint has one of each column's, and of the column in `everyOf` all. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** Columns by which waypoints are counted and chosen, in the order in which they are shown; an export may lack some. */
export const facetColumns = [
  'state',
  'amenities',
  'country',
  'subdivision',
  'place',
  'region',
  'sources',
  'license',
] as const
export type FacetColumn = (typeof facetColumns)[number]

/** Columns of which a waypoint has to have every chosen value instead of one of them. */
export const everyOf: readonly string[] = ['amenities'] satisfies readonly FacetColumn[]

/** The column that is searched for a text. */
export const textColumn = 'name'

export const nothingChosen: Selection = { text: '', values: {} }

/** Reads the selection of a page's address; other parameters are left alone. */
export function readSelection(parameters: URLSearchParams): Selection {
  const chosen = facetColumns.flatMap((column) => {
    const values = [...new Set(parameters.getAll(column))]
    return values.length === 0 ? [] : [[column, values] as const]
  })
  return { text: parameters.get(textColumn)?.trim() ?? '', values: Object.fromEntries(chosen) }
}

/** The same as the query of an address, empty or with a question mark. */
export function queryOf({ text, values }: Selection): string {
  const parameters = new URLSearchParams(text === '' ? {} : { [textColumn]: text })
  for (const column of facetColumns)
    for (const value of values[column] ?? []) parameters.append(column, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** A selection with a value of a column selected or deselected. */
export function withValue(selection: Selection, column: string, value: string, isChosen: boolean): Selection {
  const others = (selection.values[column] ?? []).filter((one) => one !== value)
  const { [column]: _before, ...rest } = selection.values
  const now = isChosen ? [...others, value] : others
  return { ...selection, values: now.length === 0 ? rest : { ...rest, [column]: now } }
}
