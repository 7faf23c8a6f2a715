import type { PropertiesDeclaration } from '@openfountain/core'
import {
  optionalFields,
  waypointFields,
  type Field,
  type OptionalValues,
  type Properties,
} from '@openfountain/core/fields'

export const sampleProperties = {
  type: 'object',
  properties: {
    height: { type: 'number', title: 'Height of the spout' },
    inventoryNumber: { type: 'string', title: 'Number in the inventory' },
    isHeated: { type: 'boolean' },
    inspectedBy: { type: 'array', items: { type: 'string' } },
  },
} as const satisfies PropertiesDeclaration

const propertiesWith = (text: string): readonly Properties[] => [
  { height: 0.85, inspectedBy: [text, 'B'], inventoryNumber: text, isHeated: false },
  { height: 1e21 },
]

const seasons = ['04-01/10-31', '11-15/02-29', '01-01/12-31', '07-04/07-04']

function samples({ type, values = [] }: Field, text: string): readonly (string | Properties)[] {
  if (type === 'choice') return values
  if (type === 'season') return seasons
  if (type === 'properties') return propertiesWith(text)
  return [type === 'address' ? 'https://example.org/a.jpg?x=1&y=2' : text]
}

/** A value of each optional field. @param turn the index of the value of a choice, modulo their number */
export function sampleValues(text: string, turn = 0): OptionalValues {
  return Object.fromEntries(
    optionalFields.map((name) => {
      const all = samples(waypointFields[name], text)
      return [name, all[turn % all.length]]
    }),
  )
}
