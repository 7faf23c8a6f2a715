import { tables as described, type Column, type Kind, type TableName } from '@openfountain/core/engine'

export type ColumnType = 'bigint' | 'smallint' | 'double precision' | 'text' | 'bytea' | 'integer[]'

const types: Readonly<Record<Kind, ColumnType>> = {
  text: 'text',
  json: 'text',
  subject: 'text',
  integer: 'bigint',
  boolean: 'smallint',
  real: 'double precision',
  bytes: 'bytea',
}

const ofSearch: { readonly [Name in TableName]?: Readonly<Record<string, ColumnType>> } = {
  waypoints: { searchText: 'text', searchTokens: 'integer[]' },
}

const typesOf = (name: string, columns: Readonly<Record<string, Column>>) => [
  name,
  {
    ...Object.fromEntries(Object.entries(columns).map(([column, { kind }]) => [column, types[kind]])),
    ...ofSearch[name as TableName],
  },
]

export const tables = Object.fromEntries(
  Object.entries(described).map(([name, { columns }]) => typesOf(name, columns)),
) as Readonly<Record<TableName, Readonly<Record<string, ColumnType>>>>

export type { TableName } from '@openfountain/core/engine'
