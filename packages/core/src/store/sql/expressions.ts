import { sql, type RawBuilder } from 'kysely'
import { differing } from './query.ts'

/** Expressions that both engines have, each in its own way. */

/** Bytes in lower-case hexadecimal. */
export const hexOf = (column: string): RawBuilder<string> =>
  differing({
    sqlite: sql`lower(hex(${sql.ref(column)}))`,
    postgres: sql`encode(${sql.ref(column)}, 'hex')`,
  })

export const quotedText = (value: RawBuilder<unknown>): RawBuilder<string> =>
  differing({ sqlite: sql`json_quote(${value})`, postgres: sql`to_json(${value})::text` })

/** The SQL function that writes a number as JavaScript does, which every connection of SQLite has. */
export const numberFunction = 'numberText'

/**
 * A latitude or longitude as JavaScript writes it. SQLite writes numbers of up to seven decimals in the same way, unless they
 * are whole or very small; PostgreSQL has another form of very small numbers, and a sign of zero.
 */
export const degreesText = (value: RawBuilder<unknown>): RawBuilder<string> =>
  differing({
    sqlite: sql`case when round(${value} * 1e7) / 1e7 = ${value} and abs(${value}) >= 1e-4
      and ${value} <> cast(${value} as integer) then ${value} else ${sql.raw(numberFunction)}(${value}) end`,
    postgres: sql`case when abs(${value}) >= 1e-4 then ${value}::text when ${value} = 0 then '0'
      when abs(${value}) >= 1e-6 then ${value}::text::numeric::text else replace(${value}::text, 'e-0', 'e-') end`,
  })

/** The id of an entry as the subject of another entry. */
export const asSubject = (id: RawBuilder<unknown>): RawBuilder<number | string> =>
  differing({ sqlite: sql`+${id}`, postgres: sql`${id}::text` })

/** The subject of an entry about a waypoint, as an id. */
export const asId = (subjectId: RawBuilder<unknown>): RawBuilder<number> =>
  differing({ sqlite: sql`${subjectId}`, postgres: sql`${subjectId}::bigint` })

/** A text or a subject that no index is looked up for. */
export const unindexed = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  differing({ sqlite: sql`+${column}`, postgres: sql`(${column} || '')` })

/** A column whose index SQLite does not use: it does not know how many rows have a value. PostgreSQL does. */
export const byOthers = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  differing({ sqlite: sql`+${column}`, postgres: column })

/** The greater of two texts; the first where the second is null. */
export const greater = (one: RawBuilder<string>, other: RawBuilder<string>): RawBuilder<string> =>
  differing({ sqlite: sql`max(${one}, coalesce(${other}, ''))`, postgres: sql`greatest(${one}, ${other})` })

/** Whether a text has another one in it. */
export const hasText = (value: RawBuilder<unknown>, part: RawBuilder<string>): RawBuilder<boolean> =>
  differing({ sqlite: sql`instr(${value}, ${part}) > 0`, postgres: sql`strpos(${value}, ${part}) > 0` })

/** Whether a JSON array of texts has all of another one. */
export const hasAll = (array: RawBuilder<unknown>, wanted: RawBuilder<string>): RawBuilder<boolean> =>
  differing({
    sqlite: sql`not exists (select 1 from json_each(${wanted}) as w
      where w.value not in (select value from json_each(${array})))`,
    postgres: sql`coalesce(${array}::jsonb @> ${wanted}::jsonb, false)`,
  })

/** A table for which SQLite is told a partial index, which PostgreSQL finds by itself. */
export const byIndex = (table: string, index: string): RawBuilder<unknown> =>
  differing({
    sqlite: sql`${sql.table(table)} indexed by ${sql.raw(index)}`,
    postgres: sql.table(table),
  })

type List = RawBuilder<readonly (number | string)[]>

const inJson = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  sql`${expression} in (select value from json_each(${list}))`

/** Whether an expression is one of the values of a list. */
export const isAmong = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  differing({ sqlite: inJson(expression, list), postgres: sql`${expression} = any(${list})` })

/**
 * The same where a table may have no statistics yet, as in a first import: PostgreSQL looks each value up, and would else
 * compare every row with the whole list.
 */
export const isLookedUpIn = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  differing({
    sqlite: inJson(expression, list),
    postgres: sql`${expression} in (select unnest(${list}))`,
  })
