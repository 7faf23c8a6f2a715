/** JSON, or JSON with its quotation marks doubled, for a cell of CSV that is quoted. */
export type JsonForm = 'json' | 'json in a cell'

export function jsonInForm(value: unknown, form: JsonForm): string {
  const text = JSON.stringify(value)
  return form === 'json' ? text : text.replaceAll('"', '""')
}
