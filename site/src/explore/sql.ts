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
      return lists.includes(column) ? listCondition(column, values) : [textCondition(column, values)]
    }),
  ]
  const from = files.length === 1 ? literal(files[0] ?? '') : `read_parquet([${literals(files)}])`
  const where = conditions.map((condition, index) => `${index === 0 ? 'where' : '  and'} ${condition}\n`)
  return `select *\nfrom ${from}\n${where.join('')}order by id;`
}

function textCondition(column: string, values: readonly string[]): string {
  const named = values.filter((value) => value !== '')
  return either([
    ...(named.length > 0 ? [`${column} in (${literals(named)})`] : []),
    ...(named.length < values.length ? [`${column} is null`] : []),
  ])
}

function listCondition(column: string, values: readonly string[]): string[] {
  const named = values.filter((value) => value !== '')
  const empty = named.length < values.length ? [`coalesce(len(${column}), 0) = 0`] : []
  if (everyOf.includes(column))
    return [...(named.length > 0 ? [`list_has_all(${column}, [${literals(named)}])`] : []), ...empty]
  return [either([...(named.length > 0 ? [`list_has_any(${column}, [${literals(named)}])`] : []), ...empty])]
}

const either = (conditions: readonly string[]): string =>
  conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' or ')})`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const literals = (texts: readonly string[]): string => texts.map(literal).join(', ')
