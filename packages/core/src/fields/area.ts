import { limits } from '../rules.ts'
import { fields, when, optionalNames, optionalValuesIn, textNames } from './field.ts'

const text = { type: 'text', setBy: 'tokens', isText: true } as const

export const areaFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier of the area' },
  name: { ...text, minLength: 1, maxLength: limits.areaName, meaning: 'Name' },
  description: {
    ...text,
    optional: true,
    maxLength: limits.description,
    meaning: 'What is to be known of it',
  },
  color: { type: 'text', setBy: 'tokens', meaning: 'Colour on the map, such as #ff8c00' },
  coordinates: { type: 'rings', setBy: 'tokens', meaning: 'Rings of its polygon as in GeoJSON' },
  properties: { type: 'object', setBy: 'tokens', meaning: 'Whatever else is kept with it' },
  active: { type: 'flag', setBy: 'tokens', meaning: 'Whether it is shown' },
  createdAt: { ...when, meaning: 'When it was added, UTC' },
  updatedAt: { ...when, meaning: 'When it was last changed, UTC' },
})

export const areaOptionals = optionalNames(areaFields)
export const areaTexts = textNames(areaFields)

/** The optional fields of a bounding box that an object has. */
export const areaValuesOf = optionalValuesIn(areaFields)
