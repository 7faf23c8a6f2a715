import { everyOf, facetColumns, textColumn, type Selection } from './selection.ts'

/**
 * The selection as SQL, in DuckDB's dialect, which most other databases accept.
 *
 * @param files addresses or paths of Parquet files
 * @param lists columns that hold lists
 */
export function sqlOf(selection: Selection, files: readonly string[], lists: readonly string[]): string {
  const conditions = [
    ...(selection.text === ''
      ? []
      : [`contains(lower(${textColumn}), ${literal(selection.text.toLowerCase())})`]),
    ...facetColumns.flatMap((column) => {
      const values = selection.values[column] ?? []
      if (values.length === 0) return []
      return conditionsOf(column, values, lists.includes(column))
    }),
  ]
  const from = files.length === 1 ? literal(files[0] ?? '') : `read_parquet([${literals(files)}])`
  const where = conditions.map((condition, index) => `${index === 0 ? 'where' : '  and'} ${condition}\n`)
  return `select *\nfrom ${from}\n${where.join('')}order by id;`
}

/** The conditions of a column, all of which hold. */
function conditionsOf(column: string, values: readonly string[], isList: boolean): readonly string[] {
  const named = values.filter((value) => value !== '')
  const isEvery = everyOf.includes(column)
  const has = isList
    ? `${isEvery ? 'list_has_all' : 'list_has_any'}(${column}, [${literals(named)}])`
    : `${column} in (${literals(named)})`
  const hasNone = isList ? `coalesce(len(${column}), 0) = 0` : `${column} is null`
  const found = [...(named.length > 0 ? [has] : []), ...(named.length < values.length ? [hasNone] : [])]
  return isEvery ? found : [either(found)]
}

const either = (conditions: readonly string[]): string =>
  conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' or ')})`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const literals = (texts: readonly string[]): string => texts.map(literal).join(', ')
