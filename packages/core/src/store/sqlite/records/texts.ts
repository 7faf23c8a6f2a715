import { sql, type RawBuilder } from 'kysely'
import type { Field } from '../../../fields/field.ts'
import { waypointFields, type WaypointField } from '../../../fields/waypoint.ts'
import type { JsonForm } from '../../../published/json-form.ts'
import type { RecordChoice, RecordSurroundings } from './record.ts'
import { gatheredRows, optionalSurroundings } from './records.ts'
import type { Statements } from '../connection/statement.ts'

/** The columns that a template can have. */
export type TextField = Exclude<WaypointField, 'latitude' | 'longitude'>

/**
 * How a value is written: as a JSON string, `as it is` unchanged (numbers, flags as `true` and `false`, times, amenities
 * as a JSON array), or as a cell of a table.
 */
export type TextForm = JsonForm | 'as it is' | CellForm

/** A cell of a table: quoted when it contains certain characters, guarded when it begins with certain others. */
export interface CellForm {
  /** Put around the text and doubled inside it, when the text has a character of `quoteFor`. */
  readonly quote: string
  readonly quoteFor: string
  /** Put before the text when its first character that is not a guard is in `guardFor`: never a letter or digit. */
  readonly guard: string
  readonly guardFor: string
}

/** A piece of a template: a literal, or a field with a literal before it that is omitted for an absent value. */
export type TextPiece =
  | string
  | { readonly field: TextField; readonly form: TextForm; readonly before?: string | undefined }

/** Templates whose texts are built together; the caller writes what comes between them. */
export type TextTemplate = readonly (readonly TextPiece[])[]

/** The texts of one live waypoint, with its surroundings, which no template can contain. */
export interface RecordText extends RecordSurroundings {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  /** A JSON array. */
  readonly amenities: string
  /** One text for each template; null when the template is a single field with an absent value. */
  readonly texts: readonly (string | null)[]
}

/** The SQL of a value in a form. `field` is needed for fields that are not texts or never absent. @internal */
export function valueInForm(
  value: RawBuilder<string>,
  form: TextForm,
  field?: TextField,
): RawBuilder<string> {
  const described: Field | undefined = field && waypointFields[field]
  if (described?.type === 'flag') return sql`iif(${value}, 'true', 'false')`
  if (form === 'as it is') return value
  if (form === 'json in a cell')
    return sql`iif(${value} is null, null, replace(json_quote(${value}), '"', '""'))`
  if (form !== 'json') return cell(value, form)
  const quoted = sql<string>`json_quote(${value})`
  return described !== undefined && described.optional !== true
    ? quoted
    : sql`iif(${value} is null, null, ${quoted})`
}

const written = (field: TextField, form: TextForm): RawBuilder<string> =>
  valueInForm(sql.ref<string>(`w.${field}`), form, field)

function cell(value: RawBuilder<string>, form: CellForm): RawBuilder<string> {
  const { quote, quoteFor, guard, guardFor } = form
  const special = sql`${value} glob ${sql.lit(`*[${quoteFor}]*`)}`
  const bare = sql`ltrim(${value}, ${sql.lit(guard)})`
  const guarded = sql`iif(${bare} <> '' and instr(${sql.lit(guardFor)}, substr(${bare}, 1, 1)), ${sql.lit(guard)}, '') || ${value}`
  const quoted = sql`${sql.lit(quote)} || replace(${guarded}, ${sql.lit(quote)}, ${sql.lit(quote + quote)}) || ${sql.lit(quote)}`
  // Most texts begin with a letter or a digit, which needs no guard.
  return sql`case when ${special} then ${quoted} when ${value} glob '[0-9A-Za-z]*' then ${value} else ${guarded} end`
}

function expression(pieces: readonly TextPiece[]): RawBuilder<string> {
  const [first, second] = pieces
  if (typeof first === 'object' && second === undefined && first.before === undefined) {
    return written(first.field, first.form)
  }
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return sql`${sql.lit(piece)}`
    const { field, form, before = '' } = piece
    const text = written(field, form)
    return before === '' ? text : sql`${sql.lit(before)} || ${text}`
  })
  // `concat` treats absent values as empty.
  return sql<string>`concat(${sql.join(parts)})`
}

/**
 * The texts of live waypoints by id, built by SQLite, which is faster than building them from objects (docs/data.md has
 * the measurement).
 *
 * @internal
 */
export function recordTexts(
  statements: Statements,
  template: TextTemplate,
  choice: RecordChoice,
): Generator<RecordText> {
  const position = ['latitude', 'longitude', 'amenities'].map((column) => sql.ref(`w.${column}`))
  const columns = [...position, ...template.map(expression)]
  return gatheredRows(statements, columns, choice, (row) => ({
    id: row.id,
    latitude: row.columns[0] as number,
    longitude: row.columns[1] as number,
    amenities: row.columns[2] as string,
    state: row.state,
    reviewCount: row.reviewCount,
    sources: row.sources,
    ...optionalSurroundings(row),
    texts: row.columns.slice(position.length, columns.length) as (string | null)[],
  }))
}
