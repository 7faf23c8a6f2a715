import type { PropertiesSchema } from '@openfountain/core'
import type { PropertySchema } from '@openfountain/core/internal'
import type { Properties, PropertyValue } from '@openfountain/core/fields'
import type { ImportNote } from '../notes.ts'
import { isPlaceholder, yesOrNo } from './cell-text.ts'
import { numberOf } from './coordinates.ts'
import type { MapFile } from './map-file.ts'

/** Custom fields of rows that the registry declares; undeclared ones are left out and counted. */
export class CustomFields {
  readonly #declared: ReadonlyMap<string, PropertySchema>
  readonly #columns: ReadonlyMap<string, readonly string[]>
  readonly #leftOut = new Map<string, number>()

  /** @param declared the custom fields of the registry. Default none */
  constructor(declared: PropertiesSchema | undefined, map: MapFile = {}) {
    this.#declared = new Map(Object.entries(declared?.properties ?? {}))
    this.#columns = new Map(
      Object.entries(map.properties ?? {}).map(([name, columns]) => [name, [columns].flat()]),
    )
  }

  /** The custom fields of a row from columns named by a map; a value of another type is left out. */
  read(fields: Readonly<Record<string, unknown>>): Properties | undefined {
    const found: Record<string, PropertyValue> = {}
    for (const [name, columns] of this.#columns) {
      const given = columns.map((column) => fields[column]).find((each) => !isPlaceholder(each))
      if (given === undefined) continue
      const schema = this.#declared.get(name)
      const value = schema === undefined ? undefined : valueOf(schema, given)
      if (value === undefined) this.#count(name)
      else found[name] = value
    }
    return Object.keys(found).length === 0 ? undefined : found
  }

  /** The declared custom fields of a row of this project's own export, unchanged. */
  taken(properties: Properties | undefined): Properties | undefined {
    if (properties === undefined) return undefined
    const declared = Object.entries(properties).filter(([name]) => {
      if (!this.#declared.has(name)) this.#count(name)
      return this.#declared.has(name)
    })
    return declared.length === 0 ? undefined : Object.fromEntries(declared)
  }

  /** Notes about left-out values, once all rows were read. */
  notes(): ImportNote[] {
    if (this.#leftOut.size === 0) return []
    const fields = [...this.#leftOut].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return [{ code: 'PROPERTIES_LEFT_OUT', fields: fields.map(([name, rows]) => ({ name, rows })) }]
  }

  #count(name: string): void {
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1)
  }
}

/** A cell as a value of a field; undefined when it cannot be one. */
function valueOf({ type }: PropertySchema, given: unknown): PropertyValue | undefined {
  switch (type) {
    case 'number':
    case 'integer':
      return numberOf(given)
    case 'boolean':
      return yesOrNo(given)
    case 'array':
      return (Array.isArray(given) ? given.map(String) : String(given).split(';'))
        .map((each) => each.trim())
        .filter((each) => each !== '')
    case 'string':
      return typeof given === 'object' ? undefined : String(given).trim()
  }
}
