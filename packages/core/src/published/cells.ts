const dangerous = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u
const neutralised = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u

/**
 * Makes a text cell inert in spreadsheet programs: one apostrophe is put before a text that begins with
 * `=`, `+`, `-`, `@`, a tab or a line break (or their full-width forms), and before a text that has only
 * apostrophes ahead of such a character. `restoreCell` undoes exactly this.
 *
 * @example
 * neutraliseCell('=1+1') // "'=1+1"
 * neutraliseCell("'=1") // "''=1"
 * neutraliseCell("'s-Hertogenbosch") // "'s-Hertogenbosch"
 */
export function neutraliseCell(text: string): string {
  return dangerous.test(text) ? `'${text}` : text
}

export function restoreCell(cell: string): string {
  return neutralised.test(cell) ? cell.slice(1) : cell
}

const special = /[\\;]/u
const everySpecial = /[\\;]/gu
const escaped = String.raw`\$&`

/** Joins a list into one cell with `;`. A `;` or `\` inside an item gets a `\` before it. */
export function joinList(items: readonly string[]): string {
  return items.map((item) => (special.test(item) ? item.replaceAll(everySpecial, escaped) : item)).join(';')
}

/** The items that `joinList` was given; the empty text is the empty list. */
export function splitList(cell: string): string[] {
  if (cell === '') return []
  const items = ['']
  for (const [part] of cell.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    if (part === ';') items.push('')
    else items.push(`${items.pop() ?? ''}${part.length > 1 && part.startsWith('\\') ? part.slice(1) : part}`)
  }
  return items
}

const needsQuotes = /[",\r\n]/u

/** A CSV field of RFC 4180: quoted where it must be. */
export function csvField(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Empty, or begins with a letter or a digit, and needs no quotes: most texts. */
const simple = /^(?:[0-9A-Za-z][^",\r\n]*)?$/

const csvText = (text: string): string => (simple.test(text) ? text : csvField(neutraliseCell(text)))

const cellsOfFrozen = new WeakMap<object, string>()

/** One value as a CSV field: text made inert, lists joined, objects as JSON, absent values empty. */
export function csvValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return csvText(value)
  return typeof value === 'object' ? ofShared(cellsOfFrozen, value, objectCell) : String(value)
}

const objectCell = (value: object): string =>
  Array.isArray(value) ? csvText(joinList(value.map(String))) : csvField(JSON.stringify(value))

/** A text of an object, kept where it is frozen: many waypoints share such an object. */
export function ofShared(
  texts: WeakMap<object, string>,
  value: object,
  textOf: (value: object) => string,
): string {
  if (!Object.isFrozen(value)) return textOf(value)
  let text = texts.get(value)
  if (text === undefined) texts.set(value, (text = textOf(value)))
  return text
}
