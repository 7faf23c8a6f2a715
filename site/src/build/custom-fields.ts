import { customText } from '../custom-text.ts'
import type { ExportFolder } from '../data/folder.ts'
import type { Waypoint } from '../data/records.ts'

/** A custom field of a fountain as its page shows it. */
export interface CustomField {
  readonly name: string
  /** What people read before it: its title in the registry's declaration, else its name. */
  readonly title: string
  readonly text: string
}

/** The custom fields of a fountain: first those that the registry declares, in their order, then older ones. */
export function customFieldsOf(
  { custom_properties: given }: Pick<Waypoint, 'custom_properties'>,
  { properties }: ExportFolder['registry'],
): readonly CustomField[] {
  if (!given) return []
  const values = new Map(Object.entries(given))
  const declared = new Map(Object.entries(properties?.properties ?? {}))
  const names = [...new Set([...declared.keys(), ...values.keys()])]
  return names.flatMap((name) => {
    const value = values.get(name)
    if (value === undefined) return []
    return [{ name, title: declared.get(name)?.title ?? name, text: customText(value) }]
  })
}
