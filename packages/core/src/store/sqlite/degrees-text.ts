import { sql, type RawBuilder } from 'kysely'

/** The SQL function that writes a number as JavaScript does, which every connection has. */
export const numberFunction = 'numberText'

/**
 * A latitude or longitude as JavaScript writes it. SQLite writes numbers of up to seven decimals in the same way, unless they
 * are whole or very small; longer ones may get one digit more. Checking for that in SQL is faster than always calling
 * JavaScript.
 */
export function degreesText(value: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when round(${value} * 1e7) / 1e7 = ${value} and abs(${value}) >= 1e-4
    and ${value} <> cast(${value} as integer) then ${value} else ${sql.raw(numberFunction)}(${value}) end`
}
