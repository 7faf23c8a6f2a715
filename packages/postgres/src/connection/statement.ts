import {
  compiledForPostgres,
  Placeholder,
  promisedBy,
  type Askable,
  type Answered,
  type Asked,
  type Compiled,
} from '@openfountain/core/engine'

export type Value = string | number | null | Uint8Array | readonly (string | number | null)[]
export type Values = Readonly<Record<string, Value | undefined>>

export interface Planning {
  /** Plans each execution for its values: for conditions that match much or little, depending on the value. */
  readonly forValues?: boolean | undefined
}

/** Runs queries: numbers are JavaScript's, byte strings are bytes, everything else is text. */
export interface Queries {
  query<Row>(text: string, values?: readonly Value[], planning?: Planning): Promise<Row[]>
}

export class Statements {
  readonly #queries: Queries
  readonly #compiled = new WeakMap<Askable, Compiled>()

  constructor(queries: Queries) {
    this.#queries = queries
  }

  readonly rows = ({ query, values }: Asked): Promise<unknown[]> => {
    let compiled = this.#compiled.get(query)
    if (compiled === undefined) {
      compiled = compiledForPostgres(query.built)
      this.#compiled.set(query, compiled)
    }
    const { isPlannedForValues: forValues } = query.options
    return this.#queries.query(compiled.sql, bound(compiled.parameters, values as Values), { forValues })
  }

  read<All extends object>(readings: All): Answered<All> {
    return promisedBy(readings, this.rows)
  }
}

const bound = (parameters: readonly unknown[], values: Values): Value[] =>
  parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter as Value
    const { name, type } = parameter
    const value = values[name]
    if (value === undefined) throw new TypeError(`no value for :${name}`)
    if (type === 'subject') return String(value)
    return ['whole', 'wholes', 'count'].includes(type) ? wholeOrNone(value) : value
  })

/** No row has a negative id: fractions and numbers beyond all ids match nothing, instead of an error. */
const nowhere = -1

function wholeOrNone(value: Value): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : nowhere
  if (!Array.isArray(value)) return value
  return value.map((each: unknown) => (Number.isSafeInteger(each) ? Number(each) : nowhere))
}
