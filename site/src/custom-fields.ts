import type { DeclaredProperties, DeclaredProperty } from './data/folder.ts'

export type DeclaredField = Readonly<DeclaredProperty> & { readonly name: string }

/** The declared custom fields of a registry, in order; none without a declaration. */
export const declaredFields = (declared: DeclaredProperties | undefined): DeclaredField[] =>
  Object.entries(declared?.properties ?? {}).map(([name, schema]) => ({ ...schema, name }))

export const titleOf = ({ name, title }: Pick<DeclaredField, 'name' | 'title'>): string => title ?? name

export const titlesOf = (fields: readonly DeclaredField[]): (readonly [name: string, title: string])[] =>
  fields.map((field) => [field.name, titleOf(field)])

type CustomField = { readonly name: string; readonly title: string; readonly text: string }

/** The custom fields of a fountain that have a value: declared ones first, in the order of their titles, then older ones. */
export function customFieldsOf(
  given: Readonly<Record<string, unknown>>,
  titles: Iterable<readonly [name: string, title: string]>,
): readonly CustomField[] {
  const declared = new Map(titles)
  const values = new Map(Object.entries(given))
  return [...new Set([...declared.keys(), ...values.keys()])].flatMap((name) => {
    const text = customText(values.get(name))
    return text === '' ? [] : [{ name, title: declared.get(name) ?? name, text }]
  })
}

export function customText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  if (Array.isArray(value)) return value.map(customText).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
