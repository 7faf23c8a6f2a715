import { DuckDBInstance } from '@duckdb/node-api'

/** Prints DuckDB's result in the format of its command with `-list -noheader`: node duckdb.ts 'select …' */
const [sql = ''] = process.argv.slice(2)
const connection = await (await DuckDBInstance.create()).connect()
const found = await connection.runAndReadAll(sql)
for (const row of found.getRowsJson()) console.log(row.join('|'))
connection.closeSync()
