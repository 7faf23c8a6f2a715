import { columnsOf, type Columns } from './columns.ts'
import type { Role } from './headings.ts'
import type { MapFile } from './map-file.ts'
import { ordinaryCase, isPlaceholder, plainText } from './cell-text.ts'

type Fields = Readonly<Record<string, unknown>>
type Template = (fields: Fields) => unknown

/** Finds the cells of a role in every row of a file: which columns to try, and a map's templates. */
export class CellReader {
  readonly #map: MapFile
  readonly #templates = new Map<Role | 'nameTemplate', readonly Template[]>()

  constructor({ byRole }: Columns, map: MapFile) {
    this.#map = map
    for (const [role, entries] of byRole) this.#templates.set(role, entries.map(templateOf))
    // A name that a template makes comes after all others.
    const isTemplate = Map.groupBy(byRole.get('name') ?? [], (entry) => entry.includes('{'))
    this.#templates.set('name', (isTemplate.get(false) ?? []).map(templateOf))
    this.#templates.set('nameTemplate', (isTemplate.get(true) ?? []).map(templateOf))
  }

  row(fields: Fields): Cells {
    return new Cells(this.#mapped(fields), this.#templates)
  }

  /** Renames columns and replaces values as the map says. */
  #mapped(fields: Fields): Fields {
    const { values, columns } = this.#map
    let result: Record<string, unknown> | undefined
    if (columns !== undefined) {
      result = {}
      for (const [name, value] of Object.entries(fields)) {
        const place = /^column(\d+)$/u.exec(name)?.[1]
        result[(place === undefined ? undefined : columns[Number(place) - 1]) ?? name] = value
      }
    }
    for (const [column, words] of Object.entries(values ?? {})) {
      const value = (result ?? fields)[column]
      const word = value === undefined ? undefined : words[String(value).trim()]
      if (word !== undefined) result = { ...(result ?? fields), [column]: word }
    }
    return result ?? fields
  }
}

/** The cells of one row by their meaning. Placeholders count as absent. */
export class Cells {
  /** Every field by its heading. */
  readonly fields: Fields
  readonly #templates: ReadonlyMap<Role | 'nameTemplate', readonly Template[]>

  constructor(fields: Fields, templates: ReadonlyMap<Role | 'nameTemplate', readonly Template[]>) {
    this.fields = fields
    this.#templates = templates
  }

  *#values(role: Role | 'nameTemplate'): Generator<unknown> {
    for (const template of this.#templates.get(role) ?? []) yield template(this.fields)
  }

  /** The first cell of a role that is not a placeholder, as plain text. */
  text(role: Role): string | undefined {
    for (const value of this.#values(role)) {
      const text = plainText(value)
      if (text !== undefined && !/\b(?:undefined|null|NaN)\b/u.test(text)) return text
    }
    return undefined
  }

  /** The first cell of a role that is not a placeholder, unchanged. */
  first(role: Role): unknown {
    for (const value of this.#values(role)) if (!isPlaceholder(value)) return value
    return undefined
  }

  /** Every cell of a role that is not a placeholder. */
  all(role: Role): string[] {
    return [...this.#values(role)].flatMap((value) => {
      if (typeof value === 'boolean') return String(value)
      return typeof value === 'string' && !isPlaceholder(value) ? value.trim() : []
    })
  }

  /** A name from a template of the map. */
  templateName(): string | undefined {
    for (const value of this.#values('nameTemplate')) {
      const text = plainText(value)
      if (text !== undefined) return text.charAt(0).toUpperCase() + text.slice(1)
    }
    return undefined
  }
}

function templateOf(entry: string): Template {
  if (!entry.includes('{')) return (fields) => fields[entry]
  const columns = columnsOf(entry)
  return (fields) => {
    if (columns.some((column) => isPlaceholder(fields[column]))) return undefined
    return entry.replaceAll(/\{([^{}]+)\}/gu, (_, column: string) =>
      ordinaryCase(String(fields[column]).trim()),
    )
  }
}
