/** Conditions for waypoints. The empty value matches waypoints without a value. */
export interface Selection {
  /** A part of the name, in any case; empty for any name. */
  readonly text: string
  /** Values by column. A waypoint has one of each column's values, and all of the values of columns in `everyOf`. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** Columns for counts and selections, in display order. */
export const facetColumns = [
  'state',
  'access',
  'amenities',
  'country',
  'subdivision',
  'place',
  'region',
  'maintainer',
  'sources',
  'license',
] as const
export type FacetColumn = (typeof facetColumns)[number]

/** Columns whose selected values a waypoint must have all, not just one. */
export const everyOf: readonly FacetColumn[] = ['amenities']

export const textColumn = 'name'

export const nothingChosen: Selection = { text: '', values: {} }

export function readSelection(parameters: URLSearchParams): Selection {
  const chosen = facetColumns.flatMap((column) => {
    const values = [...new Set(parameters.getAll(column))]
    return values.length === 0 ? [] : [[column, values] as const]
  })
  return { text: parameters.get(textColumn)?.trim() ?? '', values: Object.fromEntries(chosen) }
}

export function queryOf({ text, values }: Selection): string {
  const parameters = new URLSearchParams(text === '' ? {} : { [textColumn]: text })
  for (const column of facetColumns)
    for (const value of values[column] ?? []) parameters.append(column, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}

export function withValue(selection: Selection, column: string, value: string, isChosen: boolean): Selection {
  const others = (selection.values[column] ?? []).filter((one) => one !== value)
  const { [column]: _before, ...rest } = selection.values
  const now = isChosen ? [...others, value] : others
  return { ...selection, values: now.length === 0 ? rest : { ...rest, [column]: now } }
}
